//! DR003 large-value

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr003_large_value.md"), examine);

/// From this size on a value hurts by itself.
const BYTES_HIGH: f64 = 10e6;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (kind, what) in
        [(EventKind::LargeRow, "largest row"), (EventKind::LargeCell, "largest cell or collection")]
    {
        for (table, groups) in cluster.events(kind) {
            let Some(table) = table else { continue };
            let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
            let largest = groups.iter().filter_map(|(node, _, it)| Some((node, it.max?, it)));
            let largest = largest.max_by(|a, b| a.1.total_cmp(&b.1));
            let finding = found.report();
            finding.table(table);
            if let Some((node, size, summary)) = largest {
                if size >= BYTES_HIGH {
                    finding.severity(Severity::High);
                }
                finding.node(node).evidence(what, Quantity::Bytes(size));
                finding.key(summary.worst.as_ref().and_then(|worst| worst.key.as_deref()));
            }
            finding.evidence("warnings in the log", Quantity::Count(count as f64));
            finding.remedy(Remedy::new(
                "Store the elements as rows of a table that is clustered by them, and large objects elsewhere.",
            ));
        }
    }
}
