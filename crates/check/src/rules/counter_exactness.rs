//! CN007: counters of what must be exact.

use crate::facts::is_exact_count_name;
use crate::{
    Category, Check, Confidence, Project, Reporter, Requirement, Rule, Severity, TableFacts,
};

pub(super) static RULE: Rule = Rule {
    code: "CN007",
    name: "counter-exactness",
    category: Category::Counter,
    severity: Severity::Medium,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("counter_exactness.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if !table.is_counter() {
        return;
    }
    let counters = table.columns().iter().filter(|column| column.ty.is_counter());
    for column in counters {
        let name = &column.name;
        // The name of the table speaks for its only counter.
        let speaks = table.regulars().len() == 1 && is_exact_count_name(&table.name);
        if !is_exact_count_name(name) && !speaks {
            continue;
        }
        found
            .report(project.column_location(facts, name), format!("`{name}` has to be exact, and counters are not."))
            .with_column(table, column)
            .confidence(Confidence::Medium)
            .help("write an event for each change and add them up, or keep a bigint and change it with IF");
    }
}
