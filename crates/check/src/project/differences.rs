//! What is different from an earlier schema.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cql::{Span, StatementKind};
use schema::Catalog;
use schema::catalog::{Keyspace, NameMap, Table, View};

use super::{KeyspaceState, MigrationStep, ObjectChange, Project};
use crate::Location;

/// Adds a step for every keyspace, table, view and type that is not what it was.
pub(super) fn find(project: &Project<'_>, earlier: &Catalog, steps: &mut Vec<MigrationStep>) {
    let mut differences =
        SchemaDiff { project, created: creation_locations(project), steps, keyspace: None };
    let own = |catalog: &Catalog| -> Vec<Box<str>> {
        let own = catalog.keyspaces.values().filter(|known| !known.system);
        own.map(|known| known.name.clone()).collect()
    };
    let names: BTreeSet<Box<str>> = own(earlier).into_iter().chain(own(&project.catalog)).collect();
    for name in names {
        differences.compare_keyspace(
            &name,
            earlier.keyspace(&name),
            project.catalog.keyspace(&name),
        );
    }
}

/// The names in the statements that create types and keyspaces.
fn creation_locations(project: &Project<'_>) -> BTreeMap<(Box<str>, Box<str>), Location> {
    let mut created = BTreeMap::new();
    for (_, seen) in project.definitions() {
        let place = |span: Span| Location { text: seen.place.text, span };
        match project.syntax(seen).map(|statement| &statement.kind) {
            Some(StatementKind::CreateKeyspace(create)) => {
                created.insert((create.name.text.clone(), "".into()), place(create.name.span));
            }
            Some(StatementKind::CreateType(create)) => {
                let keyspace = create.name.keyspace.as_ref().map(|name| &*name.text);
                let keyspace = keyspace.or(seen.keyspace.as_deref()).unwrap_or_default();
                let name = (keyspace.into(), create.name.name.text.clone());
                created.insert(name, place(create.name.name.span));
            }
            _ => {}
        }
    }
    created
}

struct SchemaDiff<'d> {
    project: &'d Project<'d>,
    created: BTreeMap<(Box<str>, Box<str>), Location>,
    steps: &'d mut Vec<MigrationStep>,
    keyspace: Option<Location>,
}

impl SchemaDiff<'_> {
    fn compare_keyspace(
        &mut self,
        name: &str,
        then: Option<&Arc<Keyspace>>,
        now: Option<&Arc<Keyspace>>,
    ) {
        self.keyspace = self.created.get(&(name.into(), "".into())).copied();
        let [before, after] =
            [then, now].map(|known| known.map(|known| KeyspaceState::from_keyspace(known).into()));
        if before != after {
            self.push(None, ObjectChange::Keyspace { before, after });
        }
        let of = |known: Option<&Arc<Keyspace>>| {
            known.map(|known| known.types.clone()).unwrap_or_default()
        };
        for (before, after) in diff_objects(&of(then), &of(now), |one, other| one == other) {
            let created = (name.into(), after.as_ref().map_or("".into(), |ty| ty.name.clone()));
            let place = self.created.get(&created).copied();
            self.push(place, ObjectChange::Type { before, after });
        }
        let of = |known: Option<&Arc<Keyspace>>| {
            known.map(|known| known.tables.clone()).unwrap_or_default()
        };
        for (before, after) in diff_objects(&of(then), &of(now), is_same_table) {
            let place = after.as_deref().and_then(|table| self.table_location(table));
            self.push(place, ObjectChange::Table { before, after });
        }
        let of = |known: Option<&Arc<Keyspace>>| {
            known.map(|known| known.views.clone()).unwrap_or_default()
        };
        for (before, after) in diff_objects(&of(then), &of(now), is_same_view) {
            let place = after.as_deref().and_then(|view| self.table_location(&view.table));
            self.push(place, ObjectChange::View { before, after });
        }
    }

    fn table_location(&self, table: &Table) -> Option<Location> {
        self.project.facts(table).map(|facts| facts.place)
    }

    /// What is gone is told where its keyspace is created, or at the start of the texts.
    fn push(&mut self, place: Option<Location>, change: ObjectChange) {
        let start = Location { text: 0, span: Span::new(0, 0) };
        let place = place.or(self.keyspace).unwrap_or(start);
        self.steps.push(MigrationStep { place, statement: None, on_new: false, change });
    }
}

/// An object before and after.
type ObjectPair<T> = (Option<Arc<T>>, Option<Arc<T>>);

/// The objects that are not the same in both.
fn diff_objects<T>(
    then: &NameMap<Arc<T>>,
    now: &NameMap<Arc<T>>,
    same: fn(&T, &T) -> bool,
) -> Vec<ObjectPair<T>> {
    let names: BTreeSet<&str> = then.keys().chain(now.keys()).collect();
    let both = names.into_iter().map(|name| (then.get(name).cloned(), now.get(name).cloned()));
    both.filter(|pair| match pair {
        (Some(before), Some(after)) => !same(before, after),
        _ => true,
    })
    .collect()
}

fn is_same_table(one: &Table, other: &Table) -> bool {
    one.columns() == other.columns() && one.indexes == other.indexes && one.params == other.params
}

/// The conditions of two views are not compared: they hold the places where they are written.
fn is_same_view(one: &View, other: &View) -> bool {
    one.base_table == other.base_table && is_same_table(&one.table, &other.table)
}
