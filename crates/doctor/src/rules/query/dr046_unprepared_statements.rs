//! DR046 unprepared-statements

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr046_unprepared_statements.md"), examine);

/// The share of statements above which it is the application, not a tool.
const SHARE: f64 = 10.0;
const STATEMENTS_MIN: u64 = 1_000;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let counts = |(_, node): (&str, &crate::snapshot::Node)| {
        Some((node.regular_executed?, node.prepared_executed?))
    };
    let known = cluster.nodes().filter_map(counts);
    let sum = known.reduce(|(a, b), (c, d)| (a.saturating_add(c), b.saturating_add(d)));
    if let Some((regular, prepared)) = sum {
        let share = regular as f64 / regular.saturating_add(prepared).max(1) as f64 * 100.0;
        if regular >= STATEMENTS_MIN && share > SHARE {
            let finding = found.report();
            if share > 50.0 {
                finding.severity(Severity::Medium);
            }
            finding
                .exceed(
                    "statements without preparation",
                    Quantity::Percent(share),
                    Quantity::Percent(SHARE),
                )
                .evidence("of them", Quantity::Count(regular as f64));
            finding.remedy(prepare());
        }
    }
    for (_, groups) in cluster.events(EventKind::PreparedStatementsEvicted) {
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let finding = found.report();
        finding
            .severity(Severity::Medium)
            .evidence("warnings about evicted statements", Quantity::Count(count as f64));
        for (node, _, _) in groups {
            finding.node(node);
        }
        finding.remedy(prepare());
    }
}

fn prepare() -> Remedy {
    Remedy::new(
        "Prepare each statement once, with markers for all values, and keep it for the life of the application.",
    )
}
