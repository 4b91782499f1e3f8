//! BA004: a batch of too many statements.

use cql::BatchKind;

use super::ba005_batch_for_throughput::is_bulk;
use crate::facts::workload::batch_work;
use crate::{Check, Limit, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const STATEMENTS: Limit = Limit::new("batch-statements", 100.0)
    .describe("number of statements at which a batch is too long");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba004_batch_statement_count.md"), Check::Statement(check))
        .with_limits(&[STATEMENTS]);

/// The protocol cannot encode a higher number of statements.
const PROTOCOL_MAX: u32 = 65_535;

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(work) = batch_work(project, seen) else { return };
    let count = u32::try_from(work.plan.statements.len()).unwrap_or(u32::MAX);
    let service = match (project.settings.target.product, work.plan.kind) {
        (Product::Keyspaces, BatchKind::Unlogged) => Some(30),
        (Product::Keyspaces, _) => Some(100),
        _ => None,
    };
    let hard = service.unwrap_or(PROTOCOL_MAX);
    let Some(table) = work.plan.tables.first() else { return };
    let (severity, message) = if count > hard {
        (
            Severity::Error,
            format!("The batch has {count} statements; more than {hard} are rejected."),
        )
    } else if f64::from(count) > reporter.limit(&STATEMENTS) && !is_bulk(&work, reporter) {
        (
            Severity::Medium,
            format!("The batch has {count} statements, a heavy load for one coordinator."),
        )
    } else {
        return;
    };
    let help =
        format!("split it into batches of at most {} statements", reporter.limit(&STATEMENTS));
    reporter.report(seen.place, message).with_table(table).severity(severity).help(help);
}
