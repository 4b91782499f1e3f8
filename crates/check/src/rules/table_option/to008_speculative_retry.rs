//! TO008: speculative retry that is disabled, or always on.

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to008_speculative_retry.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let policy = table.params.speculative_retry.to_ascii_uppercase();
    let message = match policy.as_str() {
        "NONE" | "NEVER" => {
            format!("Reads of {} wait for a slow replica until they time out.", table.name)
        }
        "ALWAYS" => format!("Every read of {} queries one more replica than it needs.", table.name),
        _ => return,
    };
    if table.is_view {
        return;
    }
    reporter
        .report(project.option_location(facts, "speculative_retry"), message)
        .with_table(table)
        .help("use speculative_retry = '99p', the default");
}
