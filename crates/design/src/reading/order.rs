//! The order of a result: as stored, reversed, or made by the client.

use model::plan::{Derivation, Direction, PlannedColumn, Remark, Role};
use model::workload::Ordering;

use super::columns::View;
use super::restriction::Restrictions;
use super::selection::{Selection, is_extreme};

/// Where the order of a result comes from.
pub(super) struct Order {
    /// The ORDER BY of the statement; empty unless rows are wanted the other way round.
    pub(super) clause: Vec<(String, Direction)>,
    /// The client sorts.
    pub(super) by_client: bool,
    /// Buckets are visited from the newest on.
    pub(super) newest_first: bool,
    /// The rows of one bucket all come before those of the next.
    pub(super) in_bucket_sequence: bool,
    /// What a reader should know.
    pub(super) remarks: Vec<Remark>,
}

impl Order {
    /// How a read gets its order from its table.
    pub(super) fn of(view: View<'_>, restrictions: &Restrictions, selection: &Selection) -> Self {
        let wanted: Vec<_> =
            view.read.order.iter().filter(|ordering| !view.is_one_value(ordering.column)).collect();
        // Under one row of an earlier step, what that step found does not vary.
        let within: Vec<_> =
            wanted.iter().copied().filter(|ordering| !view.is_given(ordering.column)).collect();
        let stored: Vec<_> = view.table.clustering().skip(restrictions.fixed_clustering).collect();
        let sorting = !within.is_empty() && !selection.by_client;
        let match_ = match (sorting, restrictions.indexed) {
            (true, true) => Match::Other,
            (true, false) => compare(view, &within, &stored),
            (false, _) => Match::AsStored,
        };
        let clause = match match_ {
            Match::Reversed => reversed(view),
            _ => Vec::new(),
        };
        let by_client = sorting && match_ == Match::Other;
        let remarks = if by_client && restrictions.indexed {
            vec![Remark::UnorderedIndex]
        } else if by_client {
            vec![Remark::ClusteredForRange]
        } else {
            Vec::new()
        };
        let (newest_first, in_bucket_sequence) = buckets(view, &within, by_client);
        Self { clause, by_client, newest_first, in_bucket_sequence, remarks }
    }
}

/// How the wanted order compares with the stored one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    AsStored,
    Reversed,
    Other,
}

/// Compares column by column; what comes after the whole key cannot matter.
fn compare(view: View<'_>, wanted: &[&Ordering], stored: &[&PlannedColumn]) -> Match {
    let mut found = None;
    for (ordering, column) in wanted.iter().zip(stored) {
        let same_column = view
            .stored(ordering.column)
            .is_some_and(|planned| planned.name == column.name)
            || matches!(&column.derivation, Derivation::Coalesced(of, _) if view.is(ordering.column, *of));
        let descending = column.role == Role::Clustering(Direction::Descending);
        let this =
            if ordering.descending == descending { Match::AsStored } else { Match::Reversed };
        if !same_column || found.is_some_and(|before| before != this) {
            return Match::Other;
        }
        found = Some(this);
    }
    // Without clustering columns a partition is one row, which needs no order.
    found.unwrap_or(Match::AsStored)
}

/// The clustering order reversed.
fn reversed(view: View<'_>) -> Vec<(String, Direction)> {
    let columns = view.table.clustering().map(|column| {
        let reversed = match column.role {
            Role::Clustering(Direction::Descending) => Direction::Ascending,
            _ => Direction::Descending,
        };
        (column.name.clone(), reversed)
    });
    columns.collect()
}

/// Whether buckets are walked from the newest, and whether they come in the order of the result.
fn buckets(view: View<'_>, wanted: &[&Ordering], by_client: bool) -> (bool, bool) {
    let Some((_, of, _)) = view.table.bucket() else { return (true, true) };
    if is_extreme(view.read) {
        let newest = view
            .table
            .clustering()
            .next()
            .is_some_and(|column| column.role == Role::Clustering(Direction::Descending));
        return (newest, view.table.clustering().next().is_some_and(|column| {
            matches!(column.derivation, Derivation::Attribute(stored) if view.canonical_stored(stored) == view.canonical_stored(of))
        }));
    }
    match wanted.first() {
        None => (true, true),
        Some(first) => (first.descending, !by_client && view.is(first.column, of)),
    }
}
