//! The order of a result: as stored, reversed, or sorted by the client.

use model::plan::{ColumnRole, Derivation, Direction, PlanRemark, PlannedColumn};
use model::workload::{Column, SortColumn};

use super::columns::ReadView;
use super::restriction::Restrictions;
use super::selection::{Selection, is_extreme};

/// Where the order of a result comes from.
pub(super) struct ResultOrder {
    /// The ORDER BY of the statement; empty unless the stored order is reversed.
    pub(super) clause: Vec<(String, Direction)>,
    /// The client sorts.
    pub(super) by_client: bool,
    /// Buckets are visited from the newest on.
    pub(super) newest_first: bool,
    /// The rows of one bucket all come before those of the next.
    pub(super) in_bucket_sequence: bool,
    /// Remarks on the plan.
    pub(super) remarks: Vec<PlanRemark>,
}

impl ResultOrder {
    /// How a read gets its order from its table.
    pub(super) fn new(
        view: ReadView<'_>,
        restrictions: &Restrictions,
        selection: &Selection,
    ) -> Self {
        let wanted: Vec<_> =
            view.read.order.iter().filter(|ordering| !view.is_one_value(ordering.column)).collect();
        // For one row of an earlier step, what that step found is fixed.
        let within: Vec<_> = wanted
            .iter()
            .copied()
            .filter(|ordering| !view.is_given(ordering.column))
            .filter(|ordering| !is_one_partition_value(view, restrictions, ordering.column))
            .collect();
        let stored: Vec<_> = view.table.clustering().skip(restrictions.fixed_clustering).collect();
        let sorting = !within.is_empty() && !selection.by_client;
        let match_ = match (sorting, restrictions.indexed) {
            (true, true) => OrderMatch::Other,
            (true, false) => compare(view, &within, &stored),
            (false, _) => OrderMatch::AsStored,
        };
        let clause = match match_ {
            OrderMatch::Reversed => reverse_order(view),
            _ => Vec::new(),
        };
        let by_client = sorting && match_ == OrderMatch::Other;
        let remarks = if by_client && restrictions.indexed {
            vec![PlanRemark::UnorderedIndex]
        } else if by_client {
            vec![PlanRemark::ClusteredForRange]
        } else {
            Vec::new()
        };
        let (newest_first, in_bucket_sequence) = bucket_order(view, &within, by_client);
        Self { clause, by_client, newest_first, in_bucket_sequence, remarks }
    }
}

/// Whether a column has one value in what each statement reads: that of its partition.
fn is_one_partition_value(view: ReadView<'_>, restrictions: &Restrictions, column: Column) -> bool {
    view.find_stored(column).is_some_and(|stored| {
        stored.role == ColumnRole::Partition
            && restrictions.partition.iter().any(|(name, _)| *name == stored.name)
    })
}

/// How the wanted order compares with the stored one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OrderMatch {
    AsStored,
    Reversed,
    Other,
}

/// Compares column by column; what comes after the whole key cannot matter.
fn compare(view: ReadView<'_>, wanted: &[&SortColumn], stored: &[&PlannedColumn]) -> OrderMatch {
    let mut found = None;
    for (ordering, column) in wanted.iter().zip(stored) {
        let same_column = view
            .find_stored(ordering.column)
            .is_some_and(|planned| planned.name == column.name)
            || matches!(&column.derivation, Derivation::Coalesced(of, _) if view.is_same_column(ordering.column, *of));
        let descending = column.role == ColumnRole::Clustering(Direction::Descending);
        let this = if ordering.descending == descending {
            OrderMatch::AsStored
        } else {
            OrderMatch::Reversed
        };
        if !same_column || found.is_some_and(|before| before != this) {
            return OrderMatch::Other;
        }
        found = Some(this);
    }
    // Without clustering columns a partition is one row, which needs no order.
    found.unwrap_or(OrderMatch::AsStored)
}

/// The clustering order reversed.
fn reverse_order(view: ReadView<'_>) -> Vec<(String, Direction)> {
    let columns = view.table.clustering().map(|column| {
        let reversed = match column.role {
            ColumnRole::Clustering(Direction::Descending) => Direction::Ascending,
            _ => Direction::Descending,
        };
        (column.name.clone(), reversed)
    });
    columns.collect()
}

/// Whether buckets are walked from the newest, and whether they come in the order of the result.
fn bucket_order(view: ReadView<'_>, wanted: &[&SortColumn], by_client: bool) -> (bool, bool) {
    let Some((_, of, _)) = view.table.bucket() else { return (true, true) };
    if is_extreme(view.read) {
        let newest = view
            .table
            .clustering()
            .next()
            .is_some_and(|column| column.role == ColumnRole::Clustering(Direction::Descending));
        return (newest, view.table.clustering().next().is_some_and(|column| {
            matches!(column.derivation, Derivation::Attribute(stored) if view.canonical_stored(stored) == view.canonical_stored(of))
        }));
    }
    match wanted.first() {
        None => (true, true),
        Some(first) => (first.descending, !by_client && view.is_same_column(first.column, of)),
    }
}
