//! The tables whose rows are computed: some of `system`, all of `system_schema`, `system_views` and
//! `system_virtual_schema`.

mod builder;
pub(super) mod bytes;
mod local;
mod schema_tables;
mod server_tables;
mod status_tables;
#[cfg(test)]
mod tests;
mod views;
mod virtual_schema;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) use builder::TableRows;
pub(crate) use bytes::inet;
pub(crate) use local::{STORAGE_PORT, ring_owners};
pub(crate) use schema_tables::where_clause;

use ::schema::catalog::TEST_KEYSPACE;

use super::test_tables;
use crate::execute::Execution;
use crate::node::handle::TableHandle;

/// The bytes of a map of texts.
pub(crate) fn encode_text_map(entries: &BTreeMap<String, String>) -> Vec<u8> {
    bytes::map(entries)
}

/// The current rows of a computed table.
pub(crate) fn compute_rows(
    execution: &Execution<'_>,
    table: &TableHandle,
) -> Arc<storage::Memtable> {
    let definition = &table.definition;
    let schema = &execution.schema;
    match &*definition.keyspace {
        "system_schema" => schema.cache_rows(&table.id, || {
            let mut rows = TableRows::new(table, execution.node.started_at);
            schema_tables::add_rows(schema, &definition.name, &mut rows);
            rows.finish()
        }),
        "system_virtual_schema" => schema.cache_rows(&table.id, || {
            let mut rows = TableRows::new(table, execution.node.started_at);
            virtual_schema::add_rows(schema, &definition.name, &mut rows);
            rows.finish()
        }),
        _ => {
            let mut rows = TableRows::new(table, execution.node.started_at);
            add_rows(execution, &definition.keyspace, &definition.name, &mut rows);
            rows.finish().into()
        }
    }
}

fn add_rows(execution: &Execution<'_>, keyspace: &str, table: &str, rows: &mut TableRows<'_>) {
    match (keyspace, table) {
        ("system", "local") => local::add_local(execution, rows),
        ("system", "IndexInfo") => status_tables::add_index_info(execution, rows),
        ("system", "built_views") => status_tables::add_built_views(execution, rows),
        ("system", "size_estimates") => status_tables::add_estimates(execution, &["primary"], rows),
        ("system", "table_estimates") => {
            status_tables::add_estimates(execution, &["primary", "local_primary"], rows);
        }
        ("system", "prepared_statements") => {
            server_tables::add_prepared_statements(execution, rows);
        }
        ("system_views", "queries") => server_tables::add_queries(execution, rows),
        ("system_views", "clients") => server_tables::add_clients(execution, rows),
        ("system_distributed", _) => status_tables::add_view_build_status(execution, rows),
        ("system_views", _) => views::add_rows(execution, table, rows),
        (TEST_KEYSPACE, _) => test_tables::add_rows(execution.node, table, rows),
        _ => {}
    }
}
