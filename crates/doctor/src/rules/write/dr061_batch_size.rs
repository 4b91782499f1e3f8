//! DR061 batch-size

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::figures::parse_limit;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr061_batch_size.md"), examine);

/// The default of `batch_size_fail_threshold`.
const BYTES_FAIL: f64 = 50.0 * 1024.0;
/// The default of `batch_size_warn_threshold`.
const BYTES_WARN: f64 = 5.0 * 1024.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let threshold = cluster.setting("batch_size_warn_threshold").and_then(parse_limit);
    let threshold = threshold.unwrap_or(BYTES_WARN);
    for (table, groups) in cluster.events(EventKind::BatchSize) {
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let largest = groups.iter().filter_map(|(_, _, summary)| summary.max).reduce(f64::max);
        let finding = found.report();
        if largest.is_some_and(|bytes| bytes > BYTES_FAIL) {
            finding.severity(Severity::High);
        }
        if let Some(table) = table {
            finding.table(table);
        }
        for (node, _, _) in &groups {
            finding.node(node);
        }
        if let Some(bytes) = largest {
            finding.exceed("largest batch", Quantity::Bytes(bytes), Quantity::Bytes(threshold));
        }
        finding.evidence("warnings in the log", Quantity::Count(count as f64));
        finding.remedy(Remedy::new(
            "Send smaller batches, or the writes one by one, concurrently; do not raise the threshold.",
        ));
    }
}
