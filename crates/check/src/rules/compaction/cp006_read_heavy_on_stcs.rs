//! CP006: size-tiered compaction for rows that are updated and read often.

use model::figures;

use crate::facts::lifetimes::compaction_class;
use crate::facts::workload::{read_rate, write_rate};
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const TIMES: Limit = Limit::new("reads-per-write", 10.0)
    .describe("reads per write at which leveled compaction is worthwhile");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp006_read_heavy_on_stcs.md"), Check::Table(check))
        .with_limits(&[TIMES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "SizeTieredCompactionStrategy" || facts.view.is_some() {
        return;
    }
    let rates = read_rate(project, facts).zip(write_rate(project, facts));
    let Some((reads, writes)) = rates else { return };
    let updates = facts.row_writes(project).any(|write| !write.is_insert());
    if !updates || reads <= reporter.limit(&TIMES) * writes {
        return;
    }
    let message =
        format!("Rows of {} are updated in place and read from many SSTables.", table.name);
    reporter
        .report(project.option_location(facts, "compaction"), message)
        .with_table(table)
        .note(format!("{} read, {} written", figures::format_rate(reads), figures::format_rate(writes)))
        .note("nodetool tablehistograms shows the SSTables per read; 5 or more at p95 justify the change")
        .help("use UnifiedCompactionStrategy with scaling_parameters L10, or LeveledCompactionStrategy before 5.0");
}
