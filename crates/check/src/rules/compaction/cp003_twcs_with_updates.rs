//! CP003: rows in windows that are changed later.

use crate::facts::lifetimes::compaction_class;
use crate::project::WriteSyntax;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp003_twcs_with_updates.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "TimeWindowCompactionStrategy" {
        return;
    }
    let help = "write rows once, or use UnifiedCompactionStrategy";
    if table.is_counter() {
        let message = format!(
            "Counters of {} are updated in later time windows than the one they were created in.",
            table.name
        );
        reporter
            .report(project.option_location(facts, "compaction"), message)
            .with_table(table)
            .help("use UnifiedCompactionStrategy");
        return;
    }
    let inserts = facts.row_writes(project).any(|write| write.is_insert());
    for write in facts.row_writes(project) {
        // INSERT IF NOT EXISTS writes a row once.
        let why = if write.plan.conditional && !write.is_insert() {
            "a lightweight transaction rewrites rows"
        } else if matches!(write.syntax, WriteSyntax::Update(_)) && inserts {
            "an UPDATE changes rows that an earlier INSERT wrote"
        } else if write.plan.has_timestamp {
            "a client timestamp puts old data into new SSTables"
        } else {
            continue;
        };
        let message =
            format!("Data of one time window of {} is written in others: {why}.", table.name);
        reporter.report(write.place, message).with_table(table).help(help);
    }
}
