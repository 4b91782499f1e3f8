//! Tombstones that stand in a table: of what is deleted, moved or expires, until they may be purged.

use model::concept::DAY;
use model::id::{AttributeId, EntityId, Numbered};
use model::plan::{PlannedTable, Role};
use model::workload::{Assignment, Column, Comparison, Condition, Test, Write, WriteKind};

use crate::Context;
use crate::volume::{attribute_of, depends_on, retention, tip};

/// Seconds that tombstones stay, unless the table says otherwise.
const GRACE: u32 = 864_000;

/// Tombstones that stand in a partition of a table, on average.
pub(crate) fn standing(context: Context<'_>, table: &PlannedTable) -> f64 {
    let grace = f64::from(table.options.gc_grace_seconds.unwrap_or(GRACE));
    let made: f64 = context.workload.writes.iter().map(|write| made(context, table, write)).sum();
    let deleted = made * grace / table.volume.partitions.max(1.0);
    deleted + expired(context, table, grace)
}

/// Tombstones per second that a write makes in a table.
fn made(context: Context<'_>, table: &PlannedTable, write: &Write) -> f64 {
    let Some(source) = table.holds.sources.find_id(|source| source.entity == write.entity) else {
        return 0.0;
    };
    if table.is_counter() {
        return 0.0;
    }
    let (conditions, each) = match &write.kind {
        WriteKind::Insert(_) => return 0.0,
        // Rows of others than the tip are gone before what they belong to.
        WriteKind::Delete(conditions) if tip(context.concept, table) == Some(source) => {
            (conditions, rows_each(context, table, write.entity))
        }
        WriteKind::Delete(_) => return 0.0,
        WriteKind::Update(assignments, conditions) => {
            let moves = assignments.iter().any(|assignment| {
                is_in_key(table, Column { source, attribute: assignment.attribute })
            });
            let nulls = assignments.iter().filter(|assignment| is_null(table, write, assignment));
            #[expect(clippy::cast_precision_loss, reason = "a statement sets few columns")]
            let cells = if moves { 1.0 } else { nulls.count() as f64 };
            (conditions, cells * rows_each(context, table, write.entity))
        }
    };
    write.rate.value * each * rows_meant(context, write, conditions)
}

/// Whether an update empties a cell of the table.
fn is_null(table: &PlannedTable, write: &Write, assignment: &Assignment) -> bool {
    use model::workload::AssignmentValue::Null;
    assignment.value == Null && depends_on(table, write.entity, assignment.attribute)
}

/// Whether a column decides where a row lies, or whether it is there.
fn is_in_key(table: &PlannedTable, changed: Column) -> bool {
    let key = table.columns.iter().filter(|column| column.is_key());
    let filters = table.holds.filters.iter().flat_map(|filter| filter.test.columns());
    key.filter_map(|column| attribute_of(&column.derivation)).any(|of| of == changed)
        || filters.into_iter().any(|of| *of == changed)
}

/// Rows of the table for each row of an entity.
fn rows_each(context: Context<'_>, table: &PlannedTable, entity: EntityId) -> f64 {
    let all = table.volume.partitions * table.volume.rows_after(0.0).mean;
    let rows = context.concept.entities.at(entity).map_or(1.0, |entity| entity.rows.value);
    all / rows.max(1.0)
}

/// Rows of its entity that a write means.
fn rows_meant(context: Context<'_>, write: &Write, conditions: &[Condition]) -> f64 {
    let Some(entity) = context.concept.entities.at(write.entity) else { return 1.0 };
    let equal = |at: &AttributeId| {
        conditions.iter().any(|condition| match &condition.test {
            Test::Compare { column, comparison: Comparison::Equal, .. } => column.attribute == *at,
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

/// Rows of a partition that have expired and are not purged yet. Partitions of a bucket expire as a whole, and no read
/// visits them then.
fn expired(context: Context<'_>, table: &PlannedTable, grace: f64) -> f64 {
    let expires = retention(context.concept, table).is_some();
    let counts = table.columns.iter().any(|column| column.role == Role::Counter);
    if expires && !counts && table.bucket().is_none() && table.volume.grows_for.is_some() {
        table.volume.per_day.mean * grace / DAY
    } else {
        0.0
    }
}
