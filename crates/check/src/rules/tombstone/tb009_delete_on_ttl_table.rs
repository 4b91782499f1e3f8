//! TB009: DELETE on a table whose windows expire.

use crate::facts::lifetimes::{compaction_class, has_ttl};
use crate::project::WriteStatement;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb009_delete_on_ttl_table.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "TimeWindowCompactionStrategy" {
        return;
    }
    let message = if has_ttl(project, facts) {
        format!("Tombstones in {} prevent expired SSTables from being dropped.", table.name)
    } else {
        format!("Tombstones in {} are in other time windows than the data they delete.", table.name)
    };
    for write in facts.own_writes(project).filter(WriteStatement::is_row_delete) {
        reporter
            .report(write.place, message.clone())
            .with_table(table)
            .help("let rows expire, or use UnifiedCompactionStrategy for tables with deletes");
    }
}
