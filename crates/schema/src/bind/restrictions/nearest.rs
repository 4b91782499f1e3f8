//! `ORDER BY column ANN OF vector`: an ordering that an index must answer.

use cql::types::{NativeType, Type};

use super::{BoundOrdering, Registry, Restriction, RestrictionKind, Restrictions, clustering};
use crate::Result;
use crate::bind::context::invalid;

/// Adds the ordering by distance to the restrictions, as the server does to find its index.
pub(super) fn add_orderings(
    restrictions: &mut Restrictions,
    orderings: &[BoundOrdering],
) -> Result<()> {
    let mut by_distance = orderings.iter().filter_map(|one| Some((one, one.nearest_to.as_ref()?)));
    let Some((ordering, vector)) = by_distance.next() else { return Ok(()) };
    let refuse = |message: &str, span| Err(invalid("QV030", message, span).into());
    if let Some((second, _)) = by_distance.next() {
        return refuse("Cannot specify more than one ANN ordering", second.span);
    }
    if orderings.len() > 1 {
        return refuse("ANN ordering does not support any other ordering", ordering.span);
    }
    if ordering.descending {
        return refuse("Descending ANN ordering is not supported", ordering.span);
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
    let registry = Registry::new(table);
    let refuse = |message: &str, span| Err(invalid("QV030", message, span).into());
    let Some(nearest) = restrictions.others.nearest() else {
        let is_vector = |column: &usize| matches!(table.columns()[*column].ty, Type::Vector(..));
        return match restrictions.others.columns().find(is_vector) {
            Some(column) if registry.has_index_on(column) => {
                let span = restrictions
                    .others
                    .of(column)
                    .map(|restriction| restriction.span)
                    .unwrap_or_default();
                refuse("Vector indexes only support ANN queries", span)
            }
            _ => Ok(()),
        };
    };
    let column = nearest.first_column();
    let is_float_vector = matches!(&table.columns()[column].ty, Type::Vector(element, _)
        if **element == Type::Native(NativeType::Float));
    if !is_float_vector {
        return refuse("ANN ordering is only supported on float vector indexes", nearest.span);
    }
    if !registry.has_index_on(column) {
        return refuse("ANN ordering by vector requires the column to be indexed", nearest.span);
    }
    let others_indexed = "ANN ordering by vector requires all restricted column(s) to be indexed";
    if restrictions.partition.needs_filtering(table) {
        return refuse(others_indexed, nearest.span);
    }
    let beside = restrictions.others.restrictions.iter().filter(|one| !one.is_nearest());
    let not_indexed = |column: &usize| !registry.has_index_on(*column);
    let other_free = beside.map(Restriction::first_column).any(|column| not_indexed(&column));
    let clustering_free = restrictions.clustering.columns().any(|column| not_indexed(&column));
    let filters = restrictions.partition.has_unrestricted_columns(table)
        || clustering::needs_filtering(&restrictions.clustering, table);
    if other_free || (clustering_free && filters) {
        return refuse(others_indexed, nearest.span);
    }
    Ok(())
}
