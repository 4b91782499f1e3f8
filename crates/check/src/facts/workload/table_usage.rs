//! Which statements of an application use which tables.

use std::collections::BTreeMap;

use schema::catalog::Table;

use crate::Project;
use crate::project::{ReplayedStatement, TextKind};

/// Whether a statement is one that is sent, and not a step of a migration: what that wrote is history.
pub(crate) fn is_runtime_statement(project: &Project<'_>, seen: &ReplayedStatement) -> bool {
    let text = project.texts.get(seen.place.text);
    text.is_some_and(|text| text.kind != TextKind::Migration)
}

/// The statements that read or write tables, by keyspace and table: tables that are gone included, steps of migrations left out.
#[derive(Debug)]
pub(crate) struct TableUsage<'p> {
    by_table: BTreeMap<(Box<str>, Box<str>), Vec<&'p ReplayedStatement>>,
}

impl<'p> TableUsage<'p> {
    /// The uses of all tables; of none where nothing is changed.
    pub(crate) fn new(project: &'p Project<'_>) -> Self {
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
    pub(crate) fn statements(&self, table: &Table) -> &[&'p ReplayedStatement] {
        let name = (table.keyspace.clone(), table.name.clone());
        self.by_table.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The first statement that an index of a table answers.
    pub(crate) fn first_index_read(
        &self,
        table: &Table,
        index: &str,
    ) -> Option<&'p ReplayedStatement> {
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
pub(crate) fn is_column_used(seen: &ReplayedStatement, table: &Table, name: &str) -> bool {
    let names_it = |own: &Table, columns: &[usize]| {
        own.name == table.name
            && own.keyspace == table.keyspace
            && own.column_index(name).is_some_and(|at| columns.contains(&at))
    };
    seen.read().is_some_and(|read| names_it(&read.table, &read.columns))
        || seen.writes().any(|write| names_it(&write.table, &write.columns))
}
