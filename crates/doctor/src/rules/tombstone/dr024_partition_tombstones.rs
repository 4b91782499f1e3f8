//! DR024 partition-tombstones

use crate::rules::examination::Examination;
use crate::rules::figures::TOMBSTONES_FAIL;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, TableName};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr024_partition_tombstones.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let logged = cluster.events(EventKind::PartitionTombstones);
    let mut tables = cluster.snapshot.list_measured_tables();
    tables.extend(logged.keys().copied().flatten());
    tables.sort_unstable();
    tables.dedup();
    for table in tables {
        let most = list_partitions(cluster, table).max_by_key(|(_, _, count)| *count);
        let Some((node, key, count)) =
            most.filter(|(_, _, count)| *count as f64 >= TOMBSTONES_FAIL)
        else {
            continue;
        };
        let finding = found.report();
        finding.table(table).node(node).key(Some(key)).exceed(
            "tombstones of one partition",
            Quantity::Count(count as f64),
            Quantity::Count(TOMBSTONES_FAIL),
        );
        finding.remedy(Remedy::new(
            "Delete whole partitions or ranges instead of rows: one tombstone covers all of them.",
        ));
        finding.remedy(
            Remedy::new("Drop what gc_grace_seconds allows to be dropped.").with_command(format!(
                "nodetool garbagecollect {} {}",
                table.keyspace, table.table
            )),
        );
    }
}

/// The partitions with most tombstones, by every source.
fn listed<'e>(
    cluster: &'e Examination<'_>,
    table: &'e TableName,
) -> impl Iterator<Item = (&'e str, &'e str, u64)> {
    cluster.nodes().flat_map(move |(node, facts)| {
        let figures = facts.tables.get(table).into_iter();
        let measured = figures.flat_map(|figures| &figures.most_tombstones);
        let measured = measured.map(move |it| (node, it.key.as_str(), it.value));
        let groups = facts.log.groups_of(EventKind::PartitionTombstones);
        let logged = groups.filter(move |(of, _, _)| *of == Some(table));
        let logged = logged.filter_map(move |(_, _, summary)| {
            let worst = summary.worst.as_ref()?;
            let count = worst.value?;
            (count.is_finite() && count >= 0.0).then_some(())?;
            Some((node, worst.key.as_deref().unwrap_or_default(), whole(count)))
        });
        measured.chain(logged)
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates, and a count is not negative"
)]
fn whole(count: f64) -> u64 {
    count as u64
}
