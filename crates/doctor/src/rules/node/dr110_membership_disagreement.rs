//! DR110 membership-disagreement

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr110_membership_disagreement.md"), examine);

/// Hosts that a finding names.
const NAMES_MAX: usize = 5;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    // The lists of nodes that have one, with the node itself.
    let lists: BTreeMap<&str, BTreeSet<&str>> = cluster
        .nodes()
        .filter_map(|(name, node)| {
            let own = node.host_id.as_deref().filter(|_| !node.peers.is_empty())?;
            Some((name, node.peers.iter().map(String::as_str).chain([own]).collect()))
        })
        .collect();
    let mut tellers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, hosts) in &lists {
        for host in hosts {
            tellers.entry(host).or_default().push(name);
        }
    }
    let disputed: Vec<_> =
        tellers.iter().filter(|(_, tellers)| tellers.len() < lists.len()).collect();
    if disputed.is_empty() {
        return;
    }
    let finding = found.report();
    finding.impact = disputed.len() as f64;
    finding.evidence("hosts that not all nodes list", Quantity::Count(disputed.len() as f64));
    for (host, tellers) in disputed.iter().take(NAMES_MAX) {
        let is_host = |node: &crate::snapshot::Node| node.host_id.as_deref() == Some(host);
        let name = cluster.nodes().find(|(_, node)| is_host(node)).map_or(**host, |(name, _)| name);
        let text = format!("{name} by {} of {}", tellers.len(), lists.len());
        finding.evidence("listed", Quantity::Word(text));
        // Whichever is the smaller group differs from the others.
        let lists_it = |name: &&&str| tellers.contains(*name);
        let (with, without): (Vec<&&str>, Vec<&&str>) = lists.keys().partition(lists_it);
        let odd = if with.len() < without.len() { with } else { without };
        for name in odd {
            finding.node(name);
        }
    }
    finding.remedy(
        Remedy::new("Compare what the nodes say, restart the one that differs, and remove hosts that are gone.")
            .with_command("nodetool status"),
    );
}
