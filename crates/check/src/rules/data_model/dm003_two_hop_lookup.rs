//! DM003: a lookup whose only result is the key of another lookup.

use crate::facts::tables::EntityTables;
use crate::vocabulary::ids::is_id;
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm003_two_hop_lookup.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let entities = EntityTables::new(project);
    for facts in project.tables.iter().filter(|facts| facts.view.is_none()) {
        let table = &facts.table;
        let ([key], [], [value]) = (table.partition_key(), table.clustering(), table.regulars())
        else {
            continue;
        };
        if is_id(key) || !table.statics().is_empty() {
            continue;
        }
        let Some(things) = entities.reference_target(table, value) else { continue };
        // A table that reserves values is needed as it is.
        if facts.writes(project).any(ReplayedStatement::is_conditional) {
            continue;
        }
        let message = format!(
            "{} only maps `{}` to `{}`, so each read of {} by {} reads two partitions.",
            table.name, key.name, value.name, things.table.name, key.name
        );
        reporter
            .report(facts.place, message)
            .with_table(table)
            .with_related(things.place, "the table that is read next")
            .help(format!(
                "copy the columns of {} that are read this way into {}",
                things.table.name, table.name
            ));
    }
}
