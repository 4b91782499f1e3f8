//! DR007 few-partition-keys

use crate::rules::examination::Examination;
use crate::rules::figures::PARTITION_BYTES;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr007_few_partition_keys.md"), examine);

/// Fewer ranges say nothing about the keys.
const RANGES_MIN: u64 = 16;
/// With keys as many as ranges, 63 of 100 ranges have one; with a quarter as many, 22.
const RANGES_PER_USED: u64 = 4;
/// Below this size nothing suffers from it.
const BYTES_MIN: f64 = PARTITION_BYTES;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        let (mut ranges, mut empty) = (0, 0);
        for estimates in cluster.nodes().filter_map(|(_, node)| node.ranges(table)) {
            ranges += estimates.ranges;
            empty += estimates.empty;
        }
        let used = ranges - empty;
        let bytes = cluster.sum(table, |figures| figures.live_bytes).map(|bytes| bytes as f64);
        let Some(bytes) = bytes.filter(|bytes| *bytes >= BYTES_MIN) else { continue };
        if ranges < RANGES_MIN || used == 0 || used * RANGES_PER_USED > ranges {
            continue;
        }
        let finding = found.report();
        let nodes = cluster.nodes().filter(|(_, node)| {
            node.ranges(table).is_some_and(|estimates| estimates.empty < estimates.ranges)
        });
        for (name, _) in nodes {
            finding.node(name);
        }
        finding.table(table);
        finding.impact = ranges as f64 / used as f64;
        finding
            .evidence("token ranges with rows", Quantity::Count(used as f64))
            .evidence("token ranges", Quantity::Count(ranges as f64))
            .evidence("bytes on all nodes", Quantity::Bytes(bytes));
        let split = Remedy::new(
            "Choose a partition key with more values, or add a bucket of time or a shard to it.",
        );
        finding.remedy(match cluster.definition(table) {
            Some(definition) => split.with_cql(redesign::split_partitions(definition)),
            None => split,
        });
    }
}
