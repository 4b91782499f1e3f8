//! Partitions with static columns only.
//!
//! A partition keeps its static columns when its last row is deleted, and may have them before its
//! first row is inserted. A statement that restricts no clustering column then returns one row
//! without a clustering key, which is no row of the read.

use model::plan::{ClientStep, ColumnRole};

use super::columns::ReadView;
use super::restriction::Restrictions;
use super::select_list::SelectList;
use super::selection::Selection;

/// Filters such a row, where there can be one; selects the clustering column that identifies it.
pub(super) fn exclude_rowless(
    view: ReadView<'_>,
    restrictions: &Restrictions,
    selection: &mut Selection,
) -> Option<ClientStep> {
    let restricted = is_row_restricted(view, restrictions);
    let counted = selection.aggregates && !selection.by_client && selection.group.is_empty();
    let first = view.table.clustering().next()?;
    if restricted && has_only_statics(view, &selection.items) {
        // The server rejects a restriction of rows when only static columns are selected.
        selection.items.select(first);
    }
    if restricted || counted || !view.has_statics() {
        return None;
    }
    Some(ClientStep::DropStaticRow(selection.items.select(first)))
}

/// Selects a column of the row where rows are restricted: the server rejects static columns alone.
pub(super) fn show_rows(view: ReadView<'_>, looks_for_rows: bool, items: &mut SelectList) {
    if looks_for_rows
        && has_only_statics(view, items)
        && let Some(first) = view.table.clustering().next()
    {
        items.select_aside(first);
    }
}

/// Whether a statement restricts more than the partition.
pub(super) fn is_row_restricted(view: ReadView<'_>, restrictions: &Restrictions) -> bool {
    restrictions.indexed || restrictions.relations.len() > view.table.partition_key().count()
}

/// Whether static columns are selected and none of a row's own, plainly or in an aggregate.
fn has_only_statics(view: ReadView<'_>, items: &SelectList) -> bool {
    let columns = items.iter().filter_map(|item| view.table.column(item.expression.column()?));
    let shown: Vec<ColumnRole> =
        columns.map(|column| column.role).filter(|role| *role != ColumnRole::Partition).collect();
    !shown.is_empty() && shown.iter().all(|role| *role == ColumnRole::Static)
}
