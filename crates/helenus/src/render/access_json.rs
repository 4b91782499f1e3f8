//! Access plans as JSON, for `helenus explain --json`.

use check::Finding;
use cql::BatchKind;
use cql::Statement;
use schema::access::{
    AccessPlan, BatchPlan, ClusteringSlice, Count, FilterScope, Partitions, ReadOrder, ReadPlan,
    WriteEffect, WritePlan, WriteTarget,
};
use schema::bind::restrictions::StatementType;
use schema::catalog::Table;
use serde_json::{Value, json};

use super::forecast_json;
use crate::forecast::Forecast;

/// The plan of a statement, with its figures and what `check` finds.
pub(crate) fn plan(
    statement: &Statement,
    plan: &AccessPlan,
    forecast: &Forecast,
    findings: &[Finding],
) -> Value {
    let findings = findings.iter().map(|finding| {
        json!({
            "code": finding.rule.code,
            "severity": finding.severity.word(),
            "message": finding.message,
            "notes": finding.notes,
            "help": finding.help,
        })
    });
    json!({
        "statement": cql::printer::statement(statement),
        "forecast": forecast_json::object(forecast),
        "findings": findings.collect::<Vec<_>>(),
        "path": match plan {
            AccessPlan::Read(plan) => read_plan(plan),
            AccessPlan::Write(plan) => write_plan(plan),
            AccessPlan::Batch(plan) => batch_plan(plan),
            AccessPlan::Nothing => json!({ "kind": "none" }),
        },
    })
}

fn read_plan(plan: &ReadPlan) -> Value {
    let table = &*plan.table;
    let index = plan.index.as_ref().map(|used| {
        let names: Vec<_> =
            used.indexes.iter().filter_map(|at| Some(&*table.indexes.get(*at)?.name)).collect();
        json!({
            "names": names,
            "columns": columns(table, &used.columns),
            "withinPartition": used.within_partition,
        })
    });
    let scope = match plan.filtering.scope {
        FilterScope::None => "none",
        FilterScope::WithinPartitions => "partitions",
        FilterScope::IndexedRows => "indexedRows",
        FilterScope::Everywhere => "everywhere",
    };
    let order = match plan.order {
        ReadOrder::Stored => "stored",
        ReadOrder::Reversed => "reversed",
        ReadOrder::Sorted { .. } => "sorted",
        ReadOrder::Nearest => "nearest",
    };
    json!({
        "kind": "read",
        "table": table.qualified_name(),
        "partitions": partitions(plan.partitions),
        "rows": rows(table, &plan.rows),
        "index": index,
        "filtering": { "scope": scope, "columns": columns(table, &plan.filtering.columns) },
        "order": order,
        "columns": columns(table, &plan.columns),
        "limit": plan.limit.map(count),
        "perPartitionLimit": plan.per_partition_limit.map(count),
        "aggregates": plan.aggregates,
        "distinct": plan.distinct,
    })
}

fn write_plan(plan: &WritePlan) -> Value {
    let table = &*plan.table;
    let statement = match plan.statement {
        StatementType::Insert => "insert",
        StatementType::Update => "update",
        StatementType::Delete => "delete",
        StatementType::Select => "select",
    };
    let target = match plan.target {
        WriteTarget::Rows(number) => json!({ "kind": "rows", "count": count(number) }),
        WriteTarget::Statics => json!({ "kind": "statics" }),
        WriteTarget::Range => json!({ "kind": "range" }),
        WriteTarget::Partition => json!({ "kind": "partition" }),
    };
    let effect = match plan.effect {
        WriteEffect::Upsert => "upsert",
        WriteEffect::Count => "count",
        WriteEffect::DeleteColumns => "deleteColumns",
        WriteEffect::DeleteRows => "deleteRows",
    };
    json!({
        "kind": "write",
        "statement": statement,
        "table": table.qualified_name(),
        "partitions": partitions(plan.partitions),
        "target": target,
        "rows": rows(table, &plan.rows),
        "effect": effect,
        "columns": columns(table, &plan.columns),
        "conditional": plan.conditional,
        "readBeforeWrite": plan.reads_first,
        "ttl": plan.has_ttl,
        "timestamp": plan.has_timestamp,
    })
}

fn batch_plan(plan: &BatchPlan) -> Value {
    let kind = match plan.kind {
        BatchKind::Logged => "logged",
        BatchKind::Unlogged => "unlogged",
        BatchKind::Counter => "counter",
    };
    json!({
        "kind": "batch",
        "batch": kind,
        "tables": plan.tables.iter().map(|table| table.qualified_name()).collect::<Vec<_>>(),
        "partitions": count(plan.partitions),
        "conditional": plan.conditional,
        "statements": plan.statements.iter().map(|statement| write_plan(statement)).collect::<Vec<_>>(),
    })
}

fn partitions(partitions: Partitions) -> Value {
    match partitions {
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

/// A number, or null if it depends on bound values.
fn count(count: Count) -> Value {
    match count {
        Count::Known(number) => json!(number),
        Count::Unknown => Value::Null,
    }
}

fn columns<'a>(table: &'a Table, positions: &[usize]) -> Vec<&'a str> {
    positions.iter().filter_map(|at| Some(&*table.columns().get(*at)?.name)).collect()
}
