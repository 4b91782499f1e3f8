//! The tables of `ScyllaDB` about large data, which Cassandra does not have.

use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::snapshot::{EventDetails, EventKind, LargestPartition, LogEvent, Node, TableName};

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system.large_partitions",
        cql: "SELECT * FROM system.large_partitions LIMIT 1000",
        is_per_node: true,
        read: RowReader::Node(read_large_partitions),
    },
    SystemQuery {
        table: "system.large_rows",
        cql: "SELECT * FROM system.large_rows LIMIT 1000",
        is_per_node: true,
        read: RowReader::Node(|rows, node| {
            read_large_values(rows, node, EventKind::LargeRow, "row_size");
        }),
    },
    SystemQuery {
        table: "system.large_cells",
        cql: "SELECT * FROM system.large_cells LIMIT 1000",
        is_per_node: true,
        read: RowReader::Node(|rows, node| {
            read_large_values(rows, node, EventKind::LargeCell, "cell_size");
        }),
    },
];

fn table_name(row: SystemRow<'_>) -> Option<TableName> {
    Some(TableName::new(&row.text("keyspace_name")?, &row.text("table_name")?))
}

fn read_large_partitions(rows: &SystemRows, node: &mut Node) {
    for row in rows.iter() {
        let (Some(name), Some(value)) = (table_name(row), row.count("partition_size")) else {
            continue;
        };
        let key = row.text("partition_key").unwrap_or_default();
        let table = node.tables.entry(name).or_default();
        table.largest_partitions.push(LargestPartition { key, value });
    }
}

fn read_large_values(rows: &SystemRows, node: &mut Node, kind: EventKind, size: &str) {
    for row in rows.iter() {
        let details = EventDetails {
            value: row.number(size),
            times: 1,
            key: row.text("partition_key"),
            ..EventDetails::default()
        };
        let at_ms = row.integer("compaction_time");
        node.log.add(&LogEvent { kind, at_ms, table: table_name(row), details });
    }
}
