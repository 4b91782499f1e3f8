//! CN007: counters for values that must be exact.

use crate::vocabulary::quantities::is_exact_count_name;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn007_counter_exactness.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if !table.is_counter() {
        return;
    }
    let counters = table.columns().iter().filter(|column| column.ty.is_counter());
    for column in counters {
        let name = &column.name;
        // The table name describes its only counter.
        let speaks = table.regulars().len() == 1 && is_exact_count_name(&table.name);
        if !is_exact_count_name(name) && !speaks {
            continue;
        }
        reporter
            .report(project.column_location(facts, name), format!("`{name}` has to be exact, but counters are not."))
            .with_column(table, column)
            .confidence(Confidence::Medium)
            .help("store an event for each change and sum them up, or use a bigint and change it with IF");
    }
}
