//! CP007: a removed compaction strategy.

use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp007_dtcs.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    // 5.0 rejects the statement, which is reported as such.
    if project.settings.target.is_apache_from((5, 0)) {
        return;
    }
    let written = project.option_entries(facts, "compaction");
    let is_it = |(name, value): &(&str, &str)| {
        *name == "class" && value.ends_with("DateTieredCompactionStrategy")
    };
    if !written.iter().any(is_it) {
        return;
    }
    let windows = "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'}";
    reporter
        .report(
            project.option_location(facts, "compaction"),
            "DateTieredCompactionStrategy is deprecated and was removed in 5.0.",
        )
        .with_table(&facts.table)
        .help("change to TimeWindowCompactionStrategy before the upgrade; max_window_size_seconds becomes the window size")
        .with_fix(project.option_fix(facts, FixKind::Unsafe, "compaction", windows));
}
