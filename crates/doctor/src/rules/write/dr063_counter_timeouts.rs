//! DR063 counter-timeouts

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr063_counter_timeouts.md"), examine);

/// The verbs of messages about counters.
const VERBS: [&str; 2] = ["COUNTER_MUTATION", "COUNTER_MUTATION_REQ"];

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut total = 0.0;
    let mut nodes = Vec::new();
    for (_, groups) in cluster.events(EventKind::CounterTimeout) {
        for (node, _, summary) in groups {
            total += summary.count as f64;
            nodes.push(node);
        }
    }
    for (name, node) in cluster.nodes() {
        let dropped = VERBS.iter().filter_map(|verb| node.dropped.get(*verb));
        let dropped: u64 = dropped.map(|dropped| dropped.count).sum();
        if dropped > 0 {
            total += dropped as f64;
            nodes.push(name);
        }
    }
    if total == 0.0 {
        return;
    }
    let finding = found.report();
    for node in nodes {
        finding.node(node);
    }
    finding.impact = total;
    finding.evidence("counter writes that timed out or were dropped", Quantity::Count(total));
    finding.remedy(Remedy::new(
        "Do not retry increments: the first may have counted. Where the count must be exact, store events and count them.",
    ));
}
