//! TO006: an unusual chance of false positives.

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to006_bloom_filter.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.is_view || !project.has_option(facts, "bloom_filter_fp_chance") {
        return;
    }
    let chance = table.params.bloom_filter_fp_chance;
    let class = table.params.compaction.get("class").map_or("", |class| class.as_ref());
    let leveled = class.ends_with("LeveledCompactionStrategy");
    let what = if chance >= 0.1 && !leveled {
        format!(
            "With bloom_filter_fp_chance {chance}, one of {:.0} SSTables is read in vain for a key that it does not contain.",
            (1.0 / chance).round()
        )
    } else if chance <= 0.001 {
        format!(
            "With bloom_filter_fp_chance {chance}, the filters take 50% more memory than with 0.01."
        )
    } else {
        return;
    };
    reporter
        .report(project.option_location(facts, "bloom_filter_fp_chance"), what)
        .with_table(table)
        .help("use the default, 0.01, or 0.1 with LeveledCompactionStrategy");
}
