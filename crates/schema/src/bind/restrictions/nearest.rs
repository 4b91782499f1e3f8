//! `ORDER BY column ANN OF vector`: an ordering that an index must answer.

use cql::types::{NativeType, Type};

use super::{BoundOrdering, IndexRegistry, Restriction, RestrictionKind, Restrictions, clustering};
use crate::refusal::NearestReason;
use crate::{Refusal, Result};

/// Adds the ordering by distance to the restrictions, as the server does to find its index.
pub(super) fn add_orderings(
    restrictions: &mut Restrictions,
    orderings: &[BoundOrdering],
) -> Result<()> {
    let mut by_distance = orderings.iter().filter_map(|one| Some((one, one.nearest_to.as_ref()?)));
    let Some((ordering, vector)) = by_distance.next() else { return Ok(()) };
    let refuse = |reason: NearestReason, span| Err(Refusal::new(reason, span).into());
    if let Some((second, _)) = by_distance.next() {
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

/// Checks what stands beside an ordering by distance, and that vectors with an index are asked for nothing else.
pub(super) fn check(restrictions: &Restrictions) -> Result<()> {
    let table = &*restrictions.table;
    let registry = IndexRegistry::new(table);
    let refuse = |reason: NearestReason, span| Err(Refusal::new(reason, span).into());
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
    let beside = restrictions.others.restrictions.iter().filter(|one| !one.is_nearest());
    let not_indexed = |column: &usize| !registry.has_index_on(*column);
    let other_free = beside.map(Restriction::first_column).any(|column| not_indexed(&column));
    let clustering_free = restrictions.clustering.columns().any(|column| not_indexed(&column));
    let filters = restrictions.partition.has_unrestricted_columns(table)
        || clustering::is_filtering_needed(&restrictions.clustering, table);
    if other_free || (clustering_free && filters) {
        return refuse(NearestReason::OthersNotIndexed, nearest.span);
    }
    Ok(())
}
