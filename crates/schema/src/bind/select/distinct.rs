//! `SELECT DISTINCT`, which selects partitions instead of rows.

use cql::statement::select::Select;

use crate::Result;
use crate::bind::restrictions::{BoundOrdering, Restrictions};
use crate::bind::selection::Selection;
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{SelectionReason, refuse};

/// Checks that only whole partitions are selected.
pub(super) fn check(
    table: &Table,
    select: &Select,
    selection: &Selection,
    restrictions: &Restrictions,
    orderings: &[BoundOrdering],
) -> Result<()> {
    let span =
        select.selectors.first().map_or(select.table.span(), |selector| selector.expression.span);
    let kind = |column: usize| match table.columns()[column].kind {
        // A table with COMPACT STORAGE and no clustering columns has static columns.
        ColumnKind::Regular if table.is_static_compact() => ColumnKind::Static,
        kind => kind,
    };
    let on_regular = !restrictions.others.is_empty()
        && restrictions
            .non_key_restricted_columns(true)
            .iter()
            .any(|column| kind(*column) != ColumnKind::Static);
    if !restrictions.clustering.is_empty() || on_regular {
        let places =
            restrictions.clustering.restrictions.iter().chain(&restrictions.others.restrictions);
        let place = places.map(|restriction| restriction.span).next().unwrap_or(span);
        return refuse(SelectionReason::DistinctRestriction, place);
    }
    // Columns by which rows are sorted after reading count as selected.
    let sorted_by = orderings.iter().map(|ordering| &ordering.column);
    let sorted_by =
        sorted_by.filter(|_| restrictions.is_key_in_relation() || restrictions.is_nearest());
    for column in selection.columns_read.iter().chain(sorted_by) {
        if !matches!(kind(*column), ColumnKind::Partition | ColumnKind::Static) {
            return refuse(
                SelectionReason::DistinctColumn {
                    column: table.columns()[*column].name.to_string(),
                },
                span,
            );
        }
    }
    if !restrictions.is_key_range {
        return Ok(());
    }
    for (at, column) in table.partition_key().iter().enumerate() {
        if !selection.columns_read.contains(&at) {
            return refuse(
                SelectionReason::DistinctMissing { column: column.name.to_string() },
                span,
            );
        }
    }
    Ok(())
}
