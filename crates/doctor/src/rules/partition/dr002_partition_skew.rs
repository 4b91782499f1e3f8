//! DR002 partition-skew

use crate::rules::examination::Examination;
use crate::rules::figures::PARTITION_BYTES;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr002_partition_skew.md"), examine);

/// A partition that is so many times as large as a usual one stands out.
const SKEW: f64 = 100.0;
/// Below this size nothing suffers from it.
const BYTES_MIN: f64 = 10e6;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        let largest =
            cluster.worst(table, |figures| figures.largest_partition_bytes().map(|it| it as f64));
        let usual = cluster.worst(table, |figures| {
            let median = figures.partition_bytes.as_ref().and_then(|bytes| bytes.p50);
            median.or(figures.mean_partition_bytes.map(|bytes| bytes as f64))
        });
        let (Some((node, largest)), Some((_, usual))) = (largest, usual) else { continue };
        // Above the bound of DR001 its finding says more.
        if !(BYTES_MIN..PARTITION_BYTES).contains(&largest) || usual <= 0.0 {
            continue;
        }
        if largest / usual < SKEW {
            continue;
        }
        let finding = found.report();
        finding.table(table).node(node);
        finding
            .exceed(
                "largest against a usual partition",
                Quantity::Times(largest / usual),
                Quantity::Times(SKEW),
            )
            .evidence("largest partition", Quantity::Bytes(largest))
            .evidence("usual partition", Quantity::Bytes(usual));
        let keys = snapshot_keys(cluster, table);
        finding.key(keys);
        let split = Remedy::new(
            "Divide the partitions of the frequent keys: add a column, a bucket of time or a shard to the partition key.",
        );
        finding.remedy(match cluster.definition(table) {
            Some(definition) => split.with_cql(redesign::split_partitions(definition)),
            None => split,
        });
        finding.remedy(Remedy::new("Find the keys that are read and written most.").with_command(
            format!("nodetool profileload {} {} 10000", table.keyspace, table.table),
        ));
    }
}

/// The key of the largest partition, if a source names it.
fn snapshot_keys<'a>(
    cluster: &Examination<'a>,
    table: &crate::snapshot::TableName,
) -> Option<&'a str> {
    let figures = cluster.nodes().filter_map(|(_, node)| node.tables.get(table));
    let listed = figures.flat_map(|figures| &figures.largest_partitions);
    listed.max_by_key(|partition| partition.value).map(|partition| partition.key.as_str())
}
