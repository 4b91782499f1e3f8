//! DR107 request-timeouts

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr107_request_timeouts.md"), examine);

/// Timeouts that need not mean anything.
const FEW: f64 = 10.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (kind, what) in
        [(EventKind::ReadTimeout, "read timeouts"), (EventKind::WriteTimeout, "write timeouts")]
    {
        for (table, groups) in cluster.events(kind) {
            let count: f64 = groups.iter().map(|(_, _, summary)| summary.count as f64).sum();
            if count <= FEW {
                continue;
            }
            let finding = found.report();
            if let Some(table) = table {
                finding.table(table);
            }
            for (node, _, _) in &groups {
                finding.node(node);
            }
            finding.exceed(what, Quantity::Count(count), Quantity::Count(FEW));
            finding.remedy(Remedy::new(
                "Find the statements behind them: large partitions, tombstones and scans are reported with theirs.",
            ));
        }
    }
}
