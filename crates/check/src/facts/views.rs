//! Materialized views and their base tables.

use schema::catalog::{Column, Table};

use crate::{Project, TableFacts};

/// The base table of a view, if a text creates it.
pub fn base_table<'p>(project: &'p Project<'_>, facts: &TableFacts) -> Option<&'p TableFacts> {
    let view = facts.view.as_ref()?;
    project.table(&facts.table.keyspace, &view.base_table)
}

/// The column of a view's key that is none of its base table's.
pub fn extra_key_column<'t>(view: &'t Table, base: &Table) -> Option<&'t Column> {
    let is_own =
        |column: &&Column| !base.primary_key().iter().any(|known| known.name == column.name);
    view.primary_key().iter().find(is_own)
}

/// What a view holds as a table of its own, of this name, which the application writes.
pub fn view_table(view: &Table, table: &str) -> String {
    let name = |column: &Column| cql::printer::identifier(&column.name);
    let columns = view.columns().iter().map(|column| format!("{} {}", name(column), column.ty));
    let list = |columns: &[Column]| columns.iter().map(name).collect::<Vec<_>>().join(", ");
    let mut key = format!("({})", list(view.partition_key()));
    if !view.clustering().is_empty() {
        key = format!("{key}, {}", list(view.clustering()));
    }
    let columns = columns.collect::<Vec<_>>().join(", ");
    let mut text = format!("CREATE TABLE {table} ({columns}, PRIMARY KEY ({key}))");
    if view.clustering().iter().any(|column| column.descending) {
        let order = view.clustering().iter().map(|column| {
            format!("{} {}", name(column), if column.descending { "DESC" } else { "ASC" })
        });
        let order = order.collect::<Vec<_>>().join(", ");
        text = format!("{text} WITH CLUSTERING ORDER BY ({order})");
    }
    text
}
