//! ORDER BY.

use cql::ErrorCode;
use cql::statement::select::Ordering;

use crate::bind::context::{Context, invalid};
use crate::bind::restrictions::{BoundOrdering, Restrictions, existing_column, receiver};
use crate::bind::term;
use crate::catalog::{ColumnKind, Table};
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

/// A column that is named again keeps its place and takes the last direction.
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

/// Checks that rows can come in that order; whether it is the reverse of the stored one.
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
        let message = "ORDER BY with 2ndary indexes is not supported, except for ANN queries.";
        return Err(invalid("QV014", message, first.span).into());
    }
    if restrictions.is_key_range {
        let message =
            "ORDER BY is only supported when the partition key is restricted by an EQ or an IN.";
        return Err(invalid("QV010", message, first.span).into());
    }
    is_reversed(table, orderings, restrictions)
}

fn is_reversed(
    table: &Table,
    orderings: &[BoundOrdering],
    restrictions: &Restrictions,
) -> Result<bool> {
    let mut directions = Vec::with_capacity(orderings.len());
    let mut next = table.partition_key().len();
    for ordering in orderings {
        let column = &table.columns()[ordering.column];
        if column.kind != ColumnKind::Clustering {
            let message = format!(
                "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got {}",
                column.name
            );
            return Err(invalid("QV011", message, ordering.span).into());
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
        Some((_, ordering)) => {
            let message = "Unsupported order by relation";
            Err(invalid("QV013", message, ordering.span)
                .with_help(
                    "the directions must be those of CLUSTERING ORDER BY, or all of them reversed",
                )
                .into())
        }
    }
}

/// A clustering column that ORDER BY passes over must be fixed. When the order goes back, the server runs past the
/// last column.
fn check_skipped(
    table: &Table,
    skipped: usize,
    ordering: &BoundOrdering,
    restrictions: &Restrictions,
) -> Result<()> {
    let columns = table.clustering().len();
    if skipped >= table.primary_key().len() {
        let message = format!(
            "java.lang.ArrayIndexOutOfBoundsException: Index {columns} out of bounds for length {columns}"
        );
        return Err(Refusal::text("QV012", ErrorCode::Server, message, ordering.span).into());
    }
    if restrictions.is_equal_restricted(skipped) {
        return Ok(());
    }
    let message = "Order by currently only supports the ordering of columns following their declared order in the PRIMARY KEY";
    Err(invalid("QV012", message, ordering.span).into())
}
