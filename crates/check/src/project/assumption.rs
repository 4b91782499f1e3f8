//! Objects that are there for the check and not for the server: it refuses their CREATE, and the check goes on as if it did not.
//!
//! Statements that follow are compared with what was meant. A later CREATE of the same name is the first that the server accepts.

use std::collections::BTreeSet;

use cql::{Statement, StatementKind};
use schema::catalog::{CatalogChange, Keyspace};
use schema::{Catalog, Session};

/// The objects that the server does not have: keyspaces under an empty name, tables, views and types.
#[derive(Debug, Default)]
pub(super) struct AssumedObjects {
    names: BTreeSet<(Box<str>, Box<str>)>,
}

impl AssumedObjects {
    /// Takes what a CREATE would make out of the catalog, if the server does not have it. Returns the catalog as it was: it comes back
    /// if the server refuses this CREATE as well.
    pub(super) fn make_way(&self, session: &mut Session, statement: &Statement) -> Option<Catalog> {
        let (keyspace, name) = find_created_name(session, statement)?;
        if !self.names.contains(&(keyspace.clone(), name.clone())) {
            return None;
        }
        let before = session.catalog.clone();
        let changes = match &statement.kind {
            StatementKind::CreateKeyspace(_) => vec![CatalogChange::DropKeyspace(keyspace)],
            StatementKind::CreateView(_) => vec![CatalogChange::DropView { keyspace, name }],
            StatementKind::CreateType(_) => vec![CatalogChange::DropType { keyspace, name }],
            _ => {
                let known = before.keyspace(&keyspace);
                let views = known.into_iter().flat_map(|known| known.views_of(&name));
                let view_names = views.map(|view| view.table.name.clone());
                let drop_view =
                    |view| CatalogChange::DropView { keyspace: keyspace.clone(), name: view };
                let mut changes: Vec<CatalogChange> = view_names.map(drop_view).collect();
                changes.push(CatalogChange::DropTable { keyspace, name });
                changes
            }
        };
        for change in changes {
            session.catalog.apply(change);
        }
        Some(before)
    }

    /// Records what a statement made. It is there for the server if nothing of the statement is refused and its keyspace is there.
    pub(super) fn record(&mut self, session: &Session, statement: &Statement, is_refused: bool) {
        let Some((keyspace, name)) = find_created_name(session, statement) else { return };
        let is_inside = !name.is_empty() && self.names.contains(&(keyspace.clone(), "".into()));
        if is_refused || is_inside {
            self.names.insert((keyspace, name));
        } else {
            self.names.remove(&(keyspace, name));
        }
    }

    /// Puts back what was meant to be in a keyspace that is created again.
    pub(super) fn keep_content(session: &mut Session, statement: &Statement, before: &Catalog) {
        let StatementKind::CreateKeyspace(create) = &statement.kind else { return };
        let meant = before.keyspace(&create.name.text);
        let Some((meant, now)) = meant.zip(session.catalog.keyspace(&create.name.text)) else {
            return;
        };
        let mut both = Keyspace::clone(meant);
        both.replication = now.replication.clone();
        both.durable_writes = now.durable_writes;
        session.catalog.apply(CatalogChange::Keyspace(both.into()));
    }
}

/// The keyspace and the name of what a CREATE makes; the name of a keyspace is empty.
fn find_created_name(session: &Session, statement: &Statement) -> Option<(Box<str>, Box<str>)> {
    let name = match &statement.kind {
        StatementKind::CreateKeyspace(create) => {
            return Some((create.name.text.clone(), "".into()));
        }
        StatementKind::CreateTable(create) => &create.name,
        StatementKind::CreateView(create) => &create.name,
        StatementKind::CreateType(create) => &create.name,
        _ => return None,
    };
    let stated = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
    let keyspace = stated.or(session.keyspace.as_deref())?;
    Some((keyspace.into(), name.name.text.clone()))
}
