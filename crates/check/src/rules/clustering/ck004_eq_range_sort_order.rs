//! CK004: clustering columns in an order that a query cannot use, where another would serve all.

use super::ck007_decomposed_time_hierarchy::{TIME_PARTS, time_parts};
use crate::facts::keys::{ClusteringNeed, best_order, can_serve, clustering_needs};
use crate::project::statement_title;
use crate::remedies::NewKey;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck004_eq_range_sort_order.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some((needs, unserved, best)) = better_order(project, facts) else { return };
    // The parts of a time have one order; CK007 proposes one column for all of them.
    if time_parts(table).len() >= TIME_PARTS {
        return;
    }
    if !needs.iter().all(|need| can_serve(&best, need)) {
        return;
    }
    let new = reorder_key(facts, &best);
    let names: Vec<&str> = table.clustering().iter().map(|column| &*column.name).collect();
    let Some(first) = table.clustering().first() else { return };
    let message = format!(
        "Clustering order ({}) cannot serve {} without filtering.",
        names.join(", "),
        statement_title(project, needs[unserved].seen)
    );
    reporter
        .report(project.key_location(facts, &first.name), message)
        .with_table(table)
        .with_related(needs[unserved].seen.place, "this query")
        .help(format!(
            "put columns with = first, then the one with a range or ORDER BY: {}",
            new.clause()
        ))
        .with_fix(project.rekey_fix(facts, &new, "reorder the clustering columns for the queries"));
}

/// The needs of a table's queries, the first that its clustering order does not serve, and the
/// order that serves the most.
pub(super) fn better_order<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<(Vec<ClusteringNeed<'p>>, usize, Vec<usize>)> {
    let key = facts.table.partition_key().len();
    let stored: Vec<usize> = (key..facts.table.primary_key().len()).collect();
    if stored.len() < 2 || facts.queries.is_empty() || facts.table.is_view {
        return None;
    }
    let needs = clustering_needs(project, facts);
    let unserved = needs.iter().position(|need| !can_serve(&stored, need))?;
    let (best, _) = best_order(facts, &needs)?;
    Some((needs, unserved, best))
}

/// The key with its clustering columns in another order.
pub(super) fn reorder_key(facts: &TableFacts, order: &[usize]) -> NewKey {
    let columns = order.iter().filter_map(|at| facts.table.columns().get(*at));
    let clustering = columns.map(|column| (column.name.clone(), column.descending)).collect();
    NewKey { clustering, ..NewKey::from_table(&facts.table) }
}
