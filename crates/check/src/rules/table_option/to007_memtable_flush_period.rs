//! TO007: memtables that are flushed by the clock.

use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to007_memtable_flush_period.md"), Check::Table(check));

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
