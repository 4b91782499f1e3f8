//! DR006 node-skew

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableMeasurements;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr006_node_skew.md"), examine);

/// A node with so many times the median of the others stands out.
const SKEW: f64 = 2.0;
const NODES_MIN: usize = 3;
const BYTES_MIN: f64 = 100e6;
const REQUESTS_MIN: f64 = 10_000.0;

/// A figure that is compared between nodes.
type TableFigure = fn(&TableMeasurements) -> Option<u64>;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let figures: [(&'static str, TableFigure, f64); 3] = [
        ("bytes on this node", |figures| figures.live_bytes, BYTES_MIN),
        ("reads of this node", |figures| figures.reads, REQUESTS_MIN),
        ("writes of this node", |figures| figures.writes, REQUESTS_MIN),
    ];
    for table in cluster.snapshot.list_measured_tables() {
        for (what, figure, least) in figures {
            let mut nodes: Vec<(&str, f64)> = cluster
                .snapshot
                .measurements(table)
                .filter_map(|(node, measured)| Some((node, figure(measured)? as f64)))
                .collect();
            nodes.sort_by(|a, b| a.1.total_cmp(&b.1));
            let Some(&(node, most)) = nodes.last().filter(|_| nodes.len() >= NODES_MIN) else {
                continue;
            };
            let median = nodes[nodes.len() / 2].1;
            if most < least || median <= 0.0 || most / median < SKEW {
                continue;
            }
            let quantity = |value| {
                if what.starts_with("bytes") {
                    Quantity::Bytes(value)
                } else {
                    Quantity::Count(value)
                }
            };
            let finding = found.report();
            finding.table(table).node(node);
            finding
                .exceed(
                    "against the median node",
                    Quantity::Times(most / median),
                    Quantity::Times(SKEW),
                )
                .evidence(what, quantity(most))
                .evidence("median of the nodes", quantity(median));
            finding.remedy(
                Remedy::new("Compare the partitions of the nodes: few large or hot ones make a node stand out.")
                    .with_command(format!("nodetool profileload {} {} 10000", table.keyspace, table.table)),
            );
            break;
        }
    }
}
