//! DR047 aggregation-without-key

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr047_aggregation_without_key.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (table, groups) in cluster.events(EventKind::AggregationWithoutKey) {
        if table.is_some_and(|table| cluster.is_small(table)) {
            continue;
        }
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let finding = found.report();
        if let Some(table) = table {
            finding.table(table);
        }
        for (node, _, _) in &groups {
            finding.node(node);
        }
        finding.evidence("warnings in the log", Quantity::Count(count as f64));
        finding.remedy(Remedy::new(
            "Aggregate within a partition, keep counts as they are written, or run the job in Spark.",
        ));
    }
}
