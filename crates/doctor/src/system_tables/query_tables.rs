//! Statements that ran: prepared, or running now; and repairs.

use std::collections::BTreeSet;

use super::rows::SystemRows;
use super::{RowReader, SystemQuery};
use crate::Snapshot;
use crate::snapshot::{ObservedStatement, StatementOrigin, TableName};
use crate::source::shape_statement;

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system.prepared_statements",
        cql: "SELECT logged_keyspace, query_string FROM system.prepared_statements LIMIT 5000",
        is_per_node: true,
        read: RowReader::Cluster(read_prepared_statements),
    },
    SystemQuery {
        table: "system_views.queries",
        cql: "SELECT running_micros, task FROM system_views.queries LIMIT 1000",
        is_per_node: true,
        read: RowReader::Cluster(read_running_queries),
    },
    SystemQuery {
        table: "system_distributed.repair_history",
        cql: "SELECT keyspace_name, columnfamily_name, status, finished_at FROM system_distributed.repair_history LIMIT 10000",
        is_per_node: false,
        read: RowReader::Cluster(read_repair_history),
    },
];

/// The statement of a task such as `QUERY SELECT ...`.
const TASK_PREFIXES: [&str; 3] = ["QUERY ", "EXECUTE ", "BATCH "];

fn observe(snapshot: &mut Snapshot, keyspace: &str, text: &str, mut seen: ObservedStatement) {
    let shaped = shape_statement(keyspace, text);
    seen.max_in_values = seen.max_in_values.max(shaped.in_values);
    snapshot.observe(shaped.shape, seen);
}

fn read_prepared_statements(rows: &SystemRows, _: &str, snapshot: &mut Snapshot) {
    for row in rows.iter() {
        let Some(text) = row.text("query_string") else { continue };
        let keyspace = row.text("logged_keyspace").unwrap_or_default();
        let seen = ObservedStatement {
            origins: BTreeSet::from([StatementOrigin::PreparedStatements]),
            ..ObservedStatement::default()
        };
        observe(snapshot, &keyspace, &text, seen);
    }
}

fn read_running_queries(rows: &SystemRows, _: &str, snapshot: &mut Snapshot) {
    for row in rows.iter() {
        let Some(task) = row.text("task") else { continue };
        let Some(text) = TASK_PREFIXES.iter().find_map(|prefix| task.strip_prefix(prefix)) else {
            continue;
        };
        let ms = row.number("running_micros").map(|micros| micros / 1_000.0);
        let seen = ObservedStatement {
            origins: BTreeSet::from([StatementOrigin::RunningQueries]),
            count: 1,
            max_ms: ms,
            total_ms: ms.unwrap_or(0.0),
            timed: u64::from(ms.is_some()),
            ..ObservedStatement::default()
        };
        observe(snapshot, "", text, seen);
    }
}

/// The end of the last successful repair of each table.
fn read_repair_history(rows: &SystemRows, node: &str, snapshot: &mut Snapshot) {
    let known = snapshot.nodes.entry(node.to_owned()).or_default();
    for row in rows.iter().filter(|row| row.text("status").as_deref() == Some("SUCCESS")) {
        let name = row.text("keyspace_name").zip(row.text("columnfamily_name"));
        let Some(((keyspace, table), at)) = name.zip(row.integer("finished_at")) else { continue };
        let repaired = known.repaired_at_ms.entry(TableName::new(&keyspace, &table)).or_insert(at);
        *repaired = (*repaired).max(at);
    }
}
