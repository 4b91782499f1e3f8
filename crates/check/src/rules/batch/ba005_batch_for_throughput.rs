//! BA005: a batch to make writes faster.

use crate::facts::tables::is_test_schema;
use crate::facts::workload::{BatchWork, batch_work};
use crate::{Check, Confidence, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const BULK: Limit = Limit::new("batch-bulk-partitions", 10.0)
    .describe("number of partitions of one table per batch at which it is a bulk load");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba005_batch_for_throughput.md"), Check::Statement(check))
        .with_limits(&[BULK]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(work) = batch_work(project, seen).filter(|work| is_bulk(work, reporter)) else {
        return;
    };
    let Some(table) = work.plan.tables.first() else { return };
    // A file of literals is run once, by hand or to load test data.
    let is_program = project.is_program(seen.place);
    let severity = if is_test_schema(project, seen.place, &table.keyspace) {
        Severity::Info
    } else if is_program || seen.rate().is_some() {
        Severity::High
    } else {
        Severity::Medium
    };
    let message = format!(
        "One batch writes {} partitions of {}: batches do not speed up inserts into several partitions, since one coordinator executes all of them.",
        work.of_one_table, table.name
    );
    reporter
        .report(seen.place, message)
        .with_table(table)
        .severity(severity)
        .confidence(Confidence::Medium)
        .help("send the statements asynchronously; batch only rows of the same partition");
}

/// Whether a batch is used to write many rows: many partitions of one table.
pub(super) fn is_bulk(work: &BatchWork<'_>, found: &Reporter<'_>) -> bool {
    u32::try_from(work.of_one_table).map_or(f64::INFINITY, f64::from) > found.limit(&BULK)
}
