//! CK007: year, month and day as columns of their own.

use schema::catalog::{Column, Table};

use crate::facts::matches_any;
use crate::{
    Category, Check, Confidence, Project, Reporter, Requirement, Rule, Severity, TableFacts,
};

/// So many parts are a date that was taken to pieces.
const PIECES: usize = 3;

pub(super) static RULE: Rule = Rule {
    code: "CK007",
    name: "decomposed-time-hierarchy",
    category: Category::Clustering,
    severity: Severity::Medium,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("decomposed_time_hierarchy.md"),
};

/// The clustering columns that are parts of a time.
pub(super) fn time_parts(table: &Table) -> Vec<&Column> {
    const PARTS: &[&str] = &[
        "year", "month", "day", "hour", "minute", "second", "*_year", "*_month", "*_day", "*_hour",
        "*_minute", "*_second",
    ];
    table.clustering().iter().filter(|column| matches_any(&column.name, PARTS)).collect()
}

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let parts = time_parts(table);
    let (Some(first), true) = (parts.first(), parts.len() >= PIECES) else { return };
    let names: Vec<&str> = parts.iter().map(|column| &*column.name).collect();
    let message = format!("The time of {} is split over {}.", table.name, names.join(", "));
    found
        .report(project.key_location(facts, &first.name), message)
        .with_column(table, first)
        .confidence(Confidence::Medium)
        .help("keep one timestamp or date as clustering column, and a coarse bucket in the partition key");
}
