//! Pieces of CQL and of sentences that several remedies need.

use schema::catalog::{Column, Table};

/// The names of columns, with commas.
pub(crate) fn column_names(columns: &[Column]) -> String {
    columns.iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ")
}

/// The name, or one like it that no column has.
pub(super) fn free_name(table: &Table, name: &str) -> Box<str> {
    let mut free: Box<str> = name.into();
    while table.column(&free).is_some() {
        free = format!("key_{free}").into();
    }
    free
}

/// A map in CQL.
pub(crate) fn render_map(entries: &[(&str, &str)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(name, value)| format!("'{name}': '{value}'")).collect();
    format!("{{{}}}", entries.join(", "))
}
