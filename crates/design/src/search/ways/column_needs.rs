//! Columns that a read needs beside a candidate's key, and which of them could be looked up.

use std::collections::BTreeSet;

use model::dependency::Dependencies;
use model::id::IdList;
use model::plan::{Derivation, PlannedColumn};
use model::workload::{Column, OutputValue, Read};

use crate::read_plan::columns::ReadView;
use crate::{mapping, read_plan};

/// Columns that a read needs beside a candidate's key, as columns of the read.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnNeeds {
    /// Columns that are only returned: these could be looked up instead.
    pub(super) shown: BTreeSet<Column>,
    /// Columns that the client filters or sorts by.
    pub(super) used: BTreeSet<Column>,
    /// Counters, which are in separate tables.
    pub(super) counters: BTreeSet<Column>,
}

impl ColumnNeeds {
    /// What a read needs of a candidate; `None` when the candidate cannot serve it: part of its
    /// partition key is not given, or it counts something else.
    pub(super) fn from_view(view: ReadView<'_>) -> Option<Self> {
        let table_needs = read_plan::table_needs(view)?;
        let counting = view.table.is_counter();
        if counting && !can_count(view, &table_needs) {
            return None;
        }
        let mut needs = Self::default();
        for (column, output) in table_needs.columns {
            if is_in_key(view, column) || (counting && view.find_stored(column).is_some()) {
                continue;
            }
            let attribute = view.attribute(column)?;
            if counting || (mapping::is_too_large(attribute) && !attribute.counter) {
                return None;
            }
            if attribute.counter {
                needs.counters.insert(column);
            } else if output.is_some() {
                needs.shown.insert(column);
            } else {
                needs.used.insert(column);
            }
        }
        let used: BTreeSet<Column> =
            needs.used.iter().map(|column| view.canonical_in_read(*column)).collect();
        needs.shown.retain(|column| !used.contains(&view.canonical_in_read(*column)));
        Some(needs)
    }
}

/// Whether a column of the read is part of the candidate's key, unchanged.
pub(super) fn is_in_key(view: ReadView<'_>, column: Column) -> bool {
    let plain = |stored: &PlannedColumn| {
        stored.is_key() && matches!(stored.derivation, Derivation::Attribute(_))
    };
    view.find_stored(column).is_some_and(plain)
}

/// A column of the read as a column of the candidate; `None` where the candidate does not have its
/// source.
pub(super) fn candidate_column(
    view: ReadView<'_>,
    candidate: &Dependencies<'_>,
    column: Column,
) -> Option<Column> {
    view.canonical(column).map(|stored| candidate.canonical_column(stored))
}

/// Whether a counter table answers a read: the same groups, with nothing left to filter.
fn can_count(view: ReadView<'_>, needs: &read_plan::TableNeeds) -> bool {
    let read = view.read;
    let counter = |wanted: &dyn Fn(&Derivation) -> bool| {
        view.table.columns.iter().any(|column| wanted(&column.derivation))
    };
    let count = |of: Option<Column>| {
        counter(&|derivation| match (derivation, of) {
            (Derivation::Count(None), None) => true,
            (Derivation::Count(Some(stored)), Some(of)) => view.is_same_column(of, *stored),
            _ => false,
        })
    };
    let sum = |of: Column| {
        counter(
            &|derivation| matches!(derivation, Derivation::Sum(stored) if view.is_same_column(of, *stored)),
        )
    };
    let nullable = |of: Column| view.attribute(of).is_some_and(|attribute| attribute.nullable);
    let provided = read.outputs.iter().all(|output| match output.value {
        OutputValue::Column(of) => view.find_stored(of).is_some(),
        OutputValue::Count(of) => count(of),
        OutputValue::Sum(of) | OutputValue::Average(of) => {
            sum(of) && count(nullable(of).then_some(of))
        }
        OutputValue::Least(_) | OutputValue::Greatest(_) | OutputValue::Exists => false,
    });
    let grouped =
        counter(&|derivation| matches!(derivation, Derivation::Count(_) | Derivation::Sum(_)));
    // A group is there as long as it has rows.
    let has_groups = read.group.is_empty() || (grouped && count(None));
    provided
        && has_groups
        && !needs.left_over
        && (!grouped || (!read.exact && has_same_groups(view, needs, read)))
}

/// Whether the read's groups are those of the table's key that it does not fix.
fn has_same_groups(view: ReadView<'_>, needs: &read_plan::TableNeeds, read: &Read) -> bool {
    let grouped: Option<BTreeSet<&str>> = read
        .group
        .iter()
        .map(|column| view.find_stored(*column).map(|stored| stored.name.as_str()))
        .collect();
    let Some(grouped) = grouped else { return false };
    let open = view.table.clustering().skip(needs.fixed_clustering);
    open.map(|column| column.name.as_str()).all(|name| grouped.contains(name))
        && view.read.sources.ids().all(|at| view.sources.member(at).copied().flatten().is_some())
}
