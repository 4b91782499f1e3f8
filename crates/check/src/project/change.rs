//! What schema statements change: the state before and after.

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::types::UserType;
use cql::{Statement, StatementKind};
use schema::catalog::{Keyspace, Replication, Table, View};
use schema::ddl::CatalogChange;
use schema::{Catalog, Session};

use super::{Project, StatementOutcome, TextKind};
use crate::Location;

/// One change of a schema: a statement of a migration, or a difference from an earlier schema.
#[derive(Clone, Debug)]
pub struct MigrationStep {
    /// Where: the statement, or what creates the object now; for what is gone, the start of the texts.
    pub(crate) place: Location,
    /// The position of its statement among those of the project, if a statement does it.
    pub(crate) statement: Option<usize>,
    /// Whether the same text creates the object: it holds nothing yet. Of a view, its table.
    pub(crate) on_new: bool,
    /// What changes.
    pub(crate) change: ObjectChange,
}

/// An object before and after; `None` where it does not exist.
#[derive(Clone, Debug)]
pub(crate) enum ObjectChange {
    /// A table, its indexes included.
    Table { before: Option<Arc<Table>>, after: Option<Arc<Table>> },
    /// A materialized view.
    View { before: Option<Arc<View>>, after: Option<Arc<View>> },
    /// A user type.
    Type { before: Option<Arc<UserType>>, after: Option<Arc<UserType>> },
    /// A keyspace.
    Keyspace { before: Option<Box<KeyspaceState>>, after: Option<Box<KeyspaceState>> },
}

/// What of a keyspace itself may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyspaceState {
    /// Its name.
    pub(crate) name: Box<str>,
    /// How it is replicated.
    pub(crate) replication: Replication,
    /// Whether writes go through the commit log.
    pub(crate) durable_writes: bool,
}

impl KeyspaceState {
    pub(super) fn from_keyspace(keyspace: &Keyspace) -> Self {
        Self {
            name: keyspace.name.clone(),
            replication: keyspace.replication.clone(),
            durable_writes: keyspace.durable_writes,
        }
    }
}

/// What a statement that may change a keyspace finds.
pub(super) fn prior_state(session: &Session, statement: &Statement) -> PriorState {
    // Held for as long as the statement runs, a keyspace would be copied with all its tables: only what is small is kept.
    match &statement.kind {
        StatementKind::AlterKeyspace(alter) => {
            let known = session.catalog.keyspace(&alter.name.text);
            PriorState {
                keyspace: known.map(|known| KeyspaceState::from_keyspace(known).into()),
                ..PriorState::default()
            }
        }
        StatementKind::DropKeyspace(drop) => {
            let known = session.catalog.keyspace(&drop.name.text);
            PriorState {
                keyspace: known.map(|known| KeyspaceState::from_keyspace(known).into()),
                ..PriorState::default()
            }
        }
        StatementKind::AlterTable(alter) => prior_table(session, &alter.name),
        StatementKind::DropTable(drop) => prior_table(session, &drop.name),
        StatementKind::CreateIndex(create) => prior_table(session, &create.table),
        StatementKind::DropIndex(drop) => {
            let keyspace = drop.name.keyspace.as_ref().map(|name| &*name.text);
            let known = keyspace.or(session.keyspace.as_deref());
            let known = known.and_then(|name| session.catalog.keyspace(name));
            let table = known.and_then(|known| known.index(&drop.name.name.text));
            PriorState { table: table.map(|(table, _)| table.clone()), ..PriorState::default() }
        }
        StatementKind::AlterType(alter) => prior_type(session, &alter.name),
        StatementKind::DropType(drop) => prior_type(session, &drop.name),
        StatementKind::DropView(drop) => {
            let (keyspace, name) = resolve_name(session, &drop.name);
            let known = keyspace.and_then(|name| session.catalog.keyspace(name));
            let view = known.and_then(|known| known.views.get(name)).cloned();
            PriorState { view, ..PriorState::default() }
        }
        _ => PriorState::default(),
    }
}

/// What was there before a statement.
#[derive(Default)]
pub(super) struct PriorState {
    keyspace: Option<Box<KeyspaceState>>,
    table: Option<Arc<Table>>,
    view: Option<Arc<View>>,
    ty: Option<Arc<UserType>>,
}

fn resolve_name<'n>(
    session: &'n Session,
    name: &'n cql::QualifiedName,
) -> (Option<&'n str>, &'n str) {
    let keyspace = name.keyspace.as_ref().map(|name| &*name.text);
    (keyspace.or(session.keyspace.as_deref()), &name.name.text)
}

fn prior_table(session: &Session, name: &cql::QualifiedName) -> PriorState {
    let (keyspace, name) = resolve_name(session, name);
    let table = keyspace.and_then(|keyspace| session.catalog.table(keyspace, name)).cloned();
    PriorState { table, ..PriorState::default() }
}

fn prior_type(session: &Session, name: &cql::QualifiedName) -> PriorState {
    let (keyspace, name) = resolve_name(session, name);
    let known = keyspace.and_then(|keyspace| session.catalog.keyspace(keyspace));
    let ty = known.and_then(|known| known.types.get(name)).cloned();
    PriorState { ty, ..PriorState::default() }
}

/// What a statement changed.
pub(super) fn object_change(
    before: PriorState,
    change: &CatalogChange,
    session: &Session,
) -> Option<ObjectChange> {
    let table = |keyspace: &str, name: &str| session.catalog.table(keyspace, name).cloned();
    Some(match change {
        // A type comes with all that uses it, and a table with its views.
        CatalogChange::Keyspace(keyspace) if before.ty.is_some() => {
            let name = before.ty.as_ref().map(|ty| ty.name.clone()).unwrap_or_default();
            let after = keyspace.types.get(&name).cloned();
            ObjectChange::Type { before: before.ty, after }
        }
        CatalogChange::Keyspace(keyspace) if before.table.is_some() => {
            let name = before.table.as_ref().map(|table| table.name.clone()).unwrap_or_default();
            let after = keyspace.table_or_view(&name).cloned();
            ObjectChange::Table { before: before.table, after }
        }
        CatalogChange::Keyspace(keyspace) => ObjectChange::Keyspace {
            before: before.keyspace,
            after: Some(KeyspaceState::from_keyspace(keyspace).into()),
        },
        CatalogChange::DropKeyspace(_) => {
            ObjectChange::Keyspace { before: before.keyspace, after: None }
        }
        CatalogChange::Table(changed) => {
            let after = table(&changed.keyspace, &changed.name);
            ObjectChange::Table { before: before.table, after }
        }
        CatalogChange::DropTable { .. } => {
            ObjectChange::Table { before: before.table, after: None }
        }
        CatalogChange::View(view) => {
            ObjectChange::View { before: before.view, after: Some(view.clone()) }
        }
        CatalogChange::DropView { .. } => ObjectChange::View { before: before.view, after: None },
        CatalogChange::Type(ty) => {
            ObjectChange::Type { before: before.ty, after: Some(ty.clone()) }
        }
        CatalogChange::DropType { .. } => ObjectChange::Type { before: before.ty, after: None },
        _ => return None,
    })
}

/// The changes that statements of migrations make, and the differences from an earlier schema.
pub(super) fn collect_steps(project: &Project<'_>, before: Option<&Catalog>) -> Vec<MigrationStep> {
    let mut steps = Vec::new();
    let mut created: BTreeMap<(Box<str>, Box<str>), usize> = BTreeMap::new();
    for (at, seen) in project.definitions() {
        let text = project.texts.get(seen.place.text);
        let migrates = text.is_some_and(|text| text.kind == TextKind::Migration);
        let (true, StatementOutcome::Changes(Some(change))) = (migrates, &seen.outcome) else {
            continue;
        };
        let (name, comes) = change.name();
        let is_new = created.get(&name) == Some(&seen.place.text);
        if comes {
            created.insert(name, seen.place.text);
        }
        let (place, change) = (seen.place, change.clone());
        steps.push(MigrationStep { place, statement: Some(at), on_new: is_new, change });
    }
    if let Some(before) = before {
        super::differences::find(project, before, &mut steps);
    }
    steps
}

impl ObjectChange {
    /// The keyspace and name of the object that holds the data (of a view its table), and whether the object comes into being.
    fn name(&self) -> ((Box<str>, Box<str>), bool) {
        let none = || ("".into(), "".into());
        match self {
            Self::Table { before, after } => {
                let table = after.as_ref().or(before.as_ref());
                let name = table.map(|table| (table.keyspace.clone(), table.name.clone()));
                (name.unwrap_or_else(none), before.is_none())
            }
            Self::View { before, after } => {
                let view = after.as_ref().or(before.as_ref());
                let name = view.map(|view| (view.table.keyspace.clone(), view.base_table.clone()));
                (name.unwrap_or_else(none), false)
            }
            Self::Type { before, after } => {
                let ty = after.as_ref().or(before.as_ref());
                // A table may have the name of a type.
                let name = ty.map(|ty| (ty.keyspace.clone(), format!("type {}", ty.name).into()));
                (name.unwrap_or_else(none), before.is_none())
            }
            Self::Keyspace { before, after } => {
                let state = after.as_ref().or(before.as_ref());
                let name = state.map(|state| (state.name.clone(), "".into()));
                (name.unwrap_or_else(none), before.is_none())
            }
        }
    }
}
