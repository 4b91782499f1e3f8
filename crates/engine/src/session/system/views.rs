//! `system_views`: settings, and metrics that this node does not have but that tools read.

use cql::types::{Frozenness, NativeType, Type};
use schema::catalog::{Index, IndexClass, IndexPart, Table};

use super::builder::{ColumnValue, TableRows};
use super::bytes::{bigint, boolean, double, int, text};
use crate::execute::Execution;
use crate::node::handle::TableHandle;

const THREAD_POOLS: [(&str, i32); 22] = [
    ("CacheCleanupExecutor", 1),
    ("CompactionExecutor", 1),
    ("GossipStage", 1),
    ("HintsDispatcher", 2),
    ("MemtableFlushWriter", 2),
    ("MemtablePostFlush", 1),
    ("MemtableReclaimMemory", 1),
    ("MigrationStage", 1),
    ("MutationStage", 32),
    ("Native-Transport-Auth-Requests", 4),
    ("Native-Transport-Requests", 128),
    ("PendingRangeCalculator", 1),
    ("PerDiskMemtableFlushWriter_0", 2),
    ("ReadStage", 32),
    ("RequestResponseStage", 2),
    ("Sampler", 1),
    ("SecondaryIndexExecutor", 2),
    ("SecondaryIndexManagement", 1),
    ("StatusPropagationExecutor", 1),
    ("UserDefinedFunctions", 2),
    ("ValidationExecutor", 1),
    ("ViewBuildExecutor", 1),
];

/// The capacities of caches in bytes.
const CACHES: [(&str, i64); 3] = [("counters", 25_165_824), ("keys", 4_194_304), ("rows", 0)];

/// Adds the rows of one of its tables.
pub(super) fn add_rows(execution: &Execution<'_>, table: &str, rows: &mut TableRows<'_>) {
    match table {
        "settings" => add_settings(execution, rows),
        "thread_pools" => add_thread_pools(rows),
        "caches" => add_caches(rows),
        "sai_column_indexes" => add_sai_indexes(execution, rows),
        "batch_metrics" => {
            for kind in ["counter", "logged", "unlogged"] {
                let name = text(&format!("partitions_per_{kind}_batch"));
                rows.add([("name", name), ("max", bigint(0))].into_iter().chain(percentiles()));
            }
        }
        "cql_metrics" => {
            for name in ["count", "evicted", "executed", "ratio"] {
                let name = text(&format!("prepared_statements_{name}"));
                rows.add([("name", name), ("value", double(0.0))]);
            }
            rows.add([("name", text("regular_statements_executed")), ("value", double(0.0))]);
        }
        "cidr_filtering_metrics_counts" => {
            rows.add([("name", text("CIDR groups cache reload count")), ("value", bigint(0))]);
        }
        _ => add_table_metrics(execution, table, rows),
    }
}

fn add_settings(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for (name, value) in execution.node.settings.list_values(&execution.node.identity) {
        let value = value.map(|value| ("value", text(&value)));
        rows.add(std::iter::once(("name", text(&name))).chain(value));
    }
}

fn add_thread_pools(rows: &mut TableRows<'_>) {
    for (name, limit) in THREAD_POOLS {
        rows.add([
            ("name", text(name)),
            ("active_tasks", int(0)),
            ("active_tasks_limit", int(limit)),
            ("blocked_tasks", bigint(0)),
            ("blocked_tasks_all_time", bigint(0)),
            ("completed_tasks", bigint(0)),
            ("pending_tasks", int(0)),
        ]);
    }
}

fn add_caches(rows: &mut TableRows<'_>) {
    for (name, capacity) in CACHES {
        rows.add([
            ("name", text(name)),
            ("capacity_bytes", bigint(capacity)),
            ("entry_count", int(0)),
            ("hit_count", bigint(0)),
            ("hit_ratio", double(f64::NAN)),
            ("recent_hit_rate_per_second", bigint(0)),
            ("recent_request_rate_per_second", bigint(0)),
            ("request_count", bigint(0)),
            ("size_bytes", bigint(0)),
        ]);
    }
}

fn percentiles() -> [ColumnValue<'static>; 3] {
    ["p50th", "p99th", "p999th"].map(|name| (name, double(0.0)))
}

/// Adds the metrics of every stored table.
fn add_table_metrics(execution: &Execution<'_>, table: &str, rows: &mut TableRows<'_>) {
    let figures: fn(&TableHandle) -> Vec<ColumnValue<'static>> = match table {
        "disk_usage" => |handle| {
            let mebibytes = handle.rows.byte_size().div_ceil(1 << 20);
            vec![("mebibytes", bigint(i64::try_from(mebibytes).unwrap_or(i64::MAX)))]
        },
        "max_partition_size" | "max_sstable_size" => |_| vec![("mebibytes", bigint(0))],
        "max_sstable_duration" => |_| vec![("max_sstable_duration", bigint(0))],
        "rows_per_read" | "tombstones_per_read" => |_| {
            vec![("count", bigint(0)), ("max", double(0.0))]
                .into_iter()
                .chain(percentiles())
                .collect()
        },
        name if name.ends_with("_latency") => |_| {
            let figures = ["max_ms", "p50th_ms", "p99th_ms", "per_second"];
            let zeros = figures.map(|name| (name, double(0.0)));
            std::iter::once(("count", bigint(0))).chain(zeros).collect()
        },
        _ => return,
    };
    for handle in execution.schema.tables().filter(|handle| !handle.definition.is_virtual) {
        let mut fields = figures(handle);
        fields.push(("keyspace_name", text(&handle.definition.keyspace)));
        fields.push(("table_name", text(&handle.definition.name)));
        rows.add(fields);
    }
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
