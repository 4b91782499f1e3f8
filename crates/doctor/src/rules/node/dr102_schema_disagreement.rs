//! DR102 schema-disagreement

use std::collections::BTreeMap;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, NodeState};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr102_schema_disagreement.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    // What others remember of a node that is down is out of date.
    let nodes = cluster.nodes().filter(|(name, node)| match node.state {
        Some(NodeState::Down) => false,
        Some(NodeState::Silent) => cluster.find_connection(name) == Some(true),
        _ => true,
    });
    for (name, node) in nodes {
        if let Some(version) = &node.schema_version {
            versions.entry(version).or_default().push(name);
        }
    }
    if versions.len() > 1 {
        let finding = found.report();
        finding.impact = versions.len() as f64;
        finding.evidence("schema versions", Quantity::Count(versions.len() as f64));
        // The nodes that differ from most.
        let largest = versions.values().map(Vec::len).max().unwrap_or(0);
        for nodes in versions.values().filter(|nodes| nodes.len() < largest) {
            for node in nodes {
                finding.node(node);
            }
        }
        finding.remedy(suggest());
        return;
    }
    for (_, groups) in cluster.events(EventKind::SchemaDisagreement) {
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let finding = found.report();
        for (node, _, _) in &groups {
            finding.node(node);
        }
        finding.evidence("errors in the log", Quantity::Count(count as f64)).remedy(suggest());
    }
}

fn suggest() -> Remedy {
    Remedy::new(
        "Change the schema from one client at a time and wait for agreement; restart the nodes that do not follow.",
    )
    .with_command("nodetool describecluster")
}
