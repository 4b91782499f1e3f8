//! DR104 node-down

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, NodeState};

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr104_node_down.md"), examine);

/// So often a node is unstable, not restarted.
const OFTEN: u64 = 5;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, node) in cluster.nodes() {
        if node.state == Some(NodeState::Down) {
            let finding = found.report();
            finding.node(name).evidence("state", Quantity::Word("down".to_owned()));
            finding.remedy(Remedy::new(
                "Start the node, or replace it; after more than gc_grace_seconds it must be replaced.",
            ));
        }
    }
    for (_, groups) in cluster.events(EventKind::NodeDown) {
        for (node, label, summary) in groups.iter().filter(|(_, _, it)| it.count >= OFTEN) {
            let finding = found.report();
            finding.severity(Severity::Medium).node(node);
            finding.impact = summary.count as f64;
            finding
                .evidence(
                    "times that a node was seen as down",
                    Quantity::Count(summary.count as f64),
                )
                .evidence_if("node", label.map(|label| Quantity::Word(label.to_owned())));
            finding.remedy(Remedy::new(
                "Look for long garbage collection pauses or a saturated network on that node.",
            ));
        }
    }
}
