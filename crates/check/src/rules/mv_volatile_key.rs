//! MV007: a view keyed by what changes.

use crate::facts::{added_key, base_of, is_mutable, is_state, touches_of};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "MV007",
    name: "mv-volatile-key",
    category: Category::View,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("mv_volatile_key.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let Some(base) = base_of(project, facts) else { return };
    let Some(column) = added_key(&facts.table, &base.table) else { return };
    let touched = touches_of(project, base);
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
    let message = format!("Each change of `{name}` writes a view tombstone.");
    let finding = found.at(project.key_place(facts, name), message);
    finding.of_column(&facts.table, column).confidence(confidence).help(
        "keep a table of your own with a span of time in its key, or index the column where one partition is asked",
    );
    if let Some(change) = change {
        let rate = change.seen.rate().map(crate::facts::figures::rate);
        let often = rate.map_or_else(String::new, |rate| format!(", {rate}"));
        finding.related(change.place, format!("`{name}` is changed here{often}"));
    }
}
