//! DM003: an id that is looked up to look up.

use crate::facts::{Entities, is_id};
use crate::{Asks, Category, Check, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "DM003",
    name: "two-hop-lookup",
    category: Category::Model,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Project(check),
    page: include_str!("two_hop_lookup.md"),
};

fn check(project: &Project<'_>, found: &mut Reporter<'_>) {
    let entities = Entities::of(project);
    for facts in project.tables.iter().filter(|facts| facts.view.is_none()) {
        let table = &facts.table;
        let ([key], [], [value]) = (table.partition_key(), table.clustering(), table.regulars())
        else {
            continue;
        };
        if is_id(key) || !table.statics().is_empty() {
            continue;
        }
        let Some(things) = entities.pointed_to(table, value) else { continue };
        // Whoever reserves values here needs the table as it is.
        if facts.writes(project).any(Seen::is_conditional) {
            continue;
        }
        let message = format!(
            "{} leads from `{}` to `{}` only: each look at {} by {} reads two partitions.",
            table.name, key.name, value.name, things.table.name, key.name
        );
        found
            .at(facts.place, message)
            .of_table(table)
            .related(things.place, "what is read next")
            .help(format!(
                "copy the columns of {} that are read this way into {}",
                things.table.name, table.name
            ));
    }
}
