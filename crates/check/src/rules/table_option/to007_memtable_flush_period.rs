//! TO007: memtables that are flushed periodically.

use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to007_memtable_flush_period.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let period = table.params.memtable_flush_period_in_ms;
    if period <= 0 || table.is_view {
        return;
    }
    let place = project.option_location(facts, "memtable_flush_period_in_ms");
    let message = format!(
        "{} is flushed every {period} ms, which creates small SSTables and more compaction.",
        table.name
    );
    let finding = reporter.report(place, message);
    finding
        .with_table(table)
        .help("set memtable_flush_period_in_ms = 0, so that memory use and the commit log determine when to flush");
    if project.has_option(facts, "memtable_flush_period_in_ms") {
        finding.fix(
            FixKind::Unsafe,
            "flush only when needed",
            place,
            "memtable_flush_period_in_ms = 0",
        );
    }
}
