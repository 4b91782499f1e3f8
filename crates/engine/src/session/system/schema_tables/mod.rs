//! `system_schema`: the schema as rows, of user keyspaces and of system keyspaces that are not
//! computed.

mod columns;
mod functions;
mod tables;
mod where_clause;

use std::collections::BTreeMap;

use schema::catalog::Keyspace;

pub(super) use columns::{column_row, kind_name};
pub(crate) use where_clause::where_clause;

use super::builder::{ColumnValue, TableRows};
use super::bytes::{boolean, list, map, text};
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;

/// Adds the rows of one table of `system_schema`.
pub(super) fn add_rows(schema: &Schema, table: &str, rows: &mut TableRows<'_>) {
    let keyspaces = schema.catalog.keyspaces.values().filter(|keyspace| !keyspace.is_virtual);
    for keyspace in keyspaces {
        match table {
            "keyspaces" => rows.add(keyspace_row(keyspace)),
            "types" => add_types(keyspace, rows),
            "functions" => functions::add_functions(keyspace, rows),
            "aggregates" => functions::add_aggregates(keyspace, rows),
            _ => add_table_rows(schema, keyspace, table, rows),
        }
    }
}

/// Adds the rows for tables and views.
fn add_table_rows(schema: &Schema, keyspace: &Keyspace, table: &str, rows: &mut TableRows<'_>) {
    let handle = |name: &str| schema.table(&keyspace.name, name);
    for handle in keyspace.tables.keys().filter_map(&handle) {
        match table {
            "tables" => rows.add(tables::table_row(handle)),
            "triggers" => tables::add_triggers(handle, rows),
            "indexes" => tables::add_indexes(handle, rows),
            _ => add_column_rows(handle, table, rows),
        }
    }
    for (name, view) in &keyspace.views {
        let Some(own) = handle(name) else { continue };
        match table {
            "views" => {
                if let Some(base) = handle(&view.base_table) {
                    rows.add(tables::view_row(own, view, base));
                }
            }
            _ => add_column_rows(own, table, rows),
        }
    }
}

fn add_column_rows(handle: &TableHandle, table: &str, rows: &mut TableRows<'_>) {
    match table {
        "columns" => columns::add_columns(&handle.definition, rows),
        "column_masks" => columns::add_masks(&handle.definition, rows),
        "dropped_columns" => columns::add_dropped_columns(&handle.definition, rows),
        _ => {}
    }
}

fn keyspace_row(keyspace: &Keyspace) -> [ColumnValue<'static>; 3] {
    let mut replication = keyspace.replication.options.clone();
    replication.insert("class".into(), keyspace.replication.class.clone());
    [
        ("keyspace_name", text(&keyspace.name)),
        ("durable_writes", boolean(keyspace.durable_writes)),
        ("replication", encode_text_map(&replication)),
    ]
}

fn add_types(keyspace: &Keyspace, rows: &mut TableRows<'_>) {
    for user in keyspace.types.values() {
        let names = user.fields.iter().map(|(name, _)| name.as_bytes());
        let types = user.fields.iter().map(|(_, ty)| ty.to_string());
        rows.add([
            ("keyspace_name", text(&keyspace.name)),
            ("type_name", text(&user.name)),
            ("field_names", list(names)),
            ("field_types", list(types)),
        ]);
    }
}

/// A map of texts.
fn encode_text_map(entries: &BTreeMap<Box<str>, Box<str>>) -> Vec<u8> {
    map(entries.iter().map(|(key, value)| (key.as_bytes(), value.as_bytes())))
}
