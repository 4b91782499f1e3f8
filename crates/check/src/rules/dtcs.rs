//! CP007: a compaction strategy that is gone.

use crate::{Asks, Category, Check, FixKind, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CP007",
    name: "dtcs",
    category: Category::Compaction,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("dtcs.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    // 5.0 refuses the statement, which is told.
    if project.settings.target.is_apache_from((5, 0)) {
        return;
    }
    let written = project.written_map(facts, "compaction");
    let is_it = |(name, value): &(&str, &str)| {
        *name == "class" && value.ends_with("DateTieredCompactionStrategy")
    };
    if !written.iter().any(is_it) {
        return;
    }
    let windows = "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'}";
    found
        .at(
            project.option_place(facts, "compaction"),
            "DateTieredCompactionStrategy is deprecated, and gone in 5.0.",
        )
        .of_table(&facts.table)
        .help("change to TimeWindowCompactionStrategy before the upgrade; max_window_size_seconds becomes the size of a window")
        .with_fix(project.with_option(facts, FixKind::Unsafe, "compaction", windows));
}
