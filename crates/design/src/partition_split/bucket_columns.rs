//! Which columns a table may be bucketed by: those whose buckets every read can compute or walk.

use cql::types::{NativeType, Type};
use model::id::{AttributeId, IdList, SourceId};
use model::plan::{Derivation, PlannedTable, ReadPart};
use model::workload::{Column, Comparison, Predicate, SortColumn, Write, WriteKind};

use crate::read_plan::columns::ReadView;
use crate::{Context, volume};

/// A clustering column of time by which the table may be bucketed.
///
/// Each read gives it (the bucket is computed), has a range on it (its buckets are merged by the
/// client, whatever the order), orders by it (the buckets are walked in that order), or reads
/// everything. A read with another order and no range would have to merge all buckets: then shards
/// are used, of which there are fewer.
pub(super) fn find_time(context: Context<'_>, table: &PlannedTable) -> Option<Column> {
    clustering_attributes(table)
        .filter(|of| {
            volume::attribute(context.concept, table, *of)
                .is_some_and(|attribute| volume::is_time(&attribute.ty))
        })
        .find(|of| {
            reads(context, table).is_some_and(|reads| reads.iter().all(|view| can_walk(*view, *of)))
        })
}

/// Whether some read orders or ranges by the column first.
pub(super) fn is_used_by_reads(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    let views = reads(context, table).unwrap_or_default();
    views.iter().any(|view| {
        let ordered = effective_order(*view)
            .first()
            .is_some_and(|first| view.is_same_column(first.column, of));
        ordered || is_given(*view, of) || has_bound(*view, of, true) || has_bound(*view, of, false)
    })
}

/// Whether some read, or a delete of a range, has no lower end for its walk.
pub(super) fn has_open_walk(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    walking_reads(context, table).any(|view| !is_given(view, of) && !has_bound(view, of, true))
        || context.workload.writes.iter().any(|write| has_open_delete(write, table, of))
}

/// Whether a write deletes the rows of a partition key up to some value of the column, or all.
fn has_open_delete(write: &Write, table: &PlannedTable, of: Column) -> bool {
    let WriteKind::Delete(conditions) = &write.kind else { return false };
    let is_written = |source: SourceId| {
        table.holds.sources.member(source).is_some_and(|held| held.entity == write.entity)
    };
    let comparisons = |attribute: AttributeId| {
        conditions.iter().filter_map(move |condition| match &condition.predicate {
            Predicate::Compare { column, comparison, .. } if column.attribute == attribute => {
                Some(*comparison)
            }
            _ => None,
        })
    };
    let is_fixed = |of: Column| {
        is_written(of.source) && comparisons(of.attribute).any(|it| it == Comparison::Equal)
    };
    let is_bounded =
        |comparison: Comparison| !matches!(comparison, Comparison::Less | Comparison::LessOrEqual);
    let mut key = table.partition_key().filter_map(|column| match column.derivation {
        Derivation::Attribute(of) => Some(of),
        _ => None,
    });
    is_written(of.source) && key.all(is_fixed) && !comparisons(of.attribute).any(is_bounded)
}

/// Whether some read has no upper end for its walk.
pub(super) fn has_unbounded_walk(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    walking_reads(context, table).any(|view| !is_given(view, of) && !has_bound(view, of, false))
}

/// A growing integer that is the key of a row within its partition, and of which every read knows
/// the range, or wants the first or last rows.
pub(super) fn find_integer(context: Context<'_>, table: &PlannedTable) -> Option<Column> {
    let views = reads(context, table)?;
    clustering_attributes(table).find(|of| {
        let whole = volume::attribute(context.concept, table, *of).is_some_and(|attribute| {
            matches!(attribute.ty, Type::Native(NativeType::Int | NativeType::Bigint))
        });
        let known = |view: &ReadView<'_>| {
            let order = effective_order(*view);
            is_given(*view, *of)
                || (has_bound(*view, *of, true)
                    && has_bound(*view, *of, false)
                    && order.first().is_none_or(|first| view.is_same_column(first.column, *of)))
                || (view.read.limit.is_some()
                    && order.first().is_some_and(|first| view.is_same_column(first.column, *of)))
        };
        whole && is_key_complete(context, table, *of) && views.iter().all(known)
    })
}

/// The clustering columns that are plain attributes.
fn clustering_attributes(table: &PlannedTable) -> impl Iterator<Item = Column> {
    table.clustering().filter_map(|column| match column.derivation {
        Derivation::Attribute(of) => Some(of),
        _ => None,
    })
}

/// The reads that get their rows from a table; what else uses it knows the bucket from the key.
fn walking_reads<'a>(
    context: Context<'a>,
    table: &'a PlannedTable,
) -> impl Iterator<Item = ReadView<'a>> {
    let served = table.serves.iter().filter(|served| served.part == ReadPart::Rows);
    served.filter_map(move |served| {
        let read = context.workload.reads.member(served.read)?;
        Some(ReadView::new(context.concept, table, read, served))
    })
}

/// The reads of a table; `None` when something else uses it, which cannot handle buckets.
fn reads<'a>(context: Context<'a>, table: &'a PlannedTable) -> Option<Vec<ReadView<'a>>> {
    let concept = context.concept;
    let views = table.serves.iter().map(|served| {
        let read = context.workload.reads.member(served.read)?;
        (served.part == ReadPart::Rows).then(|| ReadView::new(concept, table, read, served))
    });
    let views: Vec<_> = views.collect::<Option<_>>()?;
    (!views.is_empty() && table.supports.is_empty()).then_some(views)
}

/// Whether a read can run on buckets of the column.
fn can_walk(view: ReadView<'_>, of: Column) -> bool {
    is_given(view, of)
        || has_bound(view, of, true)
        || effective_order(view).first().is_none_or(|first| view.is_same_column(first.column, of))
}

/// Whether a read gives the column's value, or a list of them.
fn is_given(view: ReadView<'_>, of: Column) -> bool {
    view.read.conditions.iter().any(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. } => view.is_same_column(*column, of),
        _ => false,
    })
}

/// Whether a read bounds the column from below, or from above.
fn has_bound(view: ReadView<'_>, of: Column, below: bool) -> bool {
    let bounds = |comparison: &Comparison| match comparison {
        Comparison::Equal => false,
        Comparison::Greater | Comparison::GreaterOrEqual => below,
        Comparison::Less | Comparison::LessOrEqual => !below,
    };
    view.read.conditions.iter().any(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison, .. } => {
            view.is_same_column(*column, of) && bounds(comparison)
        }
        Predicate::Row { columns, comparison, .. } => {
            columns.first().is_some_and(|first| view.is_same_column(*first, of))
                && bounds(comparison)
        }
        _ => false,
    })
}

/// The order of a read, without columns that it fixes.
fn effective_order(view: ReadView<'_>) -> Vec<&SortColumn> {
    let order = view.read.order.iter();
    let is_fixed = |column: Column| match view.canonical(column) {
        Some(stored) => view.equality_value(stored).is_some(),
        None => view.is_one_value(column),
    };
    order.filter(|ordering| !is_fixed(ordering.column)).collect()
}

/// Whether the column and those of the partition key hold a key of its entity.
fn is_key_complete(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    let Some(source) = table.holds.sources.member(of.source) else { return false };
    let Some(entity) = context.concept.entities.member(source.entity) else { return false };
    let given: Vec<AttributeId> = table
        .partition_key()
        .filter_map(|column| volume::attribute_of(&column.derivation))
        .filter(|column| column.source == of.source)
        .map(|column| column.attribute)
        .chain([of.attribute])
        .collect();
    entity.keys.iter().any(|key| !key.is_empty() && key.iter().all(|at| given.contains(at)))
}
