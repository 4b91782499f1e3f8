//! TB009: DELETE on a table whose windows expire.

use crate::facts::{compaction_class, has_ttl};
use crate::project::WriteStatement;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb009_delete_on_ttl_table.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "TimeWindowCompactionStrategy" {
        return;
    }
    let message = if has_ttl(project, facts) {
        format!("Tombstones in {} keep expired SSTables from being dropped.", table.name)
    } else {
        format!("Tombstones in {} lie in other windows than what they delete.", table.name)
    };
    for write in facts.own_writes(project).filter(WriteStatement::is_row_delete) {
        found.report(write.place, message.clone()).with_table(table).help(
            "let rows expire, or use UnifiedCompactionStrategy for a table whose rows are deleted",
        );
    }
}
