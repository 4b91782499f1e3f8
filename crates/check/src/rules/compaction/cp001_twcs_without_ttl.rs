//! CP001: windows that never expire.

use crate::facts::lifetimes::{compaction_class, has_ttl_everywhere};
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp001_twcs_without_ttl.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "TimeWindowCompactionStrategy"
        || table.params.default_time_to_live > 0
        || has_ttl_everywhere(project, facts)
    {
        return;
    }
    let has_writes = facts.row_writes(project).next().is_some();
    let confidence = if has_writes { Confidence::High } else { Confidence::Medium };
    let finding = reporter
        .report(
            project.option_location(facts, "compaction"),
            format!("Time windows of {} never expire.", table.name),
        )
        .with_table(table)
        .confidence(confidence)
        .help("set default_time_to_live, write every row with USING TTL, or use UnifiedCompactionStrategy");
    if !has_writes {
        finding.note("no statement that writes it is known; one with USING TTL would resolve this");
    }
}
