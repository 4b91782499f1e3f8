//! CP010: files that are dropped without checking for overlaps.

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp010_unsafe_aggressive_expiration.md"), Check::Table(check));

/// The server rejects it for time windows, which the binder reports. Unified compaction accepts it.
fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let option = table.params.compaction.get("unsafe_aggressive_sstable_expiration");
    if !option.is_some_and(|text| text.eq_ignore_ascii_case("true")) {
        return;
    }
    reporter
        .report(
            project.option_location(facts, "compaction"),
            format!("Expired SSTables of {} are dropped without checking for overlapping SSTables.", table.name),
        )
        .with_table(table)
        .help("remove unsafe_aggressive_sstable_expiration, which is safe only for rows that never change and always expire");
}
