//! Tombstones in a table: of what is deleted, moved or expires, until they can be purged.
//!
//! They are spread evenly over the partitions, except that rows leave the value that they had: a
//! read of the open tasks meets the tombstones of all tasks that were closed.

use std::collections::BTreeMap;

use model::concept::DAY;
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};
use model::workload::{
    Assignment, AssignmentValue, Column, Comparison, Condition, Predicate, Value, Write, WriteKind,
};

use crate::key_range::{DeleteConditions, KeyRange, PartitionValue};
use crate::volume::{attribute_of, estimate_volume, is_dependent_on, retention, tip};
use crate::{Context, table_options};

/// Cassandra's default grace of tombstones in seconds.
const GRACE: u32 = 864_000;

/// Seconds that tombstones stay in a table.
pub(crate) fn grace(context: Context<'_>, table: &PlannedTable) -> f64 {
    let is_finished = table.options.is_finished();
    let expected = || table_options::predict_grace(context, table).filter(|_| !is_finished);
    f64::from(table.options.gc_grace_seconds.or_else(expected).unwrap_or(GRACE))
}

/// Tombstones made in a table per second: by writes, and by rows that expire.
pub(crate) fn rate(context: Context<'_>, table: &PlannedTable) -> f64 {
    let expired = count_expired(context, table, 1.0) * table.volume.partitions.max(1.0);
    deletion_rate(context, table) + expired
}

/// The constants that a read requires of columns, by their names.
pub(crate) type ColumnConstants = BTreeMap<String, String>;

/// The average number of tombstones in a partition of a table in which columns have these values.
pub(crate) fn mean_per_partition(
    context: Context<'_>,
    table: &PlannedTable,
    constants: &ColumnConstants,
) -> f64 {
    let partitions = table.volume.partitions.max(1.0);
    let deleted =
        rate_at(context, table, constants, partitions) * grace(context, table) / partitions;
    deleted + count_expired(context, table, grace(context, table))
}

/// Tombstones made in an average partition per day.
pub(crate) fn daily_per_partition(context: Context<'_>, table: &PlannedTable) -> f64 {
    let partitions = table.volume.partitions.max(1.0);
    deletion_rate(context, table) * DAY / partitions + count_expired(context, table, DAY)
}

/// The average number of tombstones in all buckets of one key in which columns have these values.
pub(crate) fn mean_per_key(
    context: Context<'_>,
    table: &PlannedTable,
    constants: &ColumnConstants,
) -> f64 {
    let mut whole = PlannedTable { holds: table.holds.clone(), ..PlannedTable::default() };
    let is_bucket = |column: &PlannedColumn| matches!(column.derivation, Derivation::Bucket(..));
    whole.columns.extend(table.columns.iter().filter(|column| !is_bucket(column)).cloned());
    let keys = estimate_volume(context, &whole).partitions.max(1.0);
    rate_at(context, table, constants, keys) * grace(context, table) / keys
}

/// Tombstones that writes make in a table per second, as if every one of so many partitions got as
/// many as one in which columns have these values.
fn rate_at(
    context: Context<'_>,
    table: &PlannedTable,
    constants: &ColumnConstants,
    partitions: f64,
) -> f64 {
    let writes = context.workload.writes.iter();
    let rates = writes.map(|write| {
        let rate = write_rate(context, table, write);
        if rate <= 0.0 || constants.is_empty() {
            return rate;
        }
        let key = table.partition_key();
        let asked = key.filter_map(|column| Some((column, constants.get(&column.name)?)));
        let factors = asked.map(|(column, of)| concentration(context, table, write, (column, of)));
        rate * factors.product::<f64>().min(partitions)
    });
    rates.sum()
}

/// How many times the average of all values a write makes tombstones at one value of a column: the
/// value that rows leave.
fn concentration(
    context: Context<'_>,
    table: &PlannedTable,
    write: &Write,
    (column, of): (&PlannedColumn, &str),
) -> f64 {
    let WriteKind::Update(assignments, conditions) = &write.kind else { return 1.0 };
    let Derivation::Attribute(at) = column.derivation else { return 1.0 };
    let source = table.holds.sources.member(at.source);
    if source.is_none_or(|source| source.entity != write.entity) {
        return 1.0;
    }
    let set = assignments.iter().find(|assignment| assignment.attribute == at.attribute);
    let Some(AssignmentValue::Set(Value::Literal(to))) = set.map(|set| &set.value) else {
        return 1.0;
    };
    let is_elsewhere = conditions.iter().any(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, value } => {
            column.attribute == at.attribute && matches!(value, Value::Literal(from) if from != of)
        }
        _ => false,
    });
    if to == of || is_elsewhere {
        return 0.0;
    }
    let entity = context.concept.entities.member(write.entity);
    let attribute = entity.and_then(|entity| entity.attributes.member(at.attribute));
    attribute.map_or(1.0, |attribute| attribute.distinct.value.max(1.0))
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
    let (equal, others): (Vec<&Condition>, Vec<&Condition>) =
        conditions.iter().partition(|condition| equality_attribute(condition).is_some());
    let key: Vec<AttributeId> = equal.into_iter().filter_map(equality_attribute).collect();
    let attribute_of = |of: Column| (of.source == source).then_some(of.attribute);
    let is_given = |attribute: AttributeId| key.contains(&attribute);
    let delete = DeleteConditions {
        attribute_of: &attribute_of,
        is_given: &is_given,
        key: &key,
        others: &others,
    };
    let range = KeyRange::new(table, &delete).filter(|range| !range.is_row(table))?;
    let life = retention(context.concept, table)
        .map_or_else(|| context.options.limits.years * 365.25, |seconds| seconds / DAY);
    let repeated = range.partition.iter().map(|(_, value)| match value {
        PartitionValue::EachShard(count) => f64::from(*count),
        PartitionValue::EachBucket(_, bucket) => {
            bucket.days().map_or(1.0, |days| (life / days).ceil() + 1.0)
        }
        _ => 1.0,
    });
    Some(repeated.product())
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
