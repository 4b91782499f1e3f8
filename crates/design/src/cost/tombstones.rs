//! Tombstones in a table: of what is deleted, moved or expires, until they can be purged.

use model::concept::DAY;
use model::id::{AttributeId, EntityId, IdList};
use model::plan::{ColumnRole, PlannedTable};
use model::workload::{Assignment, Column, Comparison, Condition, Predicate, Write, WriteKind};

use crate::Context;
use crate::volume::{attribute_of, is_dependent_on, retention, tip};

/// Cassandra's default grace of tombstones in seconds.
const GRACE: u32 = 864_000;

/// The average number of tombstones in a partition of a table.
pub(crate) fn mean_per_partition(context: Context<'_>, table: &PlannedTable) -> f64 {
    let grace = f64::from(table.options.gc_grace_seconds.unwrap_or(GRACE));
    let made: f64 =
        context.workload.writes.iter().map(|write| write_rate(context, table, write)).sum();
    let deleted = made * grace / table.volume.partitions.max(1.0);
    deleted + count_expired(context, table, grace)
}

/// Tombstones per second that a write makes in a table.
fn write_rate(context: Context<'_>, table: &PlannedTable, write: &Write) -> f64 {
    let Some(source) = table.holds.sources.find_id(|source| source.entity == write.entity) else {
        return 0.0;
    };
    if table.is_counter() {
        return 0.0;
    }
    let (conditions, each) = match &write.kind {
        WriteKind::Insert(_) => return 0.0,
        // Rows of other sources than the tip are deleted before those that they refer to.
        WriteKind::Delete(conditions) if tip(context.concept, table) == Some(source) => {
            (conditions, rows_per_entity_row(context, table, write.entity))
        }
        WriteKind::Delete(_) => return 0.0,
        WriteKind::Update(assignments, conditions) => {
            let moves = assignments.iter().any(|assignment| {
                is_in_key(table, Column { source, attribute: assignment.attribute })
            });
            let nulls = assignments.iter().filter(|assignment| is_null(table, write, assignment));
            #[expect(clippy::cast_precision_loss, reason = "a statement sets few columns")]
            let cells = if moves { 1.0 } else { nulls.count() as f64 };
            (conditions, cells * rows_per_entity_row(context, table, write.entity))
        }
    };
    write.rate.value * each * target_rows(context, write, conditions)
}

/// Whether an update empties a cell of the table.
fn is_null(table: &PlannedTable, write: &Write, assignment: &Assignment) -> bool {
    use model::workload::AssignmentValue::Null;
    assignment.value == Null && is_dependent_on(table, write.entity, assignment.attribute)
}

/// Whether a column decides the key of a row, or whether the row exists.
fn is_in_key(table: &PlannedTable, changed: Column) -> bool {
    let key = table.columns.iter().filter(|column| column.is_key());
    let filters = table.holds.filters.iter().flat_map(|filter| filter.predicate.columns());
    key.filter_map(|column| attribute_of(&column.derivation)).any(|of| of == changed)
        || filters.into_iter().any(|of| *of == changed)
}

/// Rows of the table for each row of an entity.
fn rows_per_entity_row(context: Context<'_>, table: &PlannedTable, entity: EntityId) -> f64 {
    let all = table.volume.partitions * table.volume.rows_after(0.0).mean;
    let rows = context.concept.entities.member(entity).map_or(1.0, |entity| entity.rows.value);
    all / rows.max(1.0)
}

/// Rows of its entity that a write affects.
fn target_rows(context: Context<'_>, write: &Write, conditions: &[Condition]) -> f64 {
    let Some(entity) = context.concept.entities.member(write.entity) else { return 1.0 };
    let equal = |at: &AttributeId| {
        conditions.iter().any(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                column.attribute == *at
            }
            _ => false,
        })
    };
    if entity.keys.iter().any(|key| !key.is_empty() && key.iter().all(equal)) {
        return 1.0;
    }
    let named = entity.attributes.ids().filter(equal);
    let values: f64 = named.map(|at| entity.attributes[at].distinct.value.max(1.0)).product();
    (entity.rows.value / values).max(1.0)
}

/// Rows of a partition that have expired and are not purged yet. Partitions of a bucket expire as a
/// whole, and no read visits them then.
fn count_expired(context: Context<'_>, table: &PlannedTable, grace: f64) -> f64 {
    let expires = retention(context.concept, table).is_some();
    let counts = table.columns.iter().any(|column| column.role == ColumnRole::Counter);
    if expires && !counts && table.bucket().is_none() && table.volume.grows_for.is_some() {
        table.volume.per_day.mean * grace / DAY
    } else {
        0.0
    }
}
