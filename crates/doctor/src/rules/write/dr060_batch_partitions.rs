//! DR060 batch-partitions

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, Node, Percentiles};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr060_batch_partitions.md"), examine);

/// Partitions of a batch from which the server warns.
const PARTITIONS: f64 = 10.0;
const PARTITIONS_HIGH: f64 = 50.0;

/// The partitions of the batches of a kind.
type BatchFigure = fn(&Node) -> Option<&Percentiles>;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut is_logged = false;
    for (table, groups) in cluster.events(EventKind::UnloggedBatch) {
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let most = groups.iter().filter_map(|(_, _, summary)| summary.max).reduce(f64::max);
        is_logged = true;
        let finding = found.report();
        if let Some(table) = table {
            finding.table(table);
        }
        for (node, _, _) in &groups {
            finding.node(node);
        }
        if let Some(most) = most {
            report_most(finding, "partitions of an unlogged batch", most);
        }
        finding.evidence("warnings in the log", Quantity::Count(count as f64)).remedy(separate());
    }
    let kinds: [(&'static str, BatchFigure); 2] = [
        ("partitions of a logged batch", |node| node.partitions_per_logged_batch.as_ref()),
        ("partitions of an unlogged batch", |node| node.partitions_per_unlogged_batch.as_ref()),
    ];
    for (at, (what, figure)) in kinds.into_iter().enumerate() {
        // The log names the tables of unlogged batches, which the metric does not.
        if at == 1 && is_logged {
            continue;
        }
        let nodes = cluster.nodes().filter_map(|(name, node)| Some((name, figure(node)?.max?)));
        let most = nodes.max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((node, most)) = most.filter(|(_, most)| *most > PARTITIONS) else { continue };
        let p99 = cluster.nodes().filter_map(|(_, node)| figure(node)?.p99).reduce(f64::max);
        let finding = found.report();
        finding.node(node);
        report_most(finding, what, most);
        finding.evidence_if("99 of 100 have at most", p99.map(Quantity::Count)).remedy(separate());
    }
}

fn report_most(finding: &mut crate::rules::finding::Finding, what: &'static str, most: f64) {
    if most >= PARTITIONS_HIGH {
        finding.severity(Severity::High);
    }
    finding.exceed(what, Quantity::Count(most), Quantity::Count(PARTITIONS));
}

fn separate() -> Remedy {
    Remedy::new(
        "Send the writes one by one, concurrently; batch only writes to one partition, or the copies of one fact.",
    )
}
