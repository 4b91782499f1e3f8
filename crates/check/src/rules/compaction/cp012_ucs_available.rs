//! CP012: a strategy that unified compaction replaces.

use crate::facts::lifetimes::compaction_class;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp012_ucs_available.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
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
    reporter
        .report(
            project.option_location(facts, "compaction"),
            format!("UnifiedCompactionStrategy can replace {class}, with smaller compactions."),
        )
        .with_table(table)
        .help(format!(
            "one node at a time: compaction = {{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': '{scaling}'}}"
        ));
}
