//! Which columns a table may be bucketed by: those whose buckets every read can compute or walk.

use cql::types::{NativeType, Type};
use model::id::{AttributeId, Numbered};
use model::plan::{Derivation, Part, PlannedTable};
use model::workload::{Column, Comparison, Ordering, Test};

use crate::reading::columns::View;
use crate::{Context, volume};

/// A clustering column of time by which the table may be bucketed.
///
/// A read gives it (the bucket is computed), ranges over it, orders by it (the buckets are walked in that order), or takes
/// everything. A read ordered by something else would have to merge all buckets: then shards, of which there are fewer.
pub(super) fn time(context: Context<'_>, table: &PlannedTable) -> Option<Column> {
    clustered(table)
        .filter(|of| {
            volume::attribute(context.concept, table, *of)
                .is_some_and(|attribute| volume::is_time(&attribute.ty))
        })
        .find(|of| {
            reads(context, table).is_some_and(|reads| reads.iter().all(|view| walks(*view, *of)))
        })
}

/// Whether some read orders or ranges by the column first.
pub(super) fn is_asked_by(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    let views = reads(context, table).unwrap_or_default();
    views.iter().any(|view| {
        let ordered = wanted(*view).first().is_some_and(|first| view.is(first.column, of));
        ordered || is_given(*view, of) || has_bound(*view, of, true) || has_bound(*view, of, false)
    })
}

/// Whether some read has no lower end for its walk.
pub(super) fn walks_to_the_oldest(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    let views = reads(context, table).unwrap_or_default();
    views.iter().any(|view| !is_given(*view, of) && !has_bound(*view, of, true))
}

/// A growing integer that is the key of a row within its partition, and of which every read knows the range.
pub(super) fn integer(context: Context<'_>, table: &PlannedTable) -> Option<Column> {
    let views = reads(context, table)?;
    clustered(table).find(|of| {
        let whole = volume::attribute(context.concept, table, *of).is_some_and(|attribute| {
            matches!(attribute.ty, Type::Native(NativeType::Int | NativeType::Bigint))
        });
        let known = |view: &View<'_>| {
            let order = wanted(*view);
            is_given(*view, *of)
                || (has_bound(*view, *of, true)
                    && has_bound(*view, *of, false)
                    && order.first().is_none_or(|first| view.is(first.column, *of)))
        };
        whole && completes_key(context, table, *of) && views.iter().all(known)
    })
}

/// The clustering columns that are plain attributes.
fn clustered(table: &PlannedTable) -> impl Iterator<Item = Column> {
    table.clustering().filter_map(|column| match column.derivation {
        Derivation::Attribute(of) => Some(of),
        _ => None,
    })
}

/// The reads of a table; `None` when something else needs it, which knows nothing of buckets.
fn reads<'a>(context: Context<'a>, table: &'a PlannedTable) -> Option<Vec<View<'a>>> {
    let concept = context.concept;
    let views = table.serves.iter().map(|served| {
        let read = context.workload.reads.at(served.read)?;
        (served.part == Part::Rows).then(|| View::new(concept, table, read, served))
    });
    let views: Vec<_> = views.collect::<Option<_>>()?;
    (!views.is_empty() && table.supports.is_empty()).then_some(views)
}

/// Whether a read can do with buckets of the column.
fn walks(view: View<'_>, of: Column) -> bool {
    is_given(view, of) || wanted(view).first().is_none_or(|first| view.is(first.column, of))
}

/// Whether a read gives the column's value, or a list of them.
fn is_given(view: View<'_>, of: Column) -> bool {
    view.read.conditions.iter().any(|condition| match &condition.test {
        Test::Compare { column, comparison: Comparison::Equal, .. }
        | Test::In { column, .. }
        | Test::AnyOf { column, .. } => view.is(*column, of),
        _ => false,
    })
}

/// Whether a read bounds the column from below, or from above.
fn has_bound(view: View<'_>, of: Column, below: bool) -> bool {
    let bounds = |comparison: &Comparison| match comparison {
        Comparison::Equal => false,
        Comparison::Greater | Comparison::GreaterOrEqual => below,
        Comparison::Less | Comparison::LessOrEqual => !below,
    };
    view.read.conditions.iter().any(|condition| match &condition.test {
        Test::Compare { column, comparison, .. } => view.is(*column, of) && bounds(comparison),
        Test::Row { columns, comparison, .. } => {
            columns.first().is_some_and(|first| view.is(*first, of)) && bounds(comparison)
        }
        _ => false,
    })
}

/// The order a read wants, without what it fixes.
fn wanted(view: View<'_>) -> Vec<&Ordering> {
    let order = view.read.order.iter();
    let is_fixed = |column: Column| match view.canonical(column) {
        Some(stored) => view.fixed(stored).is_some(),
        None => view.is_one_value(column),
    };
    order.filter(|ordering| !is_fixed(ordering.column)).collect()
}

/// Whether the column and those of the partition key hold a key of its entity.
fn completes_key(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    let Some(source) = table.holds.sources.at(of.source) else { return false };
    let Some(entity) = context.concept.entities.at(source.entity) else { return false };
    let given: Vec<AttributeId> = table
        .partition_key()
        .filter_map(|column| volume::attribute_of(&column.derivation))
        .filter(|column| column.source == of.source)
        .map(|column| column.attribute)
        .chain([of.attribute])
        .collect();
    entity.keys.iter().any(|key| !key.is_empty() && key.iter().all(|at| given.contains(at)))
}
