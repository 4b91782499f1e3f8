//! Access paths as JSON.

use cql::BatchKind;
use cql::Statement;
use schema::access::{
    AccessPath, BatchPath, ClusteringSlice, Count, FilterScope, Partitions, ReadOrder, ReadPath,
    WriteEffect, WritePath, WriteTarget,
};
use schema::bind::restrictions::StatementType;
use schema::catalog::Table;
use serde_json::{Value, json};

/// The path of a statement.
pub(crate) fn path(statement: &Statement, path: &AccessPath) -> Value {
    json!({
        "statement": cql::printer::statement(statement),
        "path": match path {
            AccessPath::Read(path) => read(path),
            AccessPath::Write(path) => write(path),
            AccessPath::Batch(path) => batch(path),
            AccessPath::Nothing => json!({ "kind": "none" }),
        },
    })
}

fn read(path: &ReadPath) -> Value {
    let table = &*path.table;
    let index = path.index.as_ref().map(|used| {
        let names: Vec<_> =
            used.indexes.iter().filter_map(|at| Some(&*table.indexes.get(*at)?.name)).collect();
        json!({
            "names": names,
            "columns": columns(table, &used.columns),
            "withinPartition": used.within_partition,
        })
    });
    let scope = match path.filtering.scope {
        FilterScope::None => "none",
        FilterScope::WithinPartitions => "partitions",
        FilterScope::IndexedRows => "indexedRows",
        FilterScope::Everywhere => "everywhere",
    };
    let order = match path.order {
        ReadOrder::Stored => "stored",
        ReadOrder::Reversed => "reversed",
        ReadOrder::Sorted { .. } => "sorted",
        ReadOrder::Nearest => "nearest",
    };
    json!({
        "kind": "read",
        "table": table.qualified_name(),
        "partitions": partitions(path.partitions),
        "rows": rows(table, &path.rows),
        "index": index,
        "filtering": { "scope": scope, "columns": columns(table, &path.filtering.columns) },
        "order": order,
        "columns": columns(table, &path.columns),
        "limit": path.limit.map(count),
        "perPartitionLimit": path.per_partition_limit.map(count),
        "aggregates": path.aggregates,
        "distinct": path.distinct,
    })
}

fn write(path: &WritePath) -> Value {
    let table = &*path.table;
    let statement = match path.statement {
        StatementType::Insert => "insert",
        StatementType::Update => "update",
        StatementType::Delete => "delete",
        StatementType::Select => "select",
    };
    let target = match path.target {
        WriteTarget::Rows(number) => json!({ "kind": "rows", "count": count(number) }),
        WriteTarget::Statics => json!({ "kind": "statics" }),
        WriteTarget::Range => json!({ "kind": "range" }),
        WriteTarget::Partition => json!({ "kind": "partition" }),
    };
    let effect = match path.effect {
        WriteEffect::Upsert => "upsert",
        WriteEffect::Count => "count",
        WriteEffect::DeleteColumns => "deleteColumns",
        WriteEffect::DeleteRows => "deleteRows",
    };
    json!({
        "kind": "write",
        "statement": statement,
        "table": table.qualified_name(),
        "partitions": partitions(path.partitions),
        "target": target,
        "rows": rows(table, &path.rows),
        "effect": effect,
        "columns": columns(table, &path.columns),
        "conditional": path.conditional,
        "readsFirst": path.reads_first,
        "ttl": path.has_ttl,
        "timestamp": path.has_timestamp,
    })
}

fn batch(path: &BatchPath) -> Value {
    let kind = match path.kind {
        BatchKind::Logged => "logged",
        BatchKind::Unlogged => "unlogged",
        BatchKind::Counter => "counter",
    };
    json!({
        "kind": "batch",
        "batch": kind,
        "tables": path.tables.iter().map(|table| table.qualified_name()).collect::<Vec<_>>(),
        "partitions": count(path.partitions),
        "conditional": path.conditional,
        "statements": path.statements.iter().map(write).collect::<Vec<_>>(),
    })
}

fn partitions(which: Partitions) -> Value {
    match which {
        Partitions::None => json!({ "kind": "none", "count": 0 }),
        Partitions::One => json!({ "kind": "one", "count": 1 }),
        Partitions::Several(number) => json!({ "kind": "several", "count": count(number) }),
        Partitions::TokenRange { from, to } => {
            json!({ "kind": "tokenRange", "from": from, "to": to })
        }
        Partitions::All => json!({ "kind": "all" }),
    }
}

fn rows(table: &Table, slice: &ClusteringSlice) -> Value {
    let listed: Vec<_> = slice
        .listed
        .iter()
        .map(|listed| json!({ "columns": columns(table, &listed.columns), "values": count(listed.values) }))
        .collect();
    let end = |included: Option<bool>| {
        included.map(|included| if included { "included" } else { "excluded" })
    };
    let range = slice.range.as_ref().map(|range| {
        json!({
            "columns": columns(table, &range.columns),
            "from": end(range.from),
            "to": end(range.to),
        })
    });
    json!({
        "wholePartition": slice.is_whole_partition(),
        "equal": columns(table, &slice.equal),
        "listed": listed,
        "range": range,
        "count": slice.rows.map(count),
    })
}

/// A number, or null for one known only when it runs.
fn count(count: Count) -> Value {
    match count {
        Count::Known(number) => json!(number),
        Count::Unknown => Value::Null,
    }
}

fn columns<'a>(table: &'a Table, positions: &[usize]) -> Vec<&'a str> {
    positions.iter().filter_map(|at| Some(&*table.columns().get(*at)?.name)).collect()
}
