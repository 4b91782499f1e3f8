//! Partitions of static columns alone.
//!
//! A partition keeps its static columns when its last row goes, and may have them before its first comes. A statement that
//! restricts no clustering column then returns one row without a clustering key, which is no row of the read.

use model::plan::ClientStep;

use super::columns::View;
use super::restriction::Restrictions;
use super::selection::{Selection, selected};

/// Leaves such a row out, where there can be one; the clustering column that tells it is selected.
pub(super) fn without_rows(
    view: View<'_>,
    restrictions: &Restrictions,
    selection: &mut Selection,
) -> Option<ClientStep> {
    let restricted = restrictions.relations.len() > view.table.partition_key().count();
    let counted = selection.aggregates && !selection.by_client && selection.group.is_empty();
    if restricted || counted || !view.has_statics() {
        return None;
    }
    let first = view.table.clustering().next()?;
    Some(ClientStep::DropStaticRow(selected(&mut selection.list, &first.name)))
}
