//! BA002: an unlogged batch over several partitions.

use cql::BatchKind;

use super::ba005_batch_for_throughput::is_bulk;
use crate::facts::workload::batch_work;
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const WARNED: Limit = Limit::new("unlogged-batch-across-partitions-warn", 10.0)
    .describe("number of partitions per unlogged batch above which the server warns");

pub(super) const RULE: RuleEntry = RuleEntry::new(
    include_str!("ba002_multi_partition_unlogged_batch.md"),
    Check::Statement(check),
)
.with_limits(&[WARNED]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(work) = batch_work(project, seen) else { return };
    let partitions = work.partitions;
    if work.plan.kind != BatchKind::Unlogged || partitions < 2 || is_bulk(&work, reporter) {
        return;
    }
    let Some(table) = work.plan.tables.first() else { return };
    let warns =
        u32::try_from(partitions).map_or(f64::INFINITY, f64::from) > reporter.limit(&WARNED);
    let message = format!(
        "This unlogged batch writes {partitions} partitions: it is not atomic, and a single coordinator does all the work."
    );
    let finding = reporter.report(seen.place, message).with_table(table);
    if warns {
        finding.note(format!(
            "the server warns: Unlogged batch covering {partitions} partitions detected"
        ));
    }
    finding.help(
        "send the statements separately and asynchronously; or use BEGIN BATCH if all or none must be applied",
    );
}
