//! BA001: a logged batch over several partitions.

use cql::BatchKind;

use super::ba005_batch_for_throughput::is_bulk;
use crate::facts::workload::{BatchWork, batch_work};
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const COPIES: Limit = Limit::new("batch-copies", 5.0).describe(
    "number of statements of a logged batch that keeps copies consistent, up to which the severity is info",
);
const SEVERAL: Limit = Limit::new("batch-partitions", 10.0)
    .describe("number of partitions per batch at which it loads the coordinator heavily");
const MANY: Limit = Limit::new("batch-partitions-many", 100.0)
    .describe("number of partitions per batch at which it endangers the coordinator");
const RATE: Limit = Limit::new("batch-rate", 1.0).describe(
    "logged batches per second over several partitions that do not keep copies consistent",
);

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba001_multi_partition_logged_batch.md"), Check::Statement(check))
        .with_limits(&[COPIES, SEVERAL, MANY, RATE]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(work) = batch_work(project, seen) else { return };
    let is_logged = work.plan.kind == BatchKind::Logged && !work.plan.conditional;
    if !is_logged || work.partitions < 2 || is_bulk(&work, reporter) {
        return;
    }
    let copies = is_copy_maintenance(&work);
    let is_frequent = seen.rate().is_some_and(|rate| rate > reporter.limit(&RATE));
    let partitions = work.partitions;
    let severity = if is_above(partitions, reporter.limit(&MANY)) {
        Severity::High
    } else if is_above(partitions, reporter.limit(&SEVERAL)) || is_frequent && !copies {
        Severity::Medium
    } else if copies && !is_above(work.plan.statements.len(), reporter.limit(&COPIES)) {
        Severity::Info
    } else {
        Severity::Low
    };
    let Some(table) = work.plan.tables.first() else { return };
    let message = format!(
        "The coordinator first writes the whole batch to the batchlog of two nodes, then {partitions} partitions."
    );
    let finding = reporter.report(seen.place, message).with_table(table).severity(severity);
    if let Some(rate) = seen.rate() {
        finding.note(format!(
            "{rate} batches per second write {} partitions",
            rate * to_f64(partitions)
        ));
    }
    finding.help(if copies {
        "keep it if copies of the same data must not diverge; nothing else needs a logged batch"
    } else {
        "write each partition with a separate statement, asynchronously"
    });
}

/// Whether the batch keeps copies consistent: no table is written twice, except for a row that
/// moves.
fn is_copy_maintenance(work: &BatchWork<'_>) -> bool {
    work.plan.statements.len() <= 2 * work.plan.tables.len() && work.plan.tables.len() > 1
}

fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

fn is_above(count: usize, limit: f64) -> bool {
    to_f64(count) > limit
}
