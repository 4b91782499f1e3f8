//! The rows of computed tables as text.

use std::collections::BTreeMap;

use storage::{RingRange, Slice, SliceFilter};

use crate::Database;
use crate::Options;
use crate::Session;
use crate::execute::Execution;
use crate::request::Parameters;

fn session(statements: &[&str]) -> Session {
    let mut session = Database::open_in_memory(Options::default()).unwrap().session();
    for statement in statements {
        session.query(statement, &Parameters::default()).unwrap();
    }
    session
}

/// Every row of a table, as literals by column name; multi-cell collections are omitted.
fn rows(session: &Session, keyspace: &str, table: &str) -> Vec<BTreeMap<String, String>> {
    let parameters = Parameters::default();
    let schema = session.node.schema();
    let handle = schema.table(keyspace, table).unwrap().clone();
    let execution = Execution::new(&session.node, schema, &parameters, None);
    let rows = super::compute_rows(&execution, &handle);
    let slices = [Slice::all()];
    let slice_filter =
        SliceFilter { slices: &slices, reversed: false, after: None, max_rows: usize::MAX };
    let mut found = Vec::new();
    for (key, read) in rows.scan(&RingRange::ALL, slice_filter, usize::MAX) {
        for row in &read.rows {
            let partition = handle.partition_values(&key).into_iter().map(Some);
            let keys = partition.chain(row.clustering());
            let mut values = BTreeMap::new();
            for (column, value) in handle.definition.columns().iter().zip(keys) {
                let text = cql::value::literal(&column.ty, value).unwrap();
                values.insert(column.name.to_string(), text);
            }
            for cell in row.cells().filter(|cell| cell.path.is_none()) {
                let at = handle.column_ids.iter().position(|id| *id == Some(cell.column));
                let column = &handle.definition.columns()[at.unwrap()];
                let text = cql::value::literal(&column.ty, Some(cell.value)).unwrap();
                values.insert(column.name.to_string(), text);
            }
            found.push(values);
        }
    }
    found
}

fn column<'a>(rows: &'a [BTreeMap<String, String>], name: &str) -> Vec<&'a str> {
    rows.iter().map(|row| row.get(name).map_or("-", |text| text)).collect()
}

#[test]
fn a_node_tells_of_itself() {
    let local = rows(&session(&[]), "system", "local");
    assert_eq!(column(&local, "release_version"), ["'5.0.8'"]);
    assert_eq!(column(&local, "rpc_address"), ["'127.0.0.1'"]);
}

#[test]
fn keyspaces_are_in_the_order_of_the_ring() {
    let rows = rows(&session(&[]), "system_schema", "keyspaces");
    assert_eq!(
        column(&rows, "keyspace_name"),
        ["'system_auth'", "'system_schema'", "'system_distributed'", "'system'", "'system_traces'"]
    );
    assert_eq!(
        column(&rows, "replication")[0],
        "{'class': 'org.apache.cassandra.locator.SimpleStrategy', 'replication_factor': '1'}"
    );
}

#[test]
fn tables_without_a_ring_are_in_the_order_of_their_keys() {
    let rows = rows(&session(&[]), "system_virtual_schema", "keyspaces");
    assert_eq!(column(&rows, "keyspace_name"), ["'system_views'", "'system_virtual_schema'"]);
}

#[test]
fn columns_are_listed_by_name() {
    let session = session(&[
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE k.t (a int, b text, c int, s int STATIC, v frozen<list<int>>, PRIMARY KEY ((a, b), c)) \
         WITH CLUSTERING ORDER BY (c DESC)",
    ]);
    let all = rows(&session, "system_schema", "columns");
    let own: Vec<_> = all.into_iter().filter(|row| row["keyspace_name"] == "'k'").collect();
    assert_eq!(column(&own, "column_name"), ["'a'", "'b'", "'c'", "'s'", "'v'"]);
    assert_eq!(
        column(&own, "kind"),
        ["'partition_key'", "'partition_key'", "'clustering'", "'static'", "'regular'"]
    );
    assert_eq!(column(&own, "position"), ["0", "1", "0", "-1", "-1"]);
    assert_eq!(
        column(&own, "clustering_order"),
        ["'none'", "'none'", "'desc'", "'none'", "'none'"]
    );
    assert_eq!(column(&own, "type")[4], "'frozen<list<int>>'");
}
