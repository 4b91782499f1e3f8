//! CP012: a strategy that unified compaction replaces.

use crate::facts::compaction_class;
use crate::{Category, Check, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CP012",
    name: "ucs-available",
    category: Category::Compaction,
    severity: Severity::Info,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: false,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("ucs_available.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if !project.settings.target.is_apache_from((5, 0))
        || project.table_option(facts, "compaction").is_none()
    {
        return;
    }
    let (class, scaling) = match compaction_class(table) {
        class @ "SizeTieredCompactionStrategy" => (class, "T4"),
        class @ "LeveledCompactionStrategy" => (class, "L10"),
        _ => return,
    };
    found
        .report(
            project.option_location(facts, "compaction"),
            format!("UnifiedCompactionStrategy does what {class} does, in smaller steps."),
        )
        .with_table(table)
        .help(format!(
            "on one node after the other: compaction = {{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '{scaling}'}}"
        ));
}
