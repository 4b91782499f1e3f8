//! Materialized views and their base tables.

use schema::catalog::{Column, Table};

use crate::{Project, TableFacts};

/// The base table of a view, if a text creates it.
pub(crate) fn base_table<'p>(
    project: &'p Project<'_>,
    facts: &TableFacts,
) -> Option<&'p TableFacts> {
    let view = facts.view.as_ref()?;
    project.table(&facts.table.keyspace, &view.base_table)
}

/// The column of a view's key that is none of its base table's.
pub(crate) fn extra_key_column<'t>(view: &'t Table, base: &Table) -> Option<&'t Column> {
    let is_own =
        |column: &&Column| !base.primary_key().iter().any(|known| known.name == column.name);
    view.primary_key().iter().find(is_own)
}
