//! CP001: windows that never expire.

use crate::facts::{compaction_class, has_ttl_everywhere};
use crate::{
    Category, Check, Confidence, Project, Reporter, Requirement, Rule, Severity, TableFacts,
};

pub(super) static RULE: Rule = Rule {
    code: "CP001",
    name: "twcs-without-ttl",
    category: Category::Compaction,
    severity: Severity::Medium,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("twcs_without_ttl.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "TimeWindowCompactionStrategy"
        || table.params.default_time_to_live > 0
        || has_ttl_everywhere(project, facts)
    {
        return;
    }
    let has_writes = facts.row_writes(project).next().is_some();
    let confidence = if has_writes { Confidence::High } else { Confidence::Medium };
    let finding = found
        .report(
            project.option_location(facts, "compaction"),
            format!("Windows of {} never expire.", table.name),
        )
        .with_table(table)
        .confidence(confidence)
        .help("set default_time_to_live, write every row with USING TTL, or use UnifiedCompactionStrategy");
    if !has_writes {
        finding.note("no statement that writes it is known: one with USING TTL would end this");
    }
}
