//! DR006 node-skew

use std::collections::BTreeMap;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::ring::{Ring, RingShare};
use crate::rules::rule::RuleEntry;
use crate::snapshot::{Node, TableMeasurements, TableName};

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr006_node_skew.md"), examine);

/// A node with so many times what is expected of it stands out.
const SKEW: f64 = 2.0;
/// Without the tokens, a median of fewer nodes means nothing.
const NODES_MIN: usize = 3;
const BYTES_MIN: f64 = 100e6;
const REQUESTS_MIN: f64 = 10_000.0;

/// A figure that is compared between nodes.
#[derive(Clone, Copy)]
struct TableFigure {
    what: &'static str,
    read: fn(&TableMeasurements) -> Option<u64>,
    /// Below this nothing suffers from skew.
    least: f64,
    is_bytes: bool,
}

const FIGURES: [TableFigure; 3] = [
    TableFigure {
        what: "bytes on this node",
        read: |table| table.live_bytes,
        least: BYTES_MIN,
        is_bytes: true,
    },
    TableFigure {
        what: "reads of this node",
        read: |table| table.reads,
        least: REQUESTS_MIN,
        is_bytes: false,
    },
    TableFigure {
        what: "writes of this node",
        read: |table| table.writes,
        least: REQUESTS_MIN,
        is_bytes: false,
    },
];

/// A node's figure, and what was to be expected of it.
struct NodeFigure<'a> {
    node: &'a str,
    value: f64,
    expected: f64,
    /// The part of the data that it holds by its tokens, if they are known.
    share: Option<f64>,
}

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let ring = Ring::new(cluster.snapshot);
    for table in cluster.snapshot.list_measured_tables() {
        let shares = shares_of(cluster, ring.as_ref(), table);
        let worst = FIGURES.iter().find_map(|figure| {
            let worst = find_worst(cluster, table, *figure, &shares)?;
            Some((figure, worst))
        });
        if let Some((figure, worst)) = worst {
            report(table, *figure, &worst, found);
        }
    }
}

/// What each node holds of a table by its tokens.
fn shares_of<'a>(
    cluster: &Examination<'a>,
    ring: Option<&Ring<'a>>,
    table: &TableName,
) -> BTreeMap<&'a str, RingShare<'a>> {
    let keyspace = cluster.list_keyspaces().find(|keyspace| keyspace.name == table.keyspace);
    let shares = ring.zip(keyspace).map(|(ring, keyspace)| ring.shares(&keyspace.replication));
    shares.into_iter().flatten().map(|share| (share.node, share)).collect()
}

/// The node of which most was expected least, if it is bad enough.
fn find_worst<'a>(
    cluster: &Examination<'a>,
    table: &TableName,
    figure: TableFigure,
    shares: &BTreeMap<&'a str, RingShare<'a>>,
) -> Option<NodeFigure<'a>> {
    // Clients of one data center need not use the others.
    let mut centers: BTreeMap<&str, Vec<(&'a str, &'a Node, f64)>> = BTreeMap::new();
    for (name, node) in cluster.nodes() {
        let Some(value) = node.tables.get(table).and_then(figure.read) else { continue };
        let center = node.datacenter.as_deref().unwrap_or_default();
        centers.entry(center).or_default().push((name, node, value as f64));
    }
    let all = centers.into_values().flat_map(|nodes| compare(&nodes, figure, shares));
    let bad = all.filter(|it| {
        it.value >= figure.least && it.expected > 0.0 && it.value / it.expected >= SKEW
    });
    bad.max_by(|one, other| (one.value / one.expected).total_cmp(&(other.value / other.expected)))
}

/// What is expected of each node of a data center: its share of all by its tokens, else the median.
fn compare<'a>(
    nodes: &[(&'a str, &'a Node, f64)],
    figure: TableFigure,
    shares: &BTreeMap<&'a str, RingShare<'a>>,
) -> Vec<NodeFigure<'a>> {
    let held: f64 = nodes.iter().filter_map(|(name, ..)| Some(shares.get(name)?.share)).sum();
    let is_placed = nodes.iter().all(|(name, ..)| shares.contains_key(name));
    if is_placed && held > 0.0 && nodes.len() > 1 {
        // Requests are counted since the start of a node.
        let time = |node: &Node| match (figure.is_bytes, node.uptime_seconds) {
            (false, Some(seconds)) => seconds.max(1) as f64,
            _ => 1.0,
        };
        let all: f64 = nodes.iter().map(|(_, node, value)| value / time(node)).sum();
        let of = |(name, node, value): &(&'a str, &Node, f64)| {
            let share = shares.get(name).map(|it| it.share);
            let expected = all * time(node) * share.unwrap_or(0.0) / held;
            NodeFigure { node: name, value: *value, expected, share }
        };
        return nodes.iter().map(of).collect();
    }
    if nodes.len() < NODES_MIN {
        return Vec::new();
    }
    let mut values: Vec<f64> = nodes.iter().map(|(.., value)| *value).collect();
    values.sort_by(f64::total_cmp);
    let expected = values[values.len() / 2];
    let of = |(node, _, value): &(&'a str, &Node, f64)| NodeFigure {
        node,
        value: *value,
        expected,
        share: None,
    };
    nodes.iter().map(of).collect()
}

fn report(table: &TableName, figure: TableFigure, worst: &NodeFigure<'_>, found: &mut Reporter) {
    let quantity = if figure.is_bytes { Quantity::Bytes } else { Quantity::Count };
    let finding = found.report();
    finding.table(table).node(worst.node);
    let times = Quantity::Times(worst.value / worst.expected);
    let (against, expected) = match worst.share {
        Some(_) => ("against its share of the ring", "expected by its tokens"),
        None => ("against the median node", "median of the nodes"),
    };
    finding
        .exceed(against, times, Quantity::Times(SKEW))
        .evidence(figure.what, quantity(worst.value))
        .evidence(expected, quantity(worst.expected))
        .evidence_if(
            "share of the data by its tokens",
            worst.share.map(|share| Quantity::Percent(share * 100.0)),
        );
    finding.remedy(
        Remedy::new(
            "Compare the partitions of the nodes: few large or hot ones make a node stand out.",
        )
        .with_command(format!("nodetool profileload {} {} 10000", table.keyspace, table.table)),
    );
}
