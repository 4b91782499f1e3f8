//! CP008: an unusual file size.

use crate::facts::lifetimes::compaction_class;
use crate::{Check, FixKind, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const USUAL: Limit = Limit::new("leveled-sstable-mb", 160.0)
    .describe("SSTable size in megabytes for leveled compaction");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp008_lcs_sstable_size.md"), Check::Table(check))
        .with_limits(&[USUAL]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let written = table.params.compaction.get("sstable_size_in_mb");
    let size = written.and_then(|text| text.parse::<f64>().ok());
    let usual = reporter.limit(&USUAL);
    let Some(size) = size.filter(|size| (size - usual).abs() > 0.5) else { return };
    if compaction_class(table) != "LeveledCompactionStrategy" {
        return;
    }
    // The server logs a warning for this size.
    let is_warned = !(50.0..1_000.0).contains(&size);
    let usual = usual.to_string();
    reporter
        .report(
            project.option_location(facts, "compaction"),
            format!("The SSTable size of {} is {size} MB.", table.name),
        )
        .with_table(table)
        .severity(if is_warned { Severity::Medium } else { Severity::Low })
        .help(format!("remove the size; the default is {usual} MB"))
        .with_fix(project.compaction_fix(
            facts,
            FixKind::Unsafe,
            &[("sstable_size_in_mb", &usual)],
        ));
}
