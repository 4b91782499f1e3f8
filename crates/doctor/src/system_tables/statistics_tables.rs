//! The figures of tables that nodes measure: sizes, latencies, rows and tombstones per read.

use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::snapshot::{Node, Percentiles, RequestLatency, TableMeasurements, TableName};

const MEBIBYTE: u64 = 1024 * 1024;

/// A statement whose rows are figures of a node's tables.
macro_rules! node_query {
    ($table:literal, $read:expr) => {
        SystemQuery {
            table: $table,
            cql: concat!("SELECT * FROM ", $table, " LIMIT 10000"),
            is_per_node: true,
            read: RowReader::Node($read),
        }
    };
}

pub(super) const QUERIES: &[SystemQuery] = &[
    node_query!("system_views.max_partition_size", |rows, node| {
        each_table(rows, node, |row, table| {
            if let Some(bytes) = mebibytes(row) {
                table.partition_bytes.get_or_insert_default().max = Some(bytes as f64);
            }
        });
    }),
    node_query!("system_views.disk_usage", |rows, node| {
        each_table(rows, node, |row, table| {
            table.live_bytes = mebibytes(row);
        });
    }),
    node_query!("system_views.tombstones_per_read", |rows, node| {
        each_table(rows, node, |row, table| table.tombstones_per_read = percentiles(row));
    }),
    node_query!("system_views.rows_per_read", |rows, node| {
        each_table(rows, node, |row, table| table.live_per_read = percentiles(row));
    }),
    node_query!("system_views.local_read_latency", |rows, node| {
        each_table(rows, node, |row, table| {
            table.reads = row.count("count");
            table.read_latency = latency(row);
        });
    }),
    node_query!("system_views.local_write_latency", |rows, node| {
        each_table(rows, node, |row, table| {
            table.writes = row.count("count");
            table.write_latency = latency(row);
        });
    }),
    node_query!("system_views.local_scan_latency", |rows, node| {
        each_table(rows, node, |row, table| table.scan_latency = latency(row));
    }),
    node_query!("system_views.coordinator_read_latency", |rows, node| {
        each_table(rows, node, |row, table| table.coordinator_read_latency = latency(row));
    }),
    node_query!("system_views.coordinator_scan_latency", |rows, node| {
        each_table(rows, node, |row, table| table.coordinator_scan_latency = latency(row));
    }),
    node_query!("system_views.coordinator_write_latency", |rows, node| {
        each_table(rows, node, |row, table| table.coordinator_write_latency = latency(row));
    }),
];

/// A size. The server rounds up: 1 is anything up to that, and says nothing.
fn mebibytes(row: SystemRow<'_>) -> Option<u64> {
    let size = row.count("mebibytes").filter(|size| *size != 1)?;
    Some(size.saturating_mul(MEBIBYTE))
}

pub(super) fn table_name(row: SystemRow<'_>) -> Option<TableName> {
    Some(TableName::new(&row.text("keyspace_name")?, &row.text("table_name")?))
}

fn each_table(
    rows: &SystemRows,
    node: &mut Node,
    read: impl Fn(SystemRow<'_>, &mut TableMeasurements),
) {
    for row in rows.iter() {
        if let Some(name) = table_name(row) {
            read(row, node.tables.entry(name).or_default());
        }
    }
}

/// The percentiles of a table that was read at least once.
fn percentiles(row: SystemRow<'_>) -> Option<Percentiles> {
    let count = row.count("count").filter(|count| *count > 0)?;
    Some(Percentiles {
        count: Some(count),
        p50: row.number("p50th"),
        p99: row.number("p99th"),
        max: row.number("max"),
        ..Percentiles::default()
    })
}

fn latency(row: SystemRow<'_>) -> Option<RequestLatency> {
    let count = row.count("count")?;
    let milliseconds = Percentiles {
        count: Some(count),
        p50: row.number("p50th_ms").filter(|_| count > 0),
        p99: row.number("p99th_ms").filter(|_| count > 0),
        max: row.number("max_ms").filter(|_| count > 0),
        ..Percentiles::default()
    };
    Some(RequestLatency { milliseconds, per_second: row.number("per_second") })
}
