//! CP005: leveled compaction where much is written.

use model::figures;

use crate::facts::lifetimes::compaction_class;
use crate::facts::workload::{is_append_only, is_time_series, read_rate, write_rate};
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp005_lcs_write_heavy.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "LeveledCompactionStrategy" {
        return;
    }
    let (reads, writes) = (read_rate(project, facts), write_rate(project, facts));
    let note = match (reads, writes) {
        (Some(reads), Some(writes)) if writes > reads => {
            format!(
                "{} written, {} read",
                figures::format_rate(writes),
                figures::format_rate(reads)
            )
        }
        (Some(_), Some(_)) => return,
        // CP004 reports series that expire.
        _ if facts.volume.expires.is_none()
            && is_time_series(project, facts)
            && is_append_only(project, facts) =>
        {
            "rows are only appended, in time order".to_owned()
        }
        _ => return,
    };
    let message = format!(
        "Leveled compaction rewrites the data of {} about ten times per level.",
        table.name
    );
    reporter
        .report(project.option_location(facts, "compaction"), message)
        .with_table(table)
        .note(note)
        .help("use UnifiedCompactionStrategy with scaling_parameters T4, or SizeTieredCompactionStrategy before 5.0");
}
