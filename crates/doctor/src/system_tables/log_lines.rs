//! The log of a node as a table, which 5.0 has if its `logback.xml` says so. The rows become lines,
//! and are read as those of a file.

use std::fmt::Write;

use cql::types::{NativeType, Type};

use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::Snapshot;

pub(super) const QUERIES: &[SystemQuery] = &[SystemQuery {
    table: "system_views.system_logs",
    cql: "SELECT timestamp, level, message FROM system_views.system_logs LIMIT 10000",
    is_per_node: true,
    read: RowReader::Log(write_lines),
}];

fn write_lines(rows: &SystemRows) -> String {
    let mut text = String::new();
    for row in rows.iter() {
        let (Some(at), Some(message)) = (format_time(row), row.text("message")) else { continue };
        let level = row.text("level").unwrap_or_default();
        // A message of several lines is one row.
        let message = message.replace('\n', " ");
        let _ = writeln!(text, "{level:<5} [main] {at} Log.java:1 - {message}");
    }
    text
}

/// `2026-11-18 11:26:04,479`
fn format_time(row: SystemRow<'_>) -> Option<String> {
    let at = row.integer("timestamp")?;
    let ty = Type::Native(NativeType::Timestamp);
    let literal = cql::value::literal(&ty, Some(&at.to_be_bytes())).ok()?;
    let literal = literal.trim_matches('\'').replace('.', ",");
    literal.get(..23).map(str::to_owned)
}

/// Adds what the lines said.
pub(super) fn merge(logs: Snapshot, snapshot: &mut Snapshot) {
    for (name, node) in logs.nodes {
        snapshot.nodes.entry(name).or_default().log = node.log;
    }
    for (shape, statement) in logs.statements {
        snapshot.observe(shape, statement);
    }
}
