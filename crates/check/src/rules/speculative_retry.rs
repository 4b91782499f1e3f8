//! TO008: no second try of slow reads, or always two.

use crate::{Category, Check, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "TO008",
    name: "speculative-retry",
    category: Category::Options,
    severity: Severity::Info,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("speculative_retry.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let policy = table.params.speculative_retry.to_ascii_uppercase();
    let message = match policy.as_str() {
        "NONE" | "NEVER" => {
            format!("Reads of {} wait for a slow replica until they time out.", table.name)
        }
        "ALWAYS" => format!("Every read of {} asks one replica more than it needs.", table.name),
        _ => return,
    };
    if table.is_view {
        return;
    }
    found
        .report(project.option_location(facts, "speculative_retry"), message)
        .with_table(table)
        .help("speculative_retry = '99p', the default");
}
