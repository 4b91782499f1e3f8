//! MV007: a view keyed by what changes.

use crate::facts::tables::{base_table, extra_key_column};
use crate::facts::workload::table_column_writes;
use crate::vocabulary::status::{is_mutable, is_state};
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv007_mv_volatile_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(base) = base_table(project, facts) else { return };
    let Some(column) = extra_key_column(&facts.table, &base.table) else { return };
    let touched = table_column_writes(project, base);
    let change = touched.iter().find(|one| one.column.name == column.name && !one.inserts);
    let confidence = match change {
        Some(_) => Confidence::High,
        // The statements are known, and none changes it.
        None if !touched.is_empty() => return,
        None if is_state(column) => Confidence::Medium,
        None if is_mutable(column) => Confidence::Low,
        None => return,
    };
    let name = &column.name;
    let message = format!("Each change of `{name}` writes a tombstone in the view.");
    let finding = reporter.report(project.key_location(facts, name), message);
    finding.with_column(&facts.table, column).confidence(confidence).help(
        "create a separate table with a time span in its key, or index the column if queries restrict the partition key",
    );
    if let Some(change) = change {
        let rate = change.seen.rate().map(model::figures::format_rate);
        let often = rate.map_or_else(String::new, |rate| format!(", {rate}"));
        finding.with_related(change.place, format!("`{name}` is changed here{often}"));
    }
}
