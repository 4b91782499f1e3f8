//! Columns, their masks, and dropped columns.

use schema::catalog::{Column, ColumnKind, ColumnMask, Table};

use crate::session::system::builder::{ColumnValue, TableRows};
use crate::session::system::bytes::{bigint, boolean, int, list, text};

/// Adds the columns of a table, including those hidden by COMPACT STORAGE.
pub(super) fn add_columns(table: &Table, rows: &mut TableRows<'_>) {
    for column in table.columns() {
        rows.add(column_row(table, column, column_kind(table, column.kind)));
    }
    for column in &table.hidden {
        rows.add(column_row(table, column, kind_name(column.kind)));
    }
}

/// The row of a column.
pub(in crate::session::system) fn column_row(
    table: &Table,
    column: &Column,
    kind: &str,
) -> [ColumnValue<'static>; 8] {
    let positioned = column.is_primary_key();
    let order = match (column.kind, column.descending) {
        (ColumnKind::Clustering, true) => "desc",
        (ColumnKind::Clustering, false) => "asc",
        _ => "none",
    };
    let position = i32::try_from(column.position).unwrap_or(i32::MAX);
    [
        ("keyspace_name", text(&table.keyspace)),
        ("table_name", text(&table.name)),
        ("column_name", text(&column.name)),
        ("column_name_bytes", text(&column.name)),
        ("kind", text(kind)),
        ("position", int(if positioned { position } else { -1 })),
        ("clustering_order", text(order)),
        ("type", text(&column.ty.to_string())),
    ]
}

/// The kind of a column. A table with COMPACT STORAGE and no clustering columns has static columns.
fn column_kind(table: &Table, kind: ColumnKind) -> &'static str {
    let is_static = kind == ColumnKind::Regular && table.is_static_compact();
    if is_static { "static" } else { kind_name(kind) }
}

/// The name of a kind.
pub(in crate::session::system) fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Partition => "partition_key",
        ColumnKind::Clustering => "clustering",
        ColumnKind::Static => "static",
        ColumnKind::Regular => "regular",
    }
}

/// Adds the masks of columns.
pub(super) fn add_masks(table: &Table, rows: &mut TableRows<'_>) {
    for column in table.columns() {
        if let Some(mask) = &column.mask {
            rows.add(mask_row(table, column, mask));
        }
    }
}

fn mask_row(table: &Table, column: &Column, mask: &ColumnMask) -> [ColumnValue<'static>; 8] {
    let types = mask.arguments.iter().map(|(ty, _)| ty.to_string());
    let values = mask.arguments.iter().map(|(ty, value)| match value {
        None => String::new(),
        Some(value) => unquote(cql::value::literal(ty, Some(value)).unwrap_or_default()),
    });
    let nulls = mask.arguments.iter().map(|(_, value)| boolean(value.is_none()));
    [
        ("keyspace_name", text(&table.keyspace)),
        ("table_name", text(&table.name)),
        ("column_name", text(&column.name)),
        ("function_keyspace", text(&mask.keyspace)),
        ("function_name", text(&mask.function)),
        ("function_argument_types", list(types)),
        ("function_argument_values", list(values)),
        ("function_argument_nulls", list(nulls)),
    ]
}

/// The text of a string literal without its quotes; other literals unchanged.
fn unquote(literal: String) -> String {
    match literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inside) => inside.replace("''", "'"),
        None => literal,
    }
}

/// Adds the dropped columns.
pub(super) fn add_dropped_columns(table: &Table, rows: &mut TableRows<'_>) {
    for dropped in &table.dropped {
        let column = &dropped.column;
        rows.add([
            ("keyspace_name", text(&table.keyspace)),
            ("table_name", text(&table.name)),
            ("column_name", text(&column.name)),
            ("dropped_time", bigint(dropped.dropped_at.unwrap_or(0).div_euclid(1000))),
            ("kind", text(column_kind(table, column.kind))),
            ("type", text(&column.ty.to_string())),
        ]);
    }
}
