//! Our own side.

use cql::types::Type;
use cql::{Statement, StatementKind};
use model::bind::{self, Bound, BoundStatement};
use model::ddl::{self, Change};
use model::{Catalog, Result};

use super::ask::{Ask, Respondent, Verdict};
use crate::protocol::Options;

/// A catalog that follows what the node has accepted, and the keyspace in use.
pub(super) struct Ours {
    catalog: Catalog,
    keyspace: Option<Box<str>>,
}

/// What became of an accepted statement.
enum Accepted {
    Schema(Change),
    Bound(BoundStatement),
    Unbindable,
}

impl Ours {
    /// A server that has nothing but its own tables.
    pub(super) fn open() -> Self {
        Self { catalog: Catalog::with_system_tables(), keyspace: None }
    }

    fn verdict(&self, statement: &Statement, prepare: bool) -> Result<Accepted> {
        let keyspace = self.keyspace.as_deref();
        let bound = bind::bind(&self.catalog, keyspace, statement)?;
        if matches!(bound.kind, Bound::Unbound) {
            return ddl::change(&self.catalog, keyspace, statement).map(Accepted::Schema);
        }
        if prepare {
            bind::validate(&bound)?;
        } else if statement.markers.is_empty() {
            let page_rows = Options::default().page_size.and_then(|rows| u32::try_from(rows).ok());
            bind::check_execution(&bound, page_rows)?;
        } else {
            return Ok(Accepted::Unbindable);
        }
        Ok(Accepted::Bound(bound))
    }
}

impl Respondent for Ours {
    fn ask(&mut self, ask: &Ask) -> Verdict {
        let parsed = cql::parse(&ask.text);
        if let Some(diagnostic) = parsed.diagnostics.iter().find(|said| said.error.is_some()) {
            return refused(diagnostic);
        }
        let [statement] = parsed.statements.as_slice() else {
            return Verdict::Unjudged(format!("{} statements", parsed.statements.len()));
        };
        match self.verdict(statement, ask.prepare) {
            Ok(Accepted::Unbindable) => Verdict::Refused {
                code: 0x2200,
                text: "Invalid amount of bind variables".to_owned(),
            },
            Ok(Accepted::Bound(bound)) if ask.prepare => Verdict::Accepted(Some(markers(&bound))),
            Ok(_) => Verdict::Accepted(None),
            Err(diagnostic) => refused(&diagnostic),
        }
    }

    fn follow(&mut self, ask: &Ask) -> std::result::Result<(), String> {
        let parsed = cql::parse(&ask.text);
        let statement = parsed.statements.first().ok_or("no statement")?;
        if let StatementKind::Use(target) = &statement.kind {
            self.keyspace = Some(target.keyspace.text.clone());
        }
        match self.verdict(statement, ask.prepare) {
            Ok(Accepted::Schema(change)) => self.catalog.apply(change),
            Ok(_) => {}
            Err(diagnostic) => return Err(diagnostic.message),
        }
        Ok(())
    }

    fn forget(&mut self, _: &str) {
        *self = Self::open();
    }
}

fn refused(diagnostic: &cql::Diagnostic) -> Verdict {
    let code = diagnostic.error.map_or(u32::MAX, |error| u32::from(error.number()));
    Verdict::Refused { code, text: diagnostic.message.clone() }
}

/// The markers as the node's answer to PREPARE is spelt.
fn markers(bound: &BoundStatement) -> String {
    let mut parts = Vec::new();
    for marker in bound.markers.iter().flatten() {
        parts.push(format!("{} {}", marker.receiver.name, spelt(&marker.receiver.ty)));
    }
    parts.join(", ")
}

/// A type as the protocol tells it: without frozen, user types by their keyspace, vectors by their class.
fn spelt(ty: &Type) -> String {
    match ty {
        Type::List(of, _) => format!("list<{}>", spelt(of)),
        Type::Set(of, _) => format!("set<{}>", spelt(of)),
        Type::Map(of, _) => format!("map<{}, {}>", spelt(&of.0), spelt(&of.1)),
        Type::Tuple(parts) => {
            format!("tuple<{}>", parts.iter().map(spelt).collect::<Vec<_>>().join(", "))
        }
        Type::User(ty, _) => format!("{}.{}", ty.keyspace, ty.name),
        Type::Vector(..) | Type::Custom(_) => format!("'{}'", ty.class_name()),
        Type::Native(native) => native.name().to_owned(),
    }
}
