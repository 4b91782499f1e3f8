//! CP006: size-tiered compaction where rows are updated and much is read.

use model::figures;

use crate::facts::{compaction_class, read_rate, write_rate};
use crate::{Category, Check, Limit, Project, Reporter, Requirement, Rule, Severity, TableFacts};

const TIMES: Limit = Limit {
    name: "reads-per-write",
    default: 10.0,
    what: "reads per write from which on leveled compaction pays",
};

pub(super) static RULE: Rule = Rule {
    code: "CP006",
    name: "read-heavy-on-stcs",
    category: Category::Compaction,
    severity: Severity::Low,
    requires: &[Requirement::Schema, Requirement::Queries, Requirement::Volumes],
    by_default: true,
    limits: &[TIMES],
    check: Check::Table(check),
    page: include_str!("read_heavy_on_stcs.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "SizeTieredCompactionStrategy" || facts.view.is_some() {
        return;
    }
    let rates = read_rate(project, facts).zip(write_rate(project, facts));
    let Some((reads, writes)) = rates else { return };
    let updates = facts.row_writes(project).any(|write| !write.is_insert());
    if !updates || reads <= found.limit(&TIMES) * writes {
        return;
    }
    let message =
        format!("Rows of {} are updated in place and read from many SSTables.", table.name);
    found
        .report(project.option_location(facts, "compaction"), message)
        .with_table(table)
        .note(format!("{} read, {} written", figures::format_rate(reads), figures::format_rate(writes)))
        .note("nodetool tablehistograms shows the SSTables per read: from 5 at p95 on it pays")
        .help("use UnifiedCompactionStrategy with scaling_parameters L10, or LeveledCompactionStrategy before 5.0");
}
