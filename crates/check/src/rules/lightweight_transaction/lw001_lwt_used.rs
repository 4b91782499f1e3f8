//! LW001: lightweight transactions, and how often.

use model::figures;

use crate::facts::workload::hottest_share;
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts};

const TABLE_RATE: Limit = Limit::new("transactions-per-table", 100.0)
    .describe("lightweight transactions per second on one table");
const PARTITION_RATE: Limit = Limit::new("transactions-per-partition", 10.0)
    .describe("lightweight transactions per second on one partition");
const CONTENDED: Limit = Limit::new("transactions-contended", 100.0)
    .describe("lightweight transactions per second on one partition at which writers contend");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("lw001_lwt_used.md"), Check::Table(check)).with_limits(&[
        TABLE_RATE,
        PARTITION_RATE,
        CONTENDED,
    ]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let conditional = || facts.writes(project).filter(|seen| seen.is_conditional());
    let Some(first) = conditional().next() else { return };
    let table = &facts.table;
    let rate: f64 = conditional().filter_map(ReplayedStatement::rate).sum();
    let on_one = hottest_share(facts).map_or(0.0, |share| rate * share);
    let severity = if on_one > reporter.limit(&CONTENDED) {
        Severity::High
    } else if on_one > reporter.limit(&PARTITION_RATE) || rate > reporter.limit(&TABLE_RATE) {
        Severity::Medium
    } else {
        Severity::Info
    };
    let message = format!(
        "Conditional writes to {} are lightweight transactions: about four round trips each, executed one at a time per partition.",
        table.name
    );
    let count = conditional().count();
    let finding = reporter.report(first.place, message).with_table(table).severity(severity);
    if rate > 0.0 {
        let share = if on_one > 0.0 {
            format!(", {} on the hottest partition", figures::format_rate(on_one))
        } else {
            String::new()
        };
        finding.note(format!("{} in total{share}", figures::format_rate(rate)));
    }
    if count > 1 {
        finding.note(format!("{count} statements of the table have an IF"));
    }
    finding.help("distribute the keys, assign each partition to a single writer, or use idempotent writes without a condition");
}
