//! `system_virtual_schema`: the schema of the computed keyspaces.

use super::builder::TableRows;
use super::bytes::text;
use super::schema_tables::{column_row, kind_name};
use crate::node::schema::Schema;

/// Adds the rows of one of its tables.
pub(super) fn add_rows(schema: &Schema, table: &str, rows: &mut TableRows<'_>) {
    for keyspace in schema.catalog.keyspaces.values().filter(|keyspace| keyspace.is_virtual) {
        if table == "keyspaces" {
            rows.add([("keyspace_name", text(&keyspace.name))]);
        }
        for own in keyspace.tables.values() {
            match table {
                "tables" => rows.add([
                    ("keyspace_name", text(&keyspace.name)),
                    ("table_name", text(&own.name)),
                    ("comment", text(&own.params.comment)),
                ]),
                "columns" => {
                    for column in own.columns() {
                        rows.add(column_row(own, column, kind_name(column.kind)));
                    }
                }
                _ => {}
            }
        }
    }
}
