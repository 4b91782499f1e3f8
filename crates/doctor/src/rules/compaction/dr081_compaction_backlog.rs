//! DR081 compaction-backlog

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr081_compaction_backlog.md"), examine);

/// Waiting compactions of a node that are usual.
const PENDING: f64 = 100.0;
const PENDING_HIGH: f64 = 1_000.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, node) in cluster.nodes() {
        let by_table = &node.compaction.pending_by_table;
        let listed: u64 = by_table.values().sum();
        let measured = node.tables.values().filter_map(|figures| figures.pending_compactions);
        let measured = measured.reduce(u64::saturating_add);
        let pending = node.compaction.pending.or(measured).max((listed > 0).then_some(listed));
        let Some(pending) = pending.map(|it| it as f64).filter(|it| *it >= PENDING) else {
            continue;
        };
        let tables =
            node.tables.iter().filter_map(|(table, it)| Some((table, it.pending_compactions?)));
        let tables = tables.chain(by_table.iter().map(|(table, count)| (table, *count)));
        let worst = tables.max_by_key(|(_, count)| *count);
        let finding = found.report();
        if pending >= PENDING_HIGH {
            finding.severity(Severity::High);
        }
        finding.node(name).exceed(
            "compactions that wait",
            Quantity::Count(pending),
            Quantity::Count(PENDING),
        );
        if let Some((table, count)) =
            worst.filter(|(table, count)| *count > 0 && !table.is_system())
        {
            finding.table(table).evidence("of this table", Quantity::Count(count as f64));
        }
        finding.evidence_if(
            "throughput in MB/s (0: no limit)",
            node.compaction.throughput_mb.map(Quantity::Count),
        );
        let raise = Remedy::new("Give compaction more throughput, if the disks have it to spare.");
        finding.remedy(raise.with_command("nodetool setcompactionthroughput 128"));
        finding.remedy(
            Remedy::new("See which tables are behind.").with_command("nodetool compactionstats"),
        );
    }
}
