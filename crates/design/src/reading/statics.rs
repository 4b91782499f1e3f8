//! Partitions of static columns alone.
//!
//! A partition keeps its static columns when its last row goes, and may have them before its first comes. A statement that
//! restricts no clustering column then returns one row without a clustering key, which is no row of the read.

use model::plan::{ClientStep, Role};

use super::columns::View;
use super::items::Items;
use super::restriction::Restrictions;
use super::selection::Selection;

/// Leaves such a row out, where there can be one; the clustering column that tells it is selected.
pub(super) fn without_rows(
    view: View<'_>,
    restrictions: &Restrictions,
    selection: &mut Selection,
) -> Option<ClientStep> {
    let restricted = looks_for_rows(view, restrictions);
    let counted = selection.aggregates && !selection.by_client && selection.group.is_empty();
    let first = view.table.clustering().next()?;
    if restricted && only_statics(view, &selection.items) {
        // The server refuses to look for rows and to show none of them.
        selection.items.select(first);
    }
    if restricted || counted || !view.has_statics() {
        return None;
    }
    Some(ClientStep::DropStaticRow(selection.items.select(first)))
}

/// Selects something of a row where rows are looked for: the server refuses to show none of them.
pub(super) fn show_rows(view: View<'_>, looks_for_rows: bool, items: &mut Items) {
    if looks_for_rows
        && only_statics(view, items)
        && let Some(first) = view.table.clustering().next()
    {
        items.select_aside(first);
    }
}

/// Whether a statement restricts more than the partition.
pub(super) fn looks_for_rows(view: View<'_>, restrictions: &Restrictions) -> bool {
    restrictions.indexed || restrictions.relations.len() > view.table.partition_key().count()
}

/// Whether static columns are selected and none of a row's own, plainly or in an aggregate.
fn only_statics(view: View<'_>, items: &Items) -> bool {
    let columns = items.iter().filter_map(|item| view.table.column(item.expression.column()?));
    let shown: Vec<Role> =
        columns.map(|column| column.role).filter(|role| *role != Role::Partition).collect();
    !shown.is_empty() && shown.iter().all(|role| *role == Role::Static)
}
