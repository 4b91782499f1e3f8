//! [`Ring`]: the tokens of a cluster, and the share of the data that each node holds by them.

use std::collections::{BTreeMap, BTreeSet};

use schema::catalog::Replication;

use crate::Snapshot;

/// More tokens than any cluster has; beyond them nothing is computed.
const TOKENS_MAX: usize = 300_000;

/// The tokens of all nodes, in order.
#[derive(Debug)]
pub(super) struct Ring<'a> {
    members: Vec<RingMember<'a>>,
    /// A token and the position of its node.
    tokens: Vec<(i64, usize)>,
}

/// A node of the ring.
#[derive(Debug)]
struct RingMember<'a> {
    name: &'a str,
    datacenter: &'a str,
    rack: &'a str,
}

/// What a node holds of a keyspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RingShare<'a> {
    /// The node.
    pub(super) node: &'a str,
    /// Its data center.
    pub(super) datacenter: &'a str,
    /// The part of all rows that it has a copy of, 0 to 1.
    pub(super) share: f64,
    /// The mean of the nodes of its data center.
    pub(super) mean: f64,
}

impl<'a> Ring<'a> {
    /// The ring; `None` unless the tokens of every node are known.
    pub(super) fn new(snapshot: &'a Snapshot) -> Option<Self> {
        let mut members = Vec::new();
        let mut tokens = Vec::new();
        for (name, node) in &snapshot.nodes {
            if node.tokens.is_empty() {
                return None;
            }
            tokens.extend(node.tokens.iter().map(|token| (*token, members.len())));
            members.push(RingMember {
                name,
                datacenter: node.datacenter.as_deref().unwrap_or_default(),
                rack: node.rack.as_deref().unwrap_or_default(),
            });
        }
        tokens.sort_unstable();
        (!tokens.is_empty() && tokens.len() <= TOKENS_MAX).then_some(Self { members, tokens })
    }

    /// What each node holds under a replication; empty if the strategy places nothing by tokens.
    pub(super) fn shares(&self, replication: &Replication) -> Vec<RingShare<'a>> {
        let mut held = vec![0.0; self.members.len()];
        for (datacenter, copies) in count_copies(replication) {
            self.place(datacenter, copies, &mut held);
        }
        let mut centers: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (member, share) in self.members.iter().zip(&held) {
            let (sum, nodes) = centers.entry(member.datacenter).or_default();
            (*sum, *nodes) = (*sum + share, *nodes + 1.0);
        }
        let shares = self.members.iter().zip(held).filter_map(|(member, share)| {
            let (sum, nodes) = centers.get(member.datacenter)?;
            let RingMember { name: node, datacenter, .. } = *member;
            (*sum > 0.0).then_some(RingShare { node, datacenter, share, mean: sum / nodes })
        });
        shares.collect()
    }

    /// Adds to each node the ranges of which it has a copy: as the server does, on the nodes that
    /// follow on the ring, in a data center on nodes of different racks as far as there are some.
    fn place(&self, datacenter: Option<&str>, copies: usize, held: &mut [f64]) {
        let is_candidate =
            |member: &RingMember<'_>| datacenter.is_none_or(|name| name == member.datacenter);
        let candidates = self.members.iter().filter(|member| is_candidate(member));
        let racks: BTreeSet<&str> = candidates.clone().map(|member| member.rack).collect();
        let copies = copies.min(candidates.count());
        // With SimpleStrategy racks do not matter: any may repeat.
        let repeats =
            if datacenter.is_some() { copies.saturating_sub(racks.len()) } else { copies };
        for (at, (end, _)) in self.tokens.iter().enumerate() {
            let before = at.checked_sub(1).unwrap_or(self.tokens.len() - 1);
            let part = range_part(self.tokens[before].0, *end);
            let followers = self.tokens[at..].iter().chain(&self.tokens[..at]);
            let followers = followers.map(|(_, node)| *node);
            let followers = followers.filter(|node| is_candidate(&self.members[*node]));
            for node in self.choose_replicas(followers, copies, repeats) {
                held[node] += part;
            }
        }
    }

    /// The replicas of a range among the nodes that follow: on as many racks as there are, with so
    /// many repetitions of a rack.
    fn choose_replicas(
        &self,
        followers: impl Iterator<Item = usize>,
        copies: usize,
        mut repeats: usize,
    ) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::with_capacity(copies);
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for node in followers {
            if chosen.len() == copies {
                break;
            }
            if chosen.contains(&node) {
                continue;
            }
            if !used.insert(self.members[node].rack) {
                if repeats == 0 {
                    continue;
                }
                repeats -= 1;
            }
            chosen.push(node);
        }
        chosen
    }
}

/// The copies in each data center; `None` stands for all of them together.
fn count_copies(replication: &Replication) -> Vec<(Option<&str>, usize)> {
    let number = |text: &str| text.split('/').next()?.parse::<usize>().ok();
    let options = replication.options.iter();
    let options = options.filter_map(|(name, text)| Some((&**name, number(text)?)));
    if replication.class.ends_with("NetworkTopologyStrategy") {
        options.map(|(datacenter, copies)| (Some(datacenter), copies)).collect()
    } else if replication.class.ends_with("SimpleStrategy") {
        options.map(|(_, copies)| (None, copies)).collect()
    } else {
        Vec::new()
    }
}

/// The part of all tokens from one (exclusive) to another (inclusive), across the end if need be.
fn range_part(start: i64, end: i64) -> f64 {
    const ALL: f64 = 18_446_744_073_709_551_616.0;
    match end.wrapping_sub(start).cast_unsigned() {
        0 => 1.0,
        length => length as f64 / ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Node;

    const QUARTER: i64 = 1 << 62;

    fn snapshot(nodes: &[(&str, &str, &[i64])]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for (name, rack, tokens) in nodes {
            let node = Node {
                datacenter: Some("dc1".to_owned()),
                rack: Some((*rack).to_owned()),
                tokens: tokens.to_vec(),
                ..Node::default()
            };
            snapshot.nodes.insert((*name).to_owned(), node);
        }
        snapshot
    }

    fn replication(class: &str, name: &str, copies: &str) -> Replication {
        let options = BTreeMap::from([(name.into(), copies.into())]);
        Replication { class: class.into(), options }
    }

    fn shares(snapshot: &Snapshot, replication: &Replication) -> Vec<f64> {
        let ring = Ring::new(snapshot).expect("all tokens are known");
        ring.shares(replication).iter().map(|share| share.share).collect()
    }

    #[test]
    fn a_node_holds_the_ranges_that_end_at_its_tokens() {
        // Tokens 0 and 2^62: the second node has a quarter of the ring, the first the rest.
        let two = snapshot(&[("a", "r", &[0]), ("b", "r", &[QUARTER])]);
        let simple = |copies| {
            replication("org.apache.cassandra.locator.SimpleStrategy", "replication_factor", copies)
        };
        assert_eq!(shares(&two, &simple("1")), vec![0.75, 0.25]);
        assert_eq!(shares(&two, &simple("2")), vec![1.0, 1.0]);
        assert_eq!(shares(&two, &simple("5")), vec![1.0, 1.0]);
        let local = replication("org.apache.cassandra.locator.LocalStrategy", "x", "1");
        assert!(shares(&two, &local).is_empty());
        let alone = snapshot(&[("a", "r", &[7])]);
        assert_eq!(shares(&alone, &simple("1")), vec![1.0]);
    }

    #[test]
    fn copies_are_on_different_racks() {
        // Four equal ranges: one node in rack x has a copy of everything, three in rack y share the
        // other copy: a's own range goes to b next, so b has two of the four ranges.
        let nodes = snapshot(&[
            ("a", "x", &[-2 * QUARTER]),
            ("b", "y", &[-QUARTER]),
            ("c", "y", &[0]),
            ("d", "y", &[QUARTER]),
        ]);
        let network =
            replication("org.apache.cassandra.locator.NetworkTopologyStrategy", "dc1", "2");
        assert_eq!(shares(&nodes, &network), vec![1.0, 0.5, 0.25, 0.25]);
        let elsewhere =
            replication("org.apache.cassandra.locator.NetworkTopologyStrategy", "dc2", "2");
        assert!(shares(&nodes, &elsewhere).is_empty());
    }

    #[test]
    fn a_ring_without_all_tokens_is_none() {
        assert!(Ring::new(&Snapshot::default()).is_none());
        assert!(Ring::new(&snapshot(&[("a", "r", &[0]), ("b", "r", &[])])).is_none());
    }
}
