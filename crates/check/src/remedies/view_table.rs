//! A materialized view as a table of its own.

use schema::catalog::{Column, Table};

/// What a view holds as a table of its own, of this name, which the application writes.
pub(crate) fn view_table(view: &Table, table: &str) -> String {
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
