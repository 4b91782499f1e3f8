//! CP012: a strategy that unified compaction replaces.

use crate::facts::compaction_class;
use crate::{Asks, Category, Check, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CP012",
    name: "ucs-available",
    category: Category::Compaction,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Target],
    by_default: false,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("ucs_available.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if !project.settings.target.is_apache_from((5, 0))
        || project.written_option(facts, "compaction").is_none()
    {
        return;
    }
    let (class, scaling) = match compaction_class(table) {
        class @ "SizeTieredCompactionStrategy" => (class, "T4"),
        class @ "LeveledCompactionStrategy" => (class, "L10"),
        _ => return,
    };
    found
        .at(
            project.option_place(facts, "compaction"),
            format!("UnifiedCompactionStrategy does what {class} does, in smaller steps."),
        )
        .of_table(table)
        .help(format!(
            "on one node after the other: compaction = {{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '{scaling}'}}"
        ));
}
