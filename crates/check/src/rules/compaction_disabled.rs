//! CP011: no compaction in the background.

use crate::{Category, Check, FixKind, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CP011",
    name: "compaction-disabled",
    category: Category::Compaction,
    severity: Severity::High,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("compaction_disabled.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let enabled = table.params.compaction.get("enabled");
    if !enabled.is_some_and(|text| text.eq_ignore_ascii_case("false")) {
        return;
    }
    found
        .report(
            project.option_location(facts, "compaction"),
            format!("Nothing of {} is compacted in the background.", table.name),
        )
        .with_table(table)
        .help("enable it; to stop it for an hour, use nodetool disableautocompaction")
        .with_fix(project.compaction_fix(facts, FixKind::Unsafe, &[("enabled", "true")]));
}
