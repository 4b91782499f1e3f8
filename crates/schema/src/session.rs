//! A session: a catalog, the keyspace in use, and statements one after the other.

use cql::{Statement, StatementKind};

use crate::advice::{self, Scope};
use crate::bind::{self, BoundKind, BoundStatement};
use crate::catalog::Catalog;
use crate::ddl::{self, CatalogChange};
use crate::refusal::CommandReason;
use crate::{Refusal, Result};

/// The rows of a page, as drivers and cqlsh ask for them.
const PAGE_ROWS: u32 = 5000;

/// A catalog and the keyspace in use.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The schema so far.
    pub catalog: Catalog,
    /// The keyspace in use.
    pub keyspace: Option<Box<str>>,
    /// What statements take for now, in milliseconds since 1970: whoever has a clock says so.
    pub now_ms: i64,
}

/// How a statement reaches the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionMode {
    /// It is prepared, and not run: markers may stay open.
    Prepare,
    /// It is run as it stands, with pages of so many rows, or without pages: markers have no values.
    Execute(Option<u32>),
}

/// What became of an accepted statement.
#[derive(Clone, Debug)]
pub enum AcceptedStatement {
    /// It changes the schema.
    Schema(CatalogChange),
    /// Everything else that the server gets to see.
    Bound(Box<BoundStatement>),
    /// It is for cqlsh, not for the server.
    Shell,
}

impl Session {
    /// A session on a server with nothing but its own tables.
    pub fn with_system_tables() -> Self {
        Self { catalog: Catalog::with_system_tables(), ..Self::default() }
    }

    /// Takes a keyspace for existing; the first of them is in use. Its name must be one the server accepts.
    pub fn assume_keyspace(&mut self, name: &str) -> Result<()> {
        let text = format!(
            "CREATE KEYSPACE IF NOT EXISTS {} WITH replication = \
             {{'class': 'SimpleStrategy', 'replication_factor': 1}}",
            cql::printer::identifier(name)
        );
        for statement in cql::parse(&text).statements {
            self.run(&statement)?;
        }
        self.keyspace.get_or_insert_with(|| name.into());
        Ok(())
    }

    /// Runs a statement: prepared if it has markers, executed if it has none. Schema changes and USE take effect.
    pub fn run(&mut self, statement: &Statement) -> Result<AcceptedStatement> {
        let prepare = !statement.markers.is_empty();
        let mode =
            if prepare { ExecutionMode::Prepare } else { ExecutionMode::Execute(Some(PAGE_ROWS)) };
        self.run_as(statement, mode)
    }

    /// The same, in the mode given; what is only prepared takes no effect.
    pub fn run_as(
        &mut self,
        statement: &Statement,
        mode: ExecutionMode,
    ) -> Result<AcceptedStatement> {
        let accepted = self.verdict(statement, mode)?;
        match (&accepted, &statement.kind) {
            (AcceptedStatement::Schema(change), _) => self.catalog.apply(change.clone()),
            (_, StatementKind::Use(target)) if mode != ExecutionMode::Prepare => {
                self.keyspace = Some(target.keyspace.text.clone());
            }
            _ => {}
        }
        Ok(accepted)
    }

    /// What the server says to a statement, and what to write instead; nothing changes.
    pub fn verdict(&self, statement: &Statement, mode: ExecutionMode) -> Result<AcceptedStatement> {
        self.check_statement(statement, mode).map_err(|mut refusal| {
            advice::add_advice(&mut refusal, self.scope(), statement);
            refusal
        })
    }

    /// What the server will say when a prepared statement runs, whatever its markers are bound to; paging is taken to be off.
    pub fn check_when_executed(&self, statement: &Statement, bound: &BoundStatement) -> Result<()> {
        if statement.markers.is_empty() {
            return Ok(());
        }
        bind::check_execution(bound, None).map_err(|mut refusal| {
            advice::add_advice(&mut refusal, self.scope(), statement);
            refusal
        })
    }

    fn scope(&self) -> Scope<'_> {
        Scope { catalog: &self.catalog, keyspace: self.keyspace.as_deref() }
    }

    fn check_statement(
        &self,
        statement: &Statement,
        mode: ExecutionMode,
    ) -> Result<AcceptedStatement> {
        let keyspace = self.keyspace.as_deref();
        if matches!(statement.kind, StatementKind::Shell(_) | StatementKind::Invalid) {
            return Ok(AcceptedStatement::Shell);
        }
        let bound = bind::bind(&self.catalog, keyspace, self.now_ms, statement)?;
        let refuse = |reason: CommandReason| Err(Refusal::new(reason, statement.span).into());
        match mode {
            ExecutionMode::Prepare => {
                bind::check_marker_count(statement)?;
                bind::validate(&bound)?;
            }
            // The server looks at a schema statement only when it runs, and counts no markers in it.
            ExecutionMode::Execute(_) if matches!(bound.kind, BoundKind::Unbound) => {
                return Ok(AcceptedStatement::Schema(ddl::change(
                    &self.catalog,
                    keyspace,
                    statement,
                )?));
            }
            ExecutionMode::Execute(_) if !statement.markers.is_empty() => {
                return refuse(CommandReason::MarkersWithoutValues);
            }
            ExecutionMode::Execute(page_rows) => bind::check_execution(&bound, page_rows)?,
        }
        Ok(AcceptedStatement::Bound(bound.into()))
    }
}
