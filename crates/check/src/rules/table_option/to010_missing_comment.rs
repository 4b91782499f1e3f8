//! TO010: tables without a comment that states which query they serve.

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to010_missing_comment.md"), Check::Table(check));

fn check(_: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.is_view || !table.params.comment.is_empty() {
        return;
    }
    reporter
        .report(
            facts.place,
            format!("{} has no comment that states which query it serves.", table.name),
        )
        .with_table(table)
        .help("add it to the table: WITH comment = 'Q1 ...'");
}
