//! What a read needs of a frame: which columns must stand beside the key, and which could be looked up.

use std::collections::BTreeSet;

use model::dependency::Dependencies;
use model::id::IdList;
use model::plan::{Derivation, PlannedColumn};
use model::workload::{Column, OutputValue, Read};

use crate::read_plan::columns::ReadView;
use crate::{mapping, read_plan};

/// What a read needs beside a frame's key. Columns are those of the read.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnNeeds {
    /// What is only shown.
    pub(super) shown: BTreeSet<Column>,
    /// What the client looks at.
    pub(super) used: BTreeSet<Column>,
    /// Counters, which stand apart.
    pub(super) counters: BTreeSet<Column>,
}

impl ColumnNeeds {
    /// What a read needs of a frame; `None` when the frame cannot serve it: part of its partition key is not given, or it
    /// counts something else.
    pub(super) fn from_view(view: ReadView<'_>) -> Option<Self> {
        let needs = read_plan::table_needs(view)?;
        let counting = view.table.is_counter();
        if counting && !can_count(view, &needs) {
            return None;
        }
        let mut asked = Self::default();
        for (column, output) in needs.columns {
            if is_in_key(view, column) || (counting && view.find_stored(column).is_some()) {
                continue;
            }
            let attribute = view.attribute(column)?;
            if counting || (mapping::is_too_large(attribute) && !attribute.counter) {
                return None;
            }
            if attribute.counter {
                asked.counters.insert(column);
            } else if output.is_some() {
                asked.shown.insert(column);
            } else {
                asked.used.insert(column);
            }
        }
        let used: BTreeSet<Column> =
            asked.used.iter().map(|column| view.canonical_in_read(*column)).collect();
        asked.shown.retain(|column| !used.contains(&view.canonical_in_read(*column)));
        Some(asked)
    }
}

/// Whether a column of the read is, as it is, part of the frame's key.
pub(super) fn is_in_key(view: ReadView<'_>, column: Column) -> bool {
    let plain = |stored: &PlannedColumn| {
        stored.is_key() && matches!(stored.derivation, Derivation::Attribute(_))
    };
    view.find_stored(column).is_some_and(plain)
}

/// A column of the read as a column of the frame; `None` where the frame does not have its source.
pub(super) fn candidate_column(
    view: ReadView<'_>,
    frame: &Dependencies<'_>,
    column: Column,
) -> Option<Column> {
    view.canonical(column).map(|stored| frame.canonical_column(stored))
}

/// Whether a table of counters says what a read wants: the same groups, with nothing left to filter.
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
    let said = read.outputs.iter().all(|output| match output.value {
        OutputValue::Column(of) => view.find_stored(of).is_some(),
        OutputValue::Count(of) => count(of),
        OutputValue::Sum(of) => sum(of),
        OutputValue::Average(of) => sum(of) && count(nullable(of).then_some(of)),
        OutputValue::Least(_) | OutputValue::Greatest(_) | OutputValue::Exists => false,
    });
    let grouped =
        counter(&|derivation| matches!(derivation, Derivation::Count(_) | Derivation::Sum(_)));
    said && !needs.left_over && (!grouped || (!read.exact && has_same_groups(view, needs, read)))
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
