//! `ORDER BY column ANN OF vector`: an ordering that an index must serve.

use cql::types::{NativeType, Type};

use super::{BoundOrdering, IndexRegistry, Restriction, RestrictionKind, Restrictions, clustering};
use crate::Result;
use crate::refusal::{NearestReason, refuse};

/// Adds the ordering by ANN to the restrictions, as the server does, so that it takes part in the
/// choice of an index.
pub(super) fn add_orderings(
    restrictions: &mut Restrictions,
    orderings: &[BoundOrdering],
) -> Result<()> {
    let mut nearest =
        orderings.iter().filter_map(|ordering| Some((ordering, ordering.nearest_to.as_ref()?)));
    let Some((ordering, vector)) = nearest.next() else { return Ok(()) };
    let refuse = |reason: NearestReason, span| refuse(reason, span);
    if let Some((second, _)) = nearest.next() {
        return refuse(NearestReason::TwoOrderings, second.span);
    }
    if orderings.len() > 1 {
        return refuse(NearestReason::OtherOrdering, ordering.span);
    }
    if ordering.descending {
        return refuse(NearestReason::Descending, ordering.span);
    }
    let kind = RestrictionKind::Nearest(vector.clone());
    let table = restrictions.table.clone();
    let restriction = Restriction {
        columns: vec![ordering.column],
        multi_column: false,
        kind,
        span: ordering.span,
    };
    restrictions.others.add(&table, restriction)
}

/// Checks the restrictions beside an ordering by ANN: all of them must be served by indexes, since
/// the nearest rows are found before anything is filtered. Without such an ordering, refuses
/// restrictions of an indexed vector.
pub(super) fn check(restrictions: &Restrictions) -> Result<()> {
    let table = &*restrictions.table;
    let registry = IndexRegistry::new(table);
    let refuse = |reason: NearestReason, span| refuse(reason, span);
    let Some(nearest) = restrictions.others.nearest() else {
        let is_vector = |column: &usize| matches!(table.columns()[*column].ty, Type::Vector(..));
        return match restrictions.others.columns().find(is_vector) {
            Some(column) if registry.has_index_on(column) => {
                let span = restrictions
                    .others
                    .restriction_on(column)
                    .map(|restriction| restriction.span)
                    .unwrap_or_default();
                refuse(NearestReason::OnlyNearest, span)
            }
            _ => Ok(()),
        };
    };
    let column = nearest.first_column();
    let is_float_vector = matches!(&table.columns()[column].ty, Type::Vector(element, _)
        if **element == Type::Native(NativeType::Float));
    if !is_float_vector {
        return refuse(NearestReason::NoFloats, nearest.span);
    }
    if !registry.has_index_on(column) {
        return refuse(NearestReason::NotIndexed, nearest.span);
    }
    if restrictions.partition.is_filtering_needed(table) {
        return refuse(NearestReason::OthersNotIndexed, nearest.span);
    }
    let others =
        restrictions.others.restrictions.iter().filter(|restriction| !restriction.is_nearest());
    let is_unindexed = |column: usize| !registry.has_index_on(column);
    let has_unindexed_other = others.map(Restriction::first_column).any(is_unindexed);
    let has_unindexed_clustering = restrictions.clustering.columns().any(is_unindexed);
    let needs_filtering = restrictions.partition.has_unrestricted_columns(table)
        || clustering::is_filtering_needed(&restrictions.clustering, table);
    if has_unindexed_other || (has_unindexed_clustering && needs_filtering) {
        return refuse(NearestReason::OthersNotIndexed, nearest.span);
    }
    Ok(())
}
