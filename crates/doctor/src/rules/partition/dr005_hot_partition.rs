//! DR005 hot-partition

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr005_hot_partition.md"), examine);

/// The share of the sampled requests above which a partition is hot.
const SHARE: f64 = 20.0;
/// Samples below which a share says nothing.
const SAMPLES_MIN: u64 = 100;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        for (node, figures) in cluster.snapshot.measurements(table) {
            let sampled: u64 = figures.hottest_partitions.iter().map(|it| it.value).sum();
            let hottest = figures.hottest_partitions.iter().max_by_key(|it| it.value);
            let Some(hottest) = hottest.filter(|_| sampled >= SAMPLES_MIN) else { continue };
            let share = hottest.value as f64 / sampled as f64 * 100.0;
            // A single listed partition is the whole list, not the whole load.
            if share < SHARE || figures.hottest_partitions.len() < 3 {
                continue;
            }
            let finding = found.report();
            finding.table(table).node(node).key(Some(&hottest.key));
            finding
                .exceed(
                    "share of the sampled requests",
                    Quantity::Percent(share),
                    Quantity::Percent(SHARE),
                )
                .evidence("sampled requests", Quantity::Count(sampled as f64));
            let split = Remedy::new(
                "Spread the key: add a shard to the partition key for writes, cache the value for reads.",
            );
            finding.remedy(match cluster.definition(table) {
                Some(definition) => split.with_cql(redesign::split_partitions(definition)),
                None => split,
            });
        }
    }
}
