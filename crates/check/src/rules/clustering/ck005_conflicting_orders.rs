//! CK005: queries that need different orders of the same rows.

use super::ck004_eq_range_sort_order::{better_order, reorder_key};
use crate::facts::keys::{ClusteringNeed, can_serve, clustering_needs};
use crate::project::statement_title;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck005_conflicting_orders.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(first) = table.clustering().first() else { return };
    let Some((one, other, help)) = find_conflict(project, facts) else { return };
    reporter
        .report(
            project.key_location(facts, &first.name),
            format!(
                "{} and {} need different clustering orders.",
                statement_title(project, one.seen),
                statement_title(project, other.seen)
            ),
        )
        .with_table(table)
        .with_related(one.seen.place, "one order")
        .with_related(other.seen.place, "another order")
        .help(help);
}

/// Two queries that no order of the clustering columns serves together, and what to do.
fn find_conflict<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<(ClusteringNeed<'p>, ClusteringNeed<'p>, String)> {
    if let Some((needs, _, best)) = better_order(project, facts)
        && let Some(left) = needs.iter().position(|need| !can_serve(&best, need))
    {
        let kept = needs.iter().position(|need| can_serve(&best, need))?;
        let help = format!(
            "keep {} for the first, and create a second table with the order of the other",
            reorder_key(facts, &best).clause()
        );
        return Some((needs[kept].clone(), needs[left].clone(), help));
    }
    find_direction_conflict(project, facts)
}

/// Two queries that sort by the same columns in directions that are not each other's reverse.
fn find_direction_conflict<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<(ClusteringNeed<'p>, ClusteringNeed<'p>, String)> {
    let sorted: Vec<ClusteringNeed<'p>> =
        clustering_needs(project, facts).into_iter().filter(|need| need.order.len() > 1).collect();
    let one = sorted.first()?;
    let other = sorted.iter().find(|other| {
        let pairs = one.order.iter().zip(&other.order);
        let same_columns = pairs.clone().all(|((one, _), (other, _))| one == other);
        let mut turned = pairs.map(|((_, one), (_, other))| one != other);
        let first = turned.next();
        same_columns && turned.any(|turn| Some(turn) != first)
    })?;
    let help = "create a second table with the CLUSTERING ORDER BY of the other".to_owned();
    Some((one.clone(), other.clone(), help))
}
