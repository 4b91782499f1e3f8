//! Tombstones in a table: of what is deleted, moved or expires, until they can be purged.

use model::concept::DAY;
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};
use model::workload::{
    Assignment, AssignmentValue, Column, Comparison, Condition, Predicate, Value, Write, WriteKind,
};

use crate::Context;
use crate::volume::{attribute_of, estimate_volume, is_dependent_on, retention, tip};

/// Cassandra's default grace of tombstones in seconds.
const GRACE: u32 = 864_000;

/// Seconds that tombstones stay in a table.
pub(crate) fn grace(table: &PlannedTable) -> f64 {
    f64::from(table.options.gc_grace_seconds.unwrap_or(GRACE))
}

/// Tombstones made in a table per second: by writes, and by rows that expire.
pub(crate) fn rate(context: Context<'_>, table: &PlannedTable) -> f64 {
    let expired = count_expired(context, table, 1.0) * table.volume.partitions.max(1.0);
    deletion_rate(context, table) + expired
}

/// The average number of tombstones in a partition of a table.
pub(crate) fn mean_per_partition(context: Context<'_>, table: &PlannedTable) -> f64 {
    let deleted = deletion_rate(context, table) * grace(table) / table.volume.partitions.max(1.0);
    deleted + count_expired(context, table, grace(table))
}

/// The average number of tombstones in all buckets of one key.
pub(crate) fn mean_per_key(context: Context<'_>, table: &PlannedTable) -> f64 {
    let mut whole = PlannedTable { holds: table.holds.clone(), ..PlannedTable::default() };
    let is_bucket = |column: &PlannedColumn| matches!(column.derivation, Derivation::Bucket(..));
    whole.columns.extend(table.columns.iter().filter(|column| !is_bucket(column)).cloned());
    let keys = estimate_volume(context, &whole).partitions.max(1.0);
    deletion_rate(context, table) * grace(table) / keys
}

/// Tombstones that writes make in a table per second.
pub(crate) fn deletion_rate(context: Context<'_>, table: &PlannedTable) -> f64 {
    context.workload.writes.iter().map(|write| write_rate(context, table, write)).sum()
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
        WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => return 0.0,
        // Rows of other sources than the tip are deleted before those that they refer to.
        WriteKind::Delete(conditions) if tip(context.concept, table) == Some(source) => {
            if let Some(ranges) = count_ranges(context, table, source, conditions) {
                return write.rate.value * ranges;
            }
            (conditions, rows_per_entity_row(context, table, write.entity))
        }
        WriteKind::Delete(_) => return 0.0,
        WriteKind::Update(assignments, conditions) => {
            (conditions, update_tombstones(context, table, (write, source), assignments))
        }
    };
    write.rate.value * each * target_rows(context, write, conditions)
}

/// Tombstones that an update makes in a table for each row of its entity.
fn update_tombstones(
    context: Context<'_>,
    table: &PlannedTable,
    (write, source): (&Write, SourceId),
    assignments: &[Assignment],
) -> f64 {
    let rows = rows_per_entity_row(context, table, write.entity);
    let column = |assignment: &Assignment| Column { source, attribute: assignment.attribute };
    let outcomes = assignments.iter().filter_map(|assignment| {
        let filters = table.holds.filters.iter();
        let mut outcomes = filters.filter_map(|filter| {
            find_outcome(&filter.predicate, column(assignment), &assignment.value)
        });
        outcomes.next()
    });
    let outcomes: Vec<MembershipOutcome> = outcomes.collect();
    if outcomes.contains(&MembershipOutcome::Leaves) {
        // What an update takes out of the table was there: not only the share that is there at a
        // time.
        return rows.max(1.0);
    }
    let moves = |assignment: &Assignment| {
        is_in_key(table, column(assignment)) || is_filter(table, column(assignment))
    };
    if outcomes.is_empty() && assignments.iter().any(moves) {
        return rows;
    }
    let nulls = assignments.iter().filter(|assignment| is_null(table, write, assignment));
    #[expect(clippy::cast_precision_loss, reason = "a statement sets few columns")]
    let cells = nulls.count() as f64;
    cells * rows
}

/// What an assignment does to the rows of a table that holds only some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MembershipOutcome {
    /// The row is in the table afterwards.
    Enters,
    /// It is not.
    Leaves,
}

/// What an assignment of a constant means for a condition on constants; `None` where that is not
/// known.
fn find_outcome(
    filter: &Predicate,
    changed: Column,
    value: &AssignmentValue,
) -> Option<MembershipOutcome> {
    if !filter.columns().contains(&changed) {
        return None;
    }
    let outcome = |is_member: bool| {
        if is_member { MembershipOutcome::Enters } else { MembershipOutcome::Leaves }
    };
    match (filter, value) {
        // A parameter may be null, but is there to be none.
        (Predicate::Null { .. }, value) => Some(outcome(*value == AssignmentValue::Null)),
        (_, AssignmentValue::Set(Value::Parameter(_))) => None,
        (
            Predicate::Compare { comparison: Comparison::Equal, value: of, .. },
            AssignmentValue::Set(to),
        ) => Some(outcome(of == to)),
        (Predicate::In { values, .. }, AssignmentValue::Set(to)) => {
            Some(outcome(values.contains(to)))
        }
        (Predicate::NotNull { .. }, AssignmentValue::Null) => Some(MembershipOutcome::Leaves),
        _ => None,
    }
}

/// The statements that delete ranges of a table's rows; `None` where a delete has to name every
/// row.
fn count_ranges(
    context: Context<'_>,
    table: &PlannedTable,
    source: SourceId,
    conditions: &[Condition],
) -> Option<f64> {
    let own = |derivation: &Derivation| match derivation {
        Derivation::Attribute(of) if of.source == source => Some(of.attribute),
        _ => None,
    };
    let is_fixed = |attribute: AttributeId| {
        conditions.iter().any(|condition| equality_attribute(condition) == Some(attribute))
    };
    let (mut ranges, mut fixed) = (1.0, Vec::new());
    for column in table.partition_key() {
        match &column.derivation {
            Derivation::Constant => {}
            Derivation::Shard { count, .. } => ranges *= f64::from(*count),
            Derivation::Bucket(_, bucket) => {
                let life = retention(context.concept, table)
                    .map_or_else(|| context.options.limits.years * 365.25, |seconds| seconds / DAY);
                ranges *= bucket.days().map_or(1.0, |days| (life / days).ceil() + 1.0);
            }
            other => fixed.push(own(other).filter(|at| is_fixed(*at))?),
        }
    }
    let mut open = table.clustering().map(|column| own(&column.derivation));
    let mut bounded = open.next();
    while let Some(Some(attribute)) = bounded.filter(|at| at.is_some_and(is_fixed)) {
        fixed.push(attribute);
        bounded = open.next();
    }
    let is_covered = |condition: &Condition| match equality_attribute(condition) {
        Some(attribute) => fixed.contains(&attribute),
        None => match &condition.predicate {
            Predicate::Compare { column, .. } => bounded == Some(Some(column.attribute)),
            Predicate::Row { columns, .. } => {
                columns.first().is_some_and(|first| bounded == Some(Some(first.attribute)))
            }
            _ => false,
        },
    };
    // With the whole key, the statement names a row.
    let is_row = bounded.is_none();
    (!is_row && conditions.iter().all(is_covered)).then_some(ranges)
}

/// The attribute that a condition fixes.
fn equality_attribute(condition: &Condition) -> Option<AttributeId> {
    match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => Some(column.attribute),
        _ => None,
    }
}

/// Whether an update empties a cell of the table.
fn is_null(table: &PlannedTable, write: &Write, assignment: &Assignment) -> bool {
    use model::workload::AssignmentValue::Null;
    assignment.value == Null && is_dependent_on(table, write.entity, assignment.attribute)
}

/// Whether a column decides the key of a row.
fn is_in_key(table: &PlannedTable, changed: Column) -> bool {
    let mut key = table.columns.iter().filter(|column| column.is_key());
    key.any(|column| attribute_of(&column.derivation) == Some(changed))
}

/// Whether a column decides whether a row is in the table.
fn is_filter(table: &PlannedTable, changed: Column) -> bool {
    let filters = table.holds.filters.iter().flat_map(|filter| filter.predicate.columns());
    filters.into_iter().any(|of| *of == changed)
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
