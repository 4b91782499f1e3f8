//! CK007: year, month and day as separate columns.

use schema::catalog::{Column, Table};

use crate::vocabulary::matcher::matches_any;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

/// At this number of parts, the columns are a decomposed date.
pub(super) const TIME_PARTS: usize = 3;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck007_decomposed_time_hierarchy.md"), Check::Table(check));

/// The clustering columns that are parts of a time.
pub(in crate::rules) fn time_parts(table: &Table) -> Vec<&Column> {
    const PARTS: &[&str] = &[
        "year", "month", "day", "hour", "minute", "second", "*_year", "*_month", "*_day", "*_hour",
        "*_minute", "*_second",
    ];
    table.clustering().iter().filter(|column| matches_any(&column.name, PARTS)).collect()
}

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let parts = time_parts(table);
    let (Some(first), true) = (parts.first(), parts.len() >= TIME_PARTS) else { return };
    let names: Vec<&str> = parts.iter().map(|column| &*column.name).collect();
    let message = format!("The time of {} is split over {}.", table.name, names.join(", "));
    reporter
        .report(project.key_location(facts, &first.name), message)
        .with_column(table, first)
        .confidence(Confidence::Medium)
        .help("use one timestamp or date as clustering column, and a coarse bucket in the partition key");
}
