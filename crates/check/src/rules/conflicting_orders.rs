//! CK005: queries that need different orders of the same rows.

use super::eq_range_sort_order::{better, reordered};
use crate::facts::{Need, needs, serves, title};
use crate::{Asks, Category, Check, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CK005",
    name: "conflicting-orders",
    category: Category::Clustering,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("conflicting_orders.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(first) = table.clustering().first() else { return };
    let Some((one, other, help)) = conflict(project, facts) else { return };
    found
        .at(
            project.key_place(facts, &first.name),
            format!(
                "{} and {} need different orders.",
                title(project, one.seen),
                title(project, other.seen)
            ),
        )
        .of_table(table)
        .related(one.seen.place, "one order")
        .related(other.seen.place, "another order")
        .help(help);
}

/// Two queries that no order of the clustering columns serves together, and what to do.
fn conflict<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<(Need<'p>, Need<'p>, String)> {
    if let Some((needs, _, best)) = better(project, facts)
        && let Some(left) = needs.iter().position(|need| !serves(&best, need))
    {
        let kept = needs.iter().position(|need| serves(&best, need))?;
        let help = format!(
            "keep {} for the first, and a second table with the rows in the order of the other",
            reordered(facts, &best).text()
        );
        return Some((needs[kept].clone(), needs[left].clone(), help));
    }
    directions(project, facts)
}

/// Two queries that sort by the same columns in directions that are not each other's reverse.
fn directions<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<(Need<'p>, Need<'p>, String)> {
    let sorted: Vec<Need<'p>> =
        needs(project, facts).into_iter().filter(|need| need.order.len() > 1).collect();
    let one = sorted.first()?;
    let other = sorted.iter().find(|other| {
        let pairs = one.order.iter().zip(&other.order);
        let same_columns = pairs.clone().all(|((one, _), (other, _))| one == other);
        let mut turned = pairs.map(|((_, one), (_, other))| one != other);
        let first = turned.next();
        same_columns && turned.any(|turn| Some(turn) != first)
    })?;
    let help = "keep a second table whose CLUSTERING ORDER BY is that of the other".to_owned();
    Some((one.clone(), other.clone(), help))
}
