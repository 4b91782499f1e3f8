//! DM002: lists of ids that are looked up one by one.

use schema::catalog::Column;

use crate::facts::tables::EntityTables;
use crate::facts::workload::{is_same_use_case, read_rate, write_rate};
use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::{is_bucket, is_constant_name};
use crate::vocabulary::times::is_time;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm002_link_table_without_payload.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let entities = EntityTables::new(project);
    for facts in &project.tables {
        let table = &facts.table;
        // When a link was made says nothing of what it leads to.
        let is_value = |column: &Column| !is_time(column);
        let has_values = table.regulars().iter().any(is_value) || !table.statics().is_empty();
        let Some(last) = table.clustering().last().filter(|_| !has_values && facts.view.is_none())
        else {
            continue;
        };
        let only_ids = table.clustering().iter().all(is_id);
        let Some(things) = entities
            .reference_target(table, last)
            .filter(|things| only_ids && !things.table.regulars().is_empty())
        else {
            continue;
        };
        // Buckets and constants list everything, for a program to load.
        let lists_all =
            table.partition_key().iter().all(|key| is_bucket(key) || is_constant_name(key));
        if lists_all {
            continue;
        }
        let Some(confidence) = confidence(project, facts, things) else { continue };
        let message = format!(
            "{} contains only ids, so showing a list of N rows takes 1 + N reads, one of {} for each row.",
            table.name, things.table.name
        );
        reporter
            .report(facts.place, message)
            .with_table(table)
            .confidence(confidence)
            .with_related(things.place, "the table that the ids refer to")
            .help(format!(
                "copy the columns of {} that the list shows into {}",
                things.table.name, table.name
            ));
    }
}

/// The confidence that lists are read and looked up; `None` if they are not.
fn confidence(
    project: &Project<'_>,
    links: &TableFacts,
    things: &TableFacts,
) -> Option<Confidence> {
    let reads: Vec<_> = links.reads(project).filter_map(|seen| seen.read()).collect();
    let lists = reads.iter().any(|read| read.partitions.is_by_key() && read.rows.rows.is_none());
    if !reads.is_empty() && !lists {
        return None;
    }
    let listed = read_rate(project, links);
    if write_rate(project, things).zip(listed).is_some_and(|(changes, lists)| changes > lists) {
        return None;
    }
    let is_looked_up = links.reads.iter().any(|at| {
        let pair = project.statements.get(*at).zip(project.statements.get(at + 1));
        pair.is_some_and(|(list, next)| {
            things.reads.binary_search(&(at + 1)).is_ok() && is_same_use_case(project, list, next)
        })
    });
    Some(if is_looked_up { Confidence::High } else { Confidence::Low })
}
