//! TB012: `gc_grace_seconds` shorter than the time between repairs.

use model::concept::DAY;
use model::figures;
use schema::access::WriteEffect;

use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, TableFacts};

const REPAIR: Limit =
    Limit::new("repair-days", 0.0).describe("days between repairs of a table; 0 if unknown");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb012_gc_grace_below_repair_interval.md"), Check::Table(check))
        .with_limits(&[REPAIR]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let grace = f64::from(table.params.gc_grace_seconds);
    let between = reporter.limit(&REPAIR) * DAY;
    if grace <= 0.0 || grace >= between || facts.view.is_some() {
        return;
    }
    let mut writes = facts.own_writes(project).peekable();
    let confidence = if writes.peek().is_none() {
        Confidence::Low
    } else if writes.any(|write| {
        matches!(write.plan.effect, WriteEffect::DeleteRows | WriteEffect::DeleteColumns)
    }) {
        Confidence::High
    } else {
        return;
    };
    let message = format!("Deleted data of {} may reappear.", table.name);
    reporter
        .report(project.option_location(facts, "gc_grace_seconds"), message)
        .with_table(table)
        .confidence(confidence)
        .note(format!(
            "tombstones are kept for {}, but repairs are {} apart",
            figures::format_duration(grace),
            figures::format_duration(between)
        ))
        .help("repair more often, or raise gc_grace_seconds above the repair interval");
}
