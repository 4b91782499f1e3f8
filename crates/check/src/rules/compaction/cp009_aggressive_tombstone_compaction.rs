//! CP009: compaction that is tuned to remove tombstones.

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp009_aggressive_tombstone_compaction.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let option = |name: &str| table.params.compaction.get(name);
    let number = |name: &str| option(name).and_then(|text| text.parse::<f64>().ok());
    let mut signs: Vec<&str> = Vec::new();
    if option("unchecked_tombstone_compaction")
        .is_some_and(|text| text.eq_ignore_ascii_case("true"))
    {
        signs.push("unchecked_tombstone_compaction");
    }
    if number("tombstone_threshold").is_some_and(|share| share < 0.2) {
        signs.push("tombstone_threshold");
    }
    if number("tombstone_compaction_interval").is_some_and(|seconds| seconds < 86_400.0) {
        signs.push("tombstone_compaction_interval");
    }
    if signs.is_empty() {
        return;
    }
    let message = format!("Compaction of {} is tuned to remove tombstones.", table.name);
    reporter
        .report(project.option_location(facts, "compaction"), message)
        .with_table(table)
        .note(signs.join(", "))
        .help("fix the cause: a queue, rows that are deleted one by one, or inserted nulls");
}
