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
            let finding = found.report();
            finding.table(table);
            for (node, label, summary) in &groups {
                let Some(size) = summary.max else { continue };
                // One of the guardrails counts elements, the others bytes.
                let is_count = *label == Some("items_per_collection");
                finding.node(node);
                if is_count {
                    finding.evidence("elements of a collection", Quantity::Count(size));
                } else {
                    if size >= BYTES_HIGH {
                        finding.severity(Severity::High);
                    }
                    finding.impact = finding.impact.max(size);
                    finding.evidence(what, Quantity::Bytes(size));
                }
                finding.key(summary.worst.as_ref().and_then(|worst| worst.key.as_deref()));
            }
            finding.evidence("warnings in the log", Quantity::Count(count as f64));
            finding.remedy(Remedy::new(
                "Store the elements as rows of a table that is clustered by them, and large objects elsewhere.",
            ));
        }
    }
}
