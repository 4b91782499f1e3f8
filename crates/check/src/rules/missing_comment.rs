//! TO010: tables that do not say which query they are for.

use crate::{Category, Check, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "TO010",
    name: "missing-comment",
    category: Category::Options,
    severity: Severity::Info,
    requires: &[Requirement::Schema],
    by_default: false,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("missing_comment.md"),
};

fn check(_: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.is_view || !table.params.comment.is_empty() {
        return;
    }
    found
        .report(facts.place, format!("Which query is {} for?", table.name))
        .with_table(table)
        .help("say it in the table: WITH comment = 'Q1 ...'");
}
