//! `system_views`: settings, and what was measured of statements. A figure that is not measured is
//! null, or its row is absent.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};
use schema::catalog::{Index, IndexClass, IndexPart, Table};

use super::builder::{ColumnValue, TableRows};
use super::bytes::{bigint, boolean, double, text};
use crate::execute::Execution;
use crate::metrics::Histogram;
use crate::node::handle::TableHandle;

/// The capacities of caches in bytes.
const CACHES: [(&str, i64); 3] = [("counters", 25_165_824), ("keys", 4_194_304), ("rows", 0)];

/// Adds the rows of one of its tables.
pub(super) fn add_rows(execution: &Execution<'_>, table: &str, rows: &mut TableRows<'_>) {
    match table {
        "settings" => add_settings(execution, rows),
        "thread_pools" => add_thread_pools(execution, rows),
        "caches" => add_caches(rows),
        "sai_column_indexes" => add_sai_indexes(execution, rows),
        "max_partition_size" => add_partition_sizes(execution, rows),
        "batch_metrics" => add_batch_metrics(execution, rows),
        "cql_metrics" => add_statement_metrics(execution, rows),
        _ => add_table_metrics(execution, table, rows),
    }
}

fn add_settings(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for (name, value) in execution.node.settings.list_values(&execution.node.identity) {
        let value = value.map(|value| ("value", text(&value)));
        rows.add(std::iter::once(("name", text(&name))).chain(value));
    }
}

/// The pool that runs statements; this node has no others.
fn add_thread_pools(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let metrics = &execution.node.metrics;
    let completed = metrics.regular_statements.total() + metrics.prepared_statements.total();
    rows.add([("name", text("Native-Transport-Requests")), ("completed_tasks", count(completed))]);
}

/// This node has no caches, only the settings of their capacities.
fn add_caches(rows: &mut TableRows<'_>) {
    for (name, capacity) in CACHES {
        rows.add([("name", text(name)), ("capacity_bytes", bigint(capacity))]);
    }
}

fn add_batch_metrics(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let metrics = &execution.node.metrics;
    let kinds = [
        ("counter", &metrics.counter_batches),
        ("logged", &metrics.logged_batches),
        ("unlogged", &metrics.unlogged_batches),
    ];
    for (kind, histogram) in kinds {
        let Some(found) = histogram.summarize() else { continue };
        rows.add([
            ("name", text(&format!("partitions_per_{kind}_batch"))),
            ("max", count(found.max)),
            ("p50th", double(found.p50 as f64)),
            ("p99th", double(found.p99 as f64)),
            ("p999th", double(found.p999 as f64)),
        ]);
    }
}

fn add_statement_metrics(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let metrics = &execution.node.metrics;
    let regular = metrics.regular_statements.total() as f64;
    let prepared = metrics.prepared_statements.total() as f64;
    let figures = [
        ("prepared_statements_executed", prepared),
        ("prepared_statements_ratio", prepared / (prepared + regular).max(1.0)),
        ("regular_statements_executed", regular),
    ];
    for (name, value) in figures {
        rows.add([("name", text(name)), ("value", double(value))]);
    }
}

fn count(number: u64) -> Vec<u8> {
    bigint(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Adds the metrics of the tables for which something was measured.
fn add_table_metrics(execution: &Execution<'_>, table: &str, rows: &mut TableRows<'_>) {
    let figures: fn(&TableHandle) -> Option<Vec<ColumnValue<'static>>> = match table {
        "disk_usage" => |handle| {
            let mebibytes = handle.rows.byte_size().div_ceil(1 << 20);
            Some(vec![("mebibytes", count(mebibytes as u64))])
        },
        "rows_per_read" => |handle| summarize_counts(&handle.metrics.get()?.rows),
        "tombstones_per_read" => |handle| summarize_counts(&handle.metrics.get()?.tombstones),
        // One node coordinates and reads.
        "local_read_latency" | "coordinator_read_latency" => {
            |handle| summarize_latencies(&handle.metrics.get()?.reads)
        }
        "local_scan_latency" | "coordinator_scan_latency" => {
            |handle| summarize_latencies(&handle.metrics.get()?.scans)
        }
        "local_write_latency" | "coordinator_write_latency" => {
            |handle| summarize_latencies(&handle.metrics.get()?.writes)
        }
        _ => return,
    };
    for handle in execution.schema.tables().filter(|handle| !handle.definition.is_virtual) {
        let Some(mut fields) = figures(handle) else { continue };
        fields.push(("keyspace_name", text(&handle.definition.keyspace)));
        fields.push(("table_name", text(&handle.definition.name)));
        rows.add(fields);
    }
}

/// The size of the largest partition of each table, rounded up as the server does. If the time limit
/// passes before all are measured, the others are absent, and the statement fails.
fn add_partition_sizes(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let is_stored = |handle: &&Arc<TableHandle>| !handle.is_computed;
    for handle in execution.schema.tables().filter(is_stored) {
        let check = || execution.check_time();
        let Ok(largest) = handle.rows.version().find_largest_partition(check) else { return };
        rows.add([
            ("keyspace_name", text(&handle.definition.keyspace)),
            ("table_name", text(&handle.definition.name)),
            ("mebibytes", count(largest.div_ceil(1 << 20) as u64)),
        ]);
    }
}

fn summarize_counts(histogram: &Histogram) -> Option<Vec<ColumnValue<'static>>> {
    let found = histogram.summarize()?;
    Some(vec![
        ("count", count(found.count)),
        ("max", double(found.max as f64)),
        ("p50th", double(found.p50 as f64)),
        ("p99th", double(found.p99 as f64)),
    ])
}

/// The rate per second is not measured.
fn summarize_latencies(histogram: &Histogram) -> Option<Vec<ColumnValue<'static>>> {
    let found = histogram.summarize()?;
    let milliseconds = |micros: u64| double(micros as f64 / 1000.0);
    Some(vec![
        ("count", count(found.count)),
        ("max_ms", milliseconds(found.max)),
        ("p50th_ms", milliseconds(found.p50)),
        ("p99th_ms", milliseconds(found.p99)),
    ])
}

fn add_sai_indexes(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for handle in execution.schema.tables() {
        let table = &handle.definition;
        for index in table.indexes.iter().filter(|index| index.class == IndexClass::Sai) {
            rows.add([
                ("keyspace_name", text(&table.keyspace)),
                ("index_name", text(&index.name)),
                ("table_name", text(&table.name)),
                ("column_name", text(&index.column)),
                ("analyzer", text(&analyzer_text(index))),
                ("is_building", boolean(false)),
                ("is_queryable", boolean(true)),
                ("is_string", boolean(is_literal(table, index))),
            ]);
        }
    }
}

fn analyzer_text(index: &Index) -> String {
    let option =
        |name: &str| index.options.get(name).map(|value| value.eq_ignore_ascii_case("true"));
    let (case, normalize, ascii) = (option("case_sensitive"), option("normalize"), option("ascii"));
    if case.is_none() && normalize.is_none() && ascii.is_none() {
        return "NoOpAnalyzer".to_owned();
    }
    format!(
        "NonTokenizingAnalyzer{{caseSensitive={}, normalized={}, ascii={}}}",
        case.unwrap_or(true),
        normalize.unwrap_or(false),
        ascii.unwrap_or(false)
    )
}

/// Whether terms are compared as bytes rather than as numbers.
fn is_literal(table: &Table, index: &Index) -> bool {
    let Some(column) = table.column(&index.column) else { return false };
    let indexed = match (&column.ty, index.part) {
        (Type::Map(entry, Frozenness::No), IndexPart::Keys) => &entry.0,
        (Type::Map(entry, Frozenness::No), IndexPart::Values) => &entry.1,
        (Type::Map(..), IndexPart::Entries) => return true,
        (Type::List(element, Frozenness::No) | Type::Set(element, Frozenness::No), _) => element,
        (other, _) => other,
    };
    match indexed {
        Type::Native(native) => {
            matches!(native, NativeType::Text | NativeType::Ascii | NativeType::Boolean)
        }
        _ => true,
    }
}
