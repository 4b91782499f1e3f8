//! CP011: no compaction in the background.

use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp011_compaction_disabled.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let enabled = table.params.compaction.get("enabled");
    if !enabled.is_some_and(|text| text.eq_ignore_ascii_case("false")) {
        return;
    }
    reporter
        .report(
            project.option_location(facts, "compaction"),
            format!("Background compaction of {} is disabled.", table.name),
        )
        .with_table(table)
        .help("enable it; to pause it temporarily, use nodetool disableautocompaction")
        .with_fix(project.compaction_fix(facts, FixKind::Unsafe, &[("enabled", "true")]));
}
