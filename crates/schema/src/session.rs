//! [`Session`]: a catalog and the keyspace in use, for checking statements in sequence.

use cql::{Statement, StatementKind};

use crate::Result;
use crate::advice::{self, Scope};
use crate::bind::{self, BoundKind, BoundStatement};
use crate::catalog::Catalog;
use crate::ddl::{self, CatalogChange};
use crate::refusal::{CommandReason, refuse};

/// The page size of drivers and cqlsh.
const PAGE_ROWS: u32 = 5000;

/// A catalog and the keyspace in use.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The schema so far.
    pub catalog: Catalog,
    /// The keyspace in use.
    pub keyspace: Option<Box<str>>,
    /// The current time for statements, in milliseconds since 1970, set by the caller.
    pub now_ms: i64,
}

/// How a statement is sent to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionMode {
    /// Prepared, but not executed: markers have no values.
    Prepare,
    /// Executed with this page size, or without paging: markers have no values.
    Execute(Option<u32>),
}

/// The result of an accepted statement.
#[derive(Clone, Debug)]
pub enum AcceptedStatement {
    /// A schema change.
    Schema(CatalogChange),
    /// Any other statement of the server.
    Bound(Box<BoundStatement>),
    /// A cqlsh command, which is not sent to the server.
    Shell,
}

impl Session {
    /// A session on a server with only its system tables.
    pub fn with_system_tables() -> Self {
        Self { catalog: Catalog::with_system_tables(), ..Self::default() }
    }

    /// Assumes that a keyspace exists; the first such keyspace is in use. Its name must be valid.
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

    /// Runs a statement: prepares it if it has markers, otherwise executes it. Schema changes and
    /// USE take effect.
    pub fn run(&mut self, statement: &Statement) -> Result<AcceptedStatement> {
        let prepare = !statement.markers.is_empty();
        let mode =
            if prepare { ExecutionMode::Prepare } else { ExecutionMode::Execute(Some(PAGE_ROWS)) };
        self.run_as(statement, mode)
    }

    /// Runs a statement in a given mode; one that is only prepared has no effect.
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

    /// The server's verdict on a statement, with a help; nothing changes.
    pub fn verdict(&self, statement: &Statement, mode: ExecutionMode) -> Result<AcceptedStatement> {
        self.check_statement(statement, mode).map_err(|mut refusal| {
            advice::add_advice(&mut refusal, self.scope(), statement);
            refusal
        })
    }

    /// The errors of executing a prepared statement, whatever values its markers have; paging is
    /// assumed to be off.
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
        let refuse = |reason: CommandReason| refuse(reason, statement.span);
        match mode {
            ExecutionMode::Prepare => {
                bind::check_marker_count(statement)?;
                bind::validate(&bound)?;
            }
            // The server checks a schema statement only at execution, and counts no markers in it.
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
