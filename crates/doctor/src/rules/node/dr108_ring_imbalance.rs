//! DR108 ring-imbalance

use std::collections::{BTreeMap, BTreeSet};

use schema::catalog::Replication;

use crate::rules::examination::Examination;
use crate::rules::finding::{Finding, Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::ring::{Ring, RingShare};
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr108_ring_imbalance.md"), examine);

/// A node with so many times the mean of its data center stands out.
const IMBALANCE: f64 = 1.5;
/// Nodes that one finding names, and keyspaces.
const NAMES_MAX: usize = 3;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let Some(ring) = Ring::new(cluster.snapshot) else {
        return report(cluster, &list_shares(cluster), &[], found);
    };
    let worst = replications(cluster).into_iter().map(|(replication, keyspaces)| {
        let shares = ring.shares(replication);
        (largest(&shares), shares, keyspaces)
    });
    let worst = worst.max_by(|one, other| one.0.total_cmp(&other.0));
    if let Some((_, shares, keyspaces)) = worst {
        report(cluster, &shares, &keyspaces, found);
    }
}

/// The replications of keyspaces of users, each with the names of these.
fn replications<'a>(cluster: &Examination<'a>) -> Vec<(&'a Replication, Vec<&'a str>)> {
    let mut replications: Vec<(&Replication, Vec<&str>)> = Vec::new();
    for keyspace in cluster.list_keyspaces() {
        let same = replications.iter_mut().find(|(known, _)| **known == keyspace.replication);
        match same {
            Some((_, names)) => names.push(&keyspace.name),
            None => replications.push((&keyspace.replication, vec![&keyspace.name])),
        }
    }
    replications
}

/// The shares that `nodetool` states, if it does for every node.
fn list_shares<'a>(cluster: &Examination<'a>) -> Vec<RingShare<'a>> {
    let mut centers: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for (name, node) in cluster.nodes() {
        let Some(percent) = node.owns_percent else { return Vec::new() };
        let datacenter = node.datacenter.as_deref().unwrap_or_default();
        centers.entry(datacenter).or_default().push((name, percent / 100.0));
    }
    let mut shares = Vec::new();
    for (datacenter, nodes) in centers {
        let mean = nodes.iter().map(|(_, share)| share).sum::<f64>() / nodes.len() as f64;
        let of = |(node, share)| RingShare { node, datacenter, share, mean };
        shares.extend(nodes.into_iter().map(of));
    }
    shares
}

/// How many times the mean of its data center the node with most has.
fn largest(shares: &[RingShare<'_>]) -> f64 {
    shares.iter().map(ratio).fold(0.0, f64::max)
}

fn ratio(share: &RingShare<'_>) -> f64 {
    if share.mean > 0.0 { share.share / share.mean } else { 0.0 }
}

fn report(
    cluster: &Examination<'_>,
    shares: &[RingShare<'_>],
    keyspaces: &[&str],
    found: &mut Reporter,
) {
    let mut heavy: Vec<&RingShare<'_>> =
        shares.iter().filter(|share| ratio(share) >= IMBALANCE).collect();
    heavy.sort_by(|one, other| ratio(other).total_cmp(&ratio(one)));
    let Some(most) = heavy.first() else { return };
    let finding = found.report();
    for share in heavy.iter().take(NAMES_MAX) {
        finding.node(share.node);
    }
    finding
        .exceed(
            "against the mean of its data center",
            Quantity::Times(ratio(most)),
            Quantity::Times(IMBALANCE),
        )
        .evidence("share of the data", Quantity::Percent(most.share * 100.0))
        .evidence("mean of the nodes", Quantity::Percent(most.mean * 100.0));
    for keyspace in keyspaces.iter().take(NAMES_MAX) {
        finding.evidence("keyspace", Quantity::Word((*keyspace).to_owned()));
    }
    suggest(cluster, most.datacenter, finding);
}

fn suggest(cluster: &Examination<'_>, datacenter: &str, finding: &mut Finding) {
    let members: Vec<_> = cluster
        .nodes()
        .filter(|(_, node)| node.datacenter.as_deref().unwrap_or_default() == datacenter)
        .collect();
    let mut racks: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, node) in &members {
        *racks.entry(node.rack.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let sizes: BTreeSet<usize> = racks.into_values().collect();
    if sizes.len() > 1 {
        finding.remedy(Remedy::new(
            "Give every rack the same number of nodes: a rack has one copy of all data, whatever its size.",
        ));
    }
    if members.iter().all(|(_, node)| node.tokens.len() == 1) {
        finding.remedy(
            Remedy::new(
                "Move the tokens until the ranges are equal, one node at a time, then clean up.",
            )
            .with_command("nodetool move TOKEN && nodetool cleanup"),
        );
    } else {
        finding.remedy(Remedy::new(
            "Replace the node by one with num_tokens: 16 and allocate_tokens_for_local_replication_factor: 3, which chooses tokens that balance.",
        ));
    }
}
