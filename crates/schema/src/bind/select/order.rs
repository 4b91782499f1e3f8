//! ORDER BY.

use cql::statement::select::Ordering;

use crate::bind::context::Context;
use crate::bind::restrictions::{BoundOrdering, Restrictions, existing_column, receiver};
use crate::bind::term;
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{SelectionReason, refuse};
use crate::{Refusal, Result};

/// Binds the columns and vectors of ORDER BY.
pub(super) fn bind(
    cx: &mut Context<'_>,
    table: &Table,
    orderings: &[Ordering],
) -> Result<Vec<BoundOrdering>> {
    let mut bound = Vec::with_capacity(orderings.len());
    for ordering in orderings {
        let column = existing_column(table, &ordering.column)?;
        let nearest_to = match &ordering.ann_of {
            None => None,
            Some(vector) => {
                Some(term::prepare(cx, vector, &receiver(table, &table.columns()[column]), None)?)
            }
        };
        bound.push(BoundOrdering {
            column,
            nearest_to,
            descending: ordering.descending,
            span: ordering.span,
        });
    }
    Ok(bound)
}

/// Merges columns that are named twice: the first position with the last direction.
pub(super) fn distinct_columns(orderings: Vec<BoundOrdering>) -> Vec<BoundOrdering> {
    let mut distinct: Vec<BoundOrdering> = Vec::with_capacity(orderings.len());
    for ordering in orderings {
        match distinct.iter_mut().find(|earlier| earlier.column == ordering.column) {
            Some(earlier) => *earlier = ordering,
            None => distinct.push(ordering),
        }
    }
    distinct
}

/// Checks that rows can be returned in that order, and whether it is the reverse of the stored one.
pub(super) fn check(
    table: &Table,
    orderings: &[BoundOrdering],
    restrictions: &Restrictions,
) -> Result<bool> {
    let Some(first) = orderings.first() else { return Ok(false) };
    if orderings.iter().any(|ordering| ordering.nearest_to.is_some()) {
        return Ok(false);
    }
    if restrictions.uses_index {
        return refuse(SelectionReason::OrderWithIndex, first.span);
    }
    if restrictions.is_key_range {
        return refuse(SelectionReason::OrderWithoutPartition, first.span);
    }
    resolve_direction(table, orderings, restrictions)
}

fn resolve_direction(
    table: &Table,
    orderings: &[BoundOrdering],
    restrictions: &Restrictions,
) -> Result<bool> {
    let mut directions = Vec::with_capacity(orderings.len());
    let mut next = table.partition_key().len();
    for ordering in orderings {
        let column = &table.columns()[ordering.column];
        if column.kind != ColumnKind::Clustering {
            return refuse(
                SelectionReason::OrderColumn { column: column.name.to_string() },
                ordering.span,
            );
        }
        while next != ordering.column {
            check_skipped(table, next, ordering, restrictions)?;
            next += 1;
        }
        next = ordering.column + 1;
        directions.push(ordering.descending != column.descending);
    }
    let reversed = directions.first().copied().unwrap_or_default();
    match directions.iter().zip(orderings).find(|(direction, _)| **direction != reversed) {
        None => Ok(reversed),
        Some((_, ordering)) => Err(Refusal::new(SelectionReason::OrderDirection, ordering.span)
            .with_help("use the directions of CLUSTERING ORDER BY, or reverse all of them")
            .into()),
    }
}

/// A clustering column that ORDER BY skips must be restricted by `=`. When the order goes back, the
/// server runs past the last column.
fn check_skipped(
    table: &Table,
    skipped: usize,
    ordering: &BoundOrdering,
    restrictions: &Restrictions,
) -> Result<()> {
    let columns = table.clustering().len();
    if skipped >= table.primary_key().len() {
        return refuse(
            SelectionReason::OrderTooLong { columns: columns.to_string() },
            ordering.span,
        );
    }
    if restrictions.is_equal_restricted(skipped) {
        return Ok(());
    }
    refuse(SelectionReason::OrderOfColumns, ordering.span)
}
