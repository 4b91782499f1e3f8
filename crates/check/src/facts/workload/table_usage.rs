//! Which statements of an application use which tables.

use std::collections::BTreeMap;

use schema::catalog::Table;

use crate::Project;
use crate::project::{ReplayedStatement, TextKind};

/// Whether the application sends a statement; steps of migrations have already run.
pub(crate) fn is_runtime_statement(project: &Project<'_>, statement: &ReplayedStatement) -> bool {
    let text = project.texts.get(statement.place.text);
    text.is_some_and(|text| text.kind != TextKind::Migration)
}

/// The statements of the application that read or write tables, by keyspace and table; dropped
/// tables are included.
#[derive(Debug)]
pub(crate) struct TableUsage<'p> {
    by_table: BTreeMap<(Box<str>, Box<str>), Vec<&'p ReplayedStatement>>,
}

impl<'p> TableUsage<'p> {
    /// The usage of all tables; empty if no step changes the schema, since nothing asks for it then.
    pub(crate) fn new(project: &'p Project<'_>) -> Self {
        let mut by_table: BTreeMap<(Box<str>, Box<str>), Vec<&ReplayedStatement>> = BTreeMap::new();
        let statements = if project.steps.is_empty() { &[] } else { &*project.statements };
        for statement in
            statements.iter().filter(|statement| is_runtime_statement(project, statement))
        {
            let read = statement.read().map(|read| &read.table);
            let tables = read.into_iter().chain(statement.writes().map(|write| &write.table));
            for table in tables {
                let name = (table.keyspace.clone(), table.name.clone());
                by_table.entry(name).or_default().push(statement);
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
        let is_answered = |statement: &&&ReplayedStatement| {
            statement.read().is_some_and(|read| {
                let used = read.index.iter().flat_map(|used| &used.indexes);
                used.filter_map(|at| read.table.indexes.get(*at)).any(|known| &*known.name == index)
            })
        };
        self.statements(table).iter().find(is_answered).copied()
    }
}

/// Whether a statement reads or writes a column.
pub(crate) fn is_column_used(statement: &ReplayedStatement, table: &Table, name: &str) -> bool {
    let has_column = |used: &Table, columns: &[usize]| {
        used.name == table.name
            && used.keyspace == table.keyspace
            && used.column_index(name).is_some_and(|at| columns.contains(&at))
    };
    statement.read().is_some_and(|read| has_column(&read.table, &read.columns))
        || statement.writes().any(|write| has_column(&write.table, &write.columns))
}
