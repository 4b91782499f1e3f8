//! The report of `helenus verify-copies` as JSON.

use serde_json::{Value, json};

use crate::copies::{CopyReport, Difference, MendState, VerificationReport};

/// The report as one object.
pub(crate) fn object(report: &VerificationReport) -> Value {
    let bases = report.bases.iter().map(|base| {
        json!({
            "entity": base.entity,
            "table": base.table,
            "reason": base.reason,
            "has_copies": base.has_copies,
        })
    });
    let unverified =
        report.unverified.iter().map(|(name, reason)| json!({ "name": name, "reason": reason }));
    json!({
        "keyspace": report.keyspace,
        "differences": report.count_found(),
        "mended": report.count_mended(),
        "copies": report.copies.iter().map(copy).collect::<Vec<_>>(),
        "not_verified": unverified.collect::<Vec<_>>(),
        "bases": bases.collect::<Vec<_>>(),
    })
}

fn copy(copy: &CopyReport) -> Value {
    let counts = copy.counts.iter();
    let counts = counts.map(|(kind, counts)| {
        json!({ "kind": kind.name(), "found": counts.found, "mended": counts.mended })
    });
    json!({
        "table": copy.table,
        "content": copy.content,
        "base": copy.base,
        "lookups": copy.lookups,
        "base_rows": copy.base_rows,
        "expected_rows": copy.expected_rows,
        "copy_rows": copy.copy_rows,
        "found": copy.count_found(),
        "mended": copy.count_mended(),
        "counts": counts.collect::<Vec<_>>(),
        "differences": copy.differences.iter().map(difference).collect::<Vec<_>>(),
    })
}

fn difference(difference: &Difference) -> Value {
    let key = difference.key.iter();
    let key = key.map(|(name, value)| json!({ "column": name, "value": value }));
    let columns = difference.columns.iter().map(|column| {
        json!({ "column": column.name, "expected": column.expected, "actual": column.actual })
    });
    json!({
        "kind": difference.kind.name(),
        "key": key.collect::<Vec<_>>(),
        "columns": columns.collect::<Vec<_>>(),
        "statements": difference.statements,
        "remark": difference.remark,
        "state": match difference.state {
            MendState::Open => "open",
            MendState::Mended => "mended",
            MendState::Persistent => "persistent",
        },
    })
}
