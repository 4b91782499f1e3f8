//! TB009: DELETE on a table whose windows expire.

use crate::facts::{compaction_class, expires};
use crate::project::Write;
use crate::{Asks, Category, Check, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "TB009",
    name: "delete-on-ttl-table",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("delete_on_ttl_table.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    if compaction_class(table) != "TimeWindowCompactionStrategy" {
        return;
    }
    let message = if expires(project, facts) {
        format!("Tombstones in {} keep expired SSTables from being dropped.", table.name)
    } else {
        format!("Tombstones in {} lie in other windows than what they delete.", table.name)
    };
    for write in facts.own_writes(project).filter(Write::deletes_rows) {
        found.at(write.place, message.clone()).of_table(table).help(
            "let rows expire, or use UnifiedCompactionStrategy for a table whose rows are deleted",
        );
    }
}
