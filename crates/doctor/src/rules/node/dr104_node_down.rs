//! DR104 node-down

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Finding, Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, NodeState};

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr104_node_down.md"), examine);

const RESTART: Remedy = Remedy::new(
    "Start the node, or replace it; after more than gc_grace_seconds it must be replaced.",
);
/// So often a node is unstable, not restarted.
const OFTEN: u64 = 5;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, node) in cluster.nodes() {
        if node.state == Some(NodeState::Down) {
            let finding = found.report();
            finding.node(name).evidence("state", Quantity::Word("down".to_owned()));
            finding.remedy(RESTART);
        }
    }
    for (name, _) in cluster.nodes().filter(|(_, node)| node.state == Some(NodeState::Silent)) {
        report_silence(cluster, name, found.report());
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

/// A node that did not answer: the others know whether it is down or only its port for clients is
/// closed to us.
fn report_silence(cluster: &Examination<'_>, name: &str, finding: &mut Finding) {
    finding.node(name).evidence("state", Quantity::Word(NodeState::Silent.name().to_owned()));
    let is_connected = cluster.find_connection(name);
    if is_connected == Some(false) {
        finding.evidence("connections of other nodes to it", Quantity::Count(0.0)).remedy(RESTART);
        return;
    }
    finding.severity(Severity::Medium);
    if is_connected.is_none() {
        finding.remedy(RESTART);
    } else {
        finding.evidence("other nodes", Quantity::Word("are connected to it".to_owned()));
    }
    finding.remedy(
        Remedy::new(
            "If it is up, open its port for clients to this machine: its figures are missing here.",
        )
        .with_command("nodetool statusbinary"),
    );
}
