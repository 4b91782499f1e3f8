//! Which order of the clustering columns serves which queries.

use crate::project::query_shape::TableQuery;
use crate::{Project, ReplayedStatement, TableFacts};

/// Up to so many clustering columns all orders are tried.
const COLUMNS_MAX: usize = 5;

/// What a query of named partitions needs of the clustering order. Columns are positions among the table's.
#[derive(Clone, Debug)]
pub(crate) struct ClusteringNeed<'p> {
    /// The query, or the first of several.
    pub(crate) seen: &'p ReplayedStatement,
    /// How often it runs, or 1.
    pub(crate) weight: f64,
    /// Columns with one value or a list of them.
    pub(crate) fixed: Vec<usize>,
    /// The column with a range.
    pub(crate) range: Option<usize>,
    /// ORDER BY without the fixed columns, and whether the largest come first.
    pub(crate) order: Vec<(usize, bool)>,
}

/// What the queries of a table need of its clustering order; those that need the same count together. Those that no order would serve are left out: ranges of two columns,
/// conditions outside the key.
pub(crate) fn clustering_needs<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Vec<ClusteringNeed<'p>> {
    let mut all: Vec<ClusteringNeed<'p>> = Vec::new();
    for need in facts.queries(project).filter_map(|asked| clustering_need(facts, asked)) {
        match all.iter_mut().find(|known| known.is_like(&need)) {
            Some(known) => known.weight += need.weight,
            None => all.push(need),
        }
    }
    all
}

impl ClusteringNeed<'_> {
    /// Whether both need the same.
    fn is_like(&self, other: &Self) -> bool {
        self.fixed == other.fixed && self.range == other.range && self.order == other.order
    }
}

fn clustering_need<'p>(
    facts: &TableFacts,
    TableQuery { seen, shape, .. }: TableQuery<'p>,
) -> Option<ClusteringNeed<'p>> {
    let key = facts.table.partition_key().len();
    let end = facts.table.primary_key().len();
    let all = [&shape.equal, &shape.listed, &shape.ranged, &shape.otherwise];
    let is_outside = |column: &usize| *column >= end;
    let clustering = |columns: &[usize]| -> Vec<usize> {
        columns.iter().copied().filter(|column| *column >= key).collect()
    };
    let ranged = clustering(&shape.ranged);
    if !shape.has_partition_key(&facts.table)
        || all.iter().any(|columns| columns.iter().any(is_outside))
        || shape.order.iter().any(|(column, _)| !(key..end).contains(column))
        || !shape.otherwise.is_empty()
        || ranged.len() > 1
    {
        return None;
    }
    let fixed = [clustering(&shape.equal), clustering(&shape.listed)].concat();
    let order = shape.order.iter().copied().filter(|(column, _)| !fixed.contains(column));
    Some(ClusteringNeed {
        seen,
        weight: seen.rate().unwrap_or(1.0),
        order: order.collect(),
        range: ranged.first().copied(),
        fixed,
    })
}

/// Whether clustering columns in this order serve a need: what is fixed comes first, then the column with the range, which is also the
/// first one that rows are sorted by. Directions are another matter.
pub(crate) fn can_serve(order: &[usize], need: &ClusteringNeed<'_>) -> bool {
    let Some((prefix, rest)) = order.split_at_checked(need.fixed.len()) else { return false };
    prefix.iter().all(|column| need.fixed.contains(column))
        && need.range.is_none_or(|range| rest.first() == Some(&range))
        && need.order.iter().zip(rest).all(|((wanted, _), column)| wanted == column)
        && need.order.len() <= rest.len()
}

/// The order of the clustering columns that serves the most, and how much of all weight it serves; the one nearest to the table's own
/// among equals. `None` where there are too many to try.
pub(crate) fn best_order(
    facts: &TableFacts,
    needs: &[ClusteringNeed<'_>],
) -> Option<(Vec<usize>, f64)> {
    let key = facts.table.partition_key().len();
    let columns = facts.table.clustering().len();
    if columns > COLUMNS_MAX {
        return None;
    }
    let mut best: Option<(Vec<usize>, f64)> = None;
    let mut order: Vec<usize> = (key..key + columns).collect();
    loop {
        let weight = order_weight(&order, needs);
        if best.as_ref().is_none_or(|(_, most)| weight > *most) {
            best = Some((order.clone(), weight));
        }
        if !advance(&mut order) {
            return best;
        }
    }
}

/// The weight of what an order serves.
fn order_weight(order: &[usize], needs: &[ClusteringNeed<'_>]) -> f64 {
    needs.iter().filter(|need| can_serve(order, need)).map(|need| need.weight).sum()
}

/// The next permutation, in the order of dictionaries.
fn advance(order: &mut [usize]) -> bool {
    let Some(at) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let Some(with) = order.iter().rposition(|one| *one > order[at]) else { return false };
    order.swap(at, with);
    order[at + 1..].reverse();
    true
}
