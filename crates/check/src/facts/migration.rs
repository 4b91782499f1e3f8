//! What migrations change, and whom that concerns.

use std::collections::BTreeMap;

use schema::catalog::{Column, Table};

use super::is_test_schema;
use crate::project::{MigrationStep, ObjectChange, ReplayedStatement, TextKind};
use crate::{Limit, Project};

/// Below this, building an index or rewriting a table is nothing to plan for.
pub const FEW_ROWS: Limit = Limit {
    name: "migration-few-rows",
    default: 100_000.0,
    what: "rows of a table that is built or rewritten without a plan",
};

/// The table before and after, where a step alters one.
pub fn table_alteration(step: &MigrationStep) -> Option<(&Table, &Table)> {
    match &step.change {
        ObjectChange::Table { before: Some(before), after: Some(after) } => Some((before, after)),
        _ => None,
    }
}

/// Whether what a step changes may hold data that matters: the same text does not create it, and nothing says that it is for tests.
pub fn can_hold_data(project: &Project<'_>, step: &MigrationStep, keyspace: &str) -> bool {
    !step.on_new && !is_test_schema(project, step.place, keyspace)
}

/// The rows of a table, where they are declared.
pub fn table_rows(project: &Project<'_>, keyspace: &str, table: &str) -> Option<f64> {
    project.table(keyspace, table)?.volume.rows
}

/// The columns of the key that have another name now, each with the column that it is now: ALTER TABLE RENAME does that.
pub fn key_renames<'t>(before: &'t Table, after: &'t Table) -> Vec<(&'t Column, &'t Column)> {
    let parts = [
        (before.partition_key(), after.partition_key()),
        (before.clustering(), after.clustering()),
    ];
    let pairs = parts.into_iter().filter(|(then, now)| then.len() == now.len());
    pairs
        .flat_map(|(then, now)| then.iter().zip(now))
        .filter(|(then, now)| {
            then.ty == now.ty
                && before.column(&now.name).is_none()
                && after.column(&then.name).is_none()
        })
        .collect()
}

/// The one column outside the key that is gone while another of the same type came: another name, most likely.
pub fn column_rename<'t>(before: &'t Table, after: &'t Table) -> Option<(&'t Column, &'t Column)> {
    let gone = |from: &'t Table, to: &'t Table| -> Vec<&'t Column> {
        let values = from.columns().iter().filter(|column| !column.is_primary_key());
        values.filter(|column| to.column(&column.name).is_none()).collect()
    };
    let (then, now) = (gone(before, after), gone(after, before));
    let ([then], [now]) = (&*then, &*now) else { return None };
    (then.ty == now.ty && then.kind == now.kind).then_some((*then, *now))
}

/// Whether a statement is one that is sent, and not a step of a migration: what that wrote is history.
pub fn is_runtime_statement(project: &Project<'_>, seen: &ReplayedStatement) -> bool {
    let text = project.texts.get(seen.place.text);
    text.is_some_and(|text| text.kind != TextKind::Migration)
}

/// The statements that read or write tables, by keyspace and table: tables that are gone included, steps of migrations left out.
#[derive(Debug)]
pub struct TableUsage<'p> {
    by_table: BTreeMap<(Box<str>, Box<str>), Vec<&'p ReplayedStatement>>,
}

impl<'p> TableUsage<'p> {
    /// The uses of all tables; of none where nothing is changed.
    pub fn new(project: &'p Project<'_>) -> Self {
        let mut by_table: BTreeMap<(Box<str>, Box<str>), Vec<&ReplayedStatement>> = BTreeMap::new();
        let statements = if project.steps.is_empty() { &[] } else { &*project.statements };
        for seen in statements.iter().filter(|seen| is_runtime_statement(project, seen)) {
            let read = seen.read().map(|read| &read.table);
            let tables = read.into_iter().chain(seen.writes().map(|write| &write.table));
            for table in tables {
                let name = (table.keyspace.clone(), table.name.clone());
                by_table.entry(name).or_default().push(seen);
            }
        }
        Self { by_table }
    }

    /// The statements that use a table or view.
    pub fn statements(&self, table: &Table) -> &[&'p ReplayedStatement] {
        let name = (table.keyspace.clone(), table.name.clone());
        self.by_table.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The first statement that an index of a table answers.
    pub fn first_index_read(&self, table: &Table, index: &str) -> Option<&'p ReplayedStatement> {
        let answers = |seen: &&&ReplayedStatement| {
            seen.read().is_some_and(|read| {
                let used = read.index.iter().flat_map(|used| &used.indexes);
                used.filter_map(|at| read.table.indexes.get(*at)).any(|one| &*one.name == index)
            })
        };
        self.statements(table).iter().find(answers).copied()
    }
}

/// Whether a statement reads or writes a column.
pub fn is_column_used(seen: &ReplayedStatement, table: &Table, name: &str) -> bool {
    let names_it = |own: &Table, columns: &[usize]| {
        own.name == table.name
            && own.keyspace == table.keyspace
            && own.column_index(name).is_some_and(|at| columns.contains(&at))
    };
    seen.read().is_some_and(|read| names_it(&read.table, &read.columns))
        || seen.writes().any(|write| names_it(&write.table, &write.columns))
}
