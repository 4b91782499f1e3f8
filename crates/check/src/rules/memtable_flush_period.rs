//! TO007: memtables that are flushed by the clock.

use crate::{Category, Check, FixKind, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "TO007",
    name: "memtable-flush-period",
    category: Category::Options,
    severity: Severity::Low,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("memtable_flush_period.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let period = table.params.memtable_flush_period_in_ms;
    if period <= 0 || table.is_view {
        return;
    }
    let place = project.option_location(facts, "memtable_flush_period_in_ms");
    let message = format!(
        "{} is flushed every {period} ms: small tables on disk, and compaction to put them together.",
        table.name
    );
    let finding = found.report(place, message);
    finding
        .with_table(table)
        .help("memtable_flush_period_in_ms = 0: memory and the commit log decide when to flush");
    if project.has_option(facts, "memtable_flush_period_in_ms") {
        finding.fix(
            FixKind::Unsafe,
            "flush when memory is needed",
            place,
            "memtable_flush_period_in_ms = 0",
        );
    }
}
