//! Queues: reads that poll rows in order, and writes that take what was polled. An anti-pattern in
//! Cassandra.
//!
//! A queue is recognised by what its statements do, whatever its names and whether or not `@after`
//! connects them:
//!
//! - A *poll* returns a few rows, the oldest or most urgent first or in no order, and the key of
//!   each (`is_poll`).
//! - A *consumer* takes a row that was polled out of the polled set: it deletes the row, or changes
//!   what the poll asks for (`find_departure`).
//! - Rows *flow* through it: what comes in goes out again (`is_flow`). That distinguishes a queue
//!   from a registry or history, of which little is ever removed.
//! - Its key is not that of many small lists (`is_list_of_entity`), such as the inbox of a user.

use model::concept::{Entity, Origin};
use model::id::{AttributeId, IdList, ReadId};
use model::plan::topic::{Departure, WorkloadTopic};
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable, ReadPlan, RejectedAlternative};
use model::workload::{
    Assignment, AssignmentValue, Column, Comparison, Condition, OutputValue, Predicate, Read,
    Value, Write, WriteKind,
};

use super::review::Review;
use super::{note, time_keys};
use crate::cost::tombstones;
use model::figures::pluralise;

/// A read meets so many tombstones that its list is a burden, however many lists there are.
const MANY_TOMBSTONES: f64 = 1_000.0;
/// From so many keys on, each may be the list of an entity.
const MANY_LISTS: f64 = 100.0;
/// Of what comes in, a queue removes at least this share.
const FLOW_SHARE: f64 = 0.5;

/// A read that polls, and the write that consumes what it returned.
pub(super) struct Queue<'a> {
    at: ReadId,
    pub(super) read: &'a Read,
    plan: &'a ReadPlan,
    pub(super) write: &'a Write,
    departure: Departure,
    table: &'a PlannedTable,
}

/// The queues of a design.
pub(super) fn find_queues(review: Review<'_>) -> Vec<Queue<'_>> {
    review.reads().filter_map(|(at, read, plan)| find_queue(review, at, read, plan)).collect()
}

/// Whether a read polls a queue.
pub(super) fn is_queue(review: Review<'_>, at: ReadId) -> bool {
    find_queues(review).iter().any(|queue| queue.at == at)
}

/// A refusal for each queue.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let refused = |queue: Queue<'_>| {
        let topic = WorkloadTopic::Queue {
            read: queue.read.name.clone(),
            write: queue.write.name.clone(),
            departure: queue.departure,
            tombstones: queue.plan.effort.tombstones,
            rate: queue.write.rate.value,
            grace: tombstones::grace(review.context, queue.table),
        };
        let span = Some(queue.read.span);
        Note { span, ..note(NoteKind::Refusal, NoteSubject::Read(queue.at), topic) }
    };
    find_queues(review).into_iter().map(refused).collect()
}

/// The queues of a design of this price.
pub(super) fn rejections(review: Review<'_>, price: f64) -> Vec<RejectedAlternative> {
    let rejected = |queue: Queue<'_>| RejectedAlternative {
        about: NoteSubject::Read(queue.at),
        what: format!("{} as a queue", queue.table.name),
        price,
        because: format!(
            "{} scanned by each poll",
            pluralise(queue.plan.effort.tombstones, "tombstone")
        ),
    };
    find_queues(review).into_iter().map(rejected).collect()
}

/// The queue that a read polls.
fn find_queue<'a>(
    review: Review<'a>,
    at: ReadId,
    read: &'a Read,
    plan: &'a ReadPlan,
) -> Option<Queue<'a>> {
    if !is_poll(review, read) {
        return None;
    }
    let (_, table) = review.table_of(at)?;
    let consumers = review.writes().filter_map(|(_, write, _)| {
        let departure = find_departure(review, read, write)?;
        let queue = Queue { at, read, plan, write, departure, table };
        (queue.is_flow(review) && !queue.is_list_of_entity(review)).then_some(queue)
    });
    // The one that takes the most.
    consumers.max_by(|one, other| one.write.rate.value.total_cmp(&other.write.rate.value))
}

/// Whether a read returns the rows that are next: a few of them, the oldest or most urgent first,
/// and not from a position on.
fn is_poll(review: Review<'_>, read: &Read) -> bool {
    let is_some = read.limit.is_some() || !read.many;
    let is_plain = read.group.is_empty()
        && read.outputs.iter().all(|output| matches!(output.value, OutputValue::Column(_)));
    if !is_some || !is_plain {
        return false;
    }
    let ty = |column: Column| review.read_attribute(read, column).map(|attribute| &attribute.ty);
    let is_time = |column: Column| ty(column).is_some_and(time_keys::is_time);
    let is_number = |column: Column| ty(column).is_some_and(is_number);
    let Some(first) = read.order.first() else {
        // Any rows will do; but a read by a whole key asks for one in particular.
        return !is_by_key(review, read);
    };
    let is_next = if first.descending {
        // By priority, then by age.
        let then = read.order.get(1);
        is_number(first.column) && then.is_some_and(|then| !then.descending && is_time(then.column))
    } else {
        is_time(first.column) || is_number(first.column)
    };
    let resumes = read.conditions.iter().any(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison, .. } => {
            *column == first.column
                && matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual)
        }
        Predicate::Row { columns, .. } => columns.contains(&first.column),
        _ => false,
    });
    is_next && !resumes
}

fn is_number(ty: &cql::types::Type) -> bool {
    use cql::types::NativeType::{Bigint, Int, Smallint};
    matches!(ty, cql::types::Type::Native(Bigint | Int | Smallint))
}

/// Whether a read gives a whole key of its first entity.
fn is_by_key(review: Review<'_>, read: &Read) -> bool {
    let Some(entity) = entity_of(review, read) else { return false };
    let fixed = find_fixed_attributes(read);
    entity.keys.iter().any(|key| !key.is_empty() && key.iter().all(|part| fixed.contains(part)))
}

/// The entity of a read's first source.
fn entity_of<'a>(review: Review<'a>, read: &Read) -> Option<&'a Entity> {
    let source = read.sources.first()?;
    review.context.concept.entities.member(source.entity)
}

/// Whether a column is of the first source, whose rows are polled.
fn is_polled(column: Column) -> bool {
    column.source.index() == 0
}

/// The attributes of the rows polled that the read fixes.
fn find_fixed_attributes(read: &Read) -> Vec<AttributeId> {
    let fixed = read.conditions.iter().filter_map(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } if is_polled(*column) => {
            Some(column.attribute)
        }
        _ => None,
    });
    fixed.collect()
}

/// How a write takes rows that the read returned out of the polled set, if it does.
fn find_departure(review: Review<'_>, read: &Read, write: &Write) -> Option<Departure> {
    if read.sources.first()?.entity != write.entity {
        return None;
    }
    let entity = entity_of(review, read)?;
    // Rows that go with those they refer to, or that are written again, are not taken.
    if !write.is_stated() {
        return None;
    }
    match &write.kind {
        WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => None,
        WriteKind::Delete(conditions) => {
            is_on_polled_rows(entity, read, conditions).then_some(Departure::Delete)
        }
        WriteKind::Update(assignments, conditions) => {
            let departure = assignments.iter().find_map(|it| change_departure(review, read, it))?;
            is_on_polled_rows(entity, read, conditions).then_some(departure)
        }
    }
}

/// Whether the conditions of a write name rows by what the poll returned: a key, of which each part
/// is returned or fixed by the poll.
fn is_on_polled_rows(entity: &Entity, read: &Read, conditions: &[Condition]) -> bool {
    let returned = read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Column(column) if is_polled(column) => Some(column.attribute),
        _ => None,
    });
    let seen: Vec<AttributeId> = returned.chain(find_fixed_attributes(read)).collect();
    let named: Vec<AttributeId> = conditions
        .iter()
        .flat_map(|condition| condition.predicate.columns())
        .map(|column| column.attribute)
        .collect();
    let is_named = |key: &Vec<AttributeId>| {
        !key.is_empty() && key.iter().all(|part| named.contains(part) && seen.contains(part))
    };
    entity.keys.iter().any(is_named)
}

/// How an assignment takes a row out of the polled set, if it does.
fn change_departure(review: Review<'_>, read: &Read, assignment: &Assignment) -> Option<Departure> {
    let is_it = |column: &Column| is_polled(*column) && column.attribute == assignment.attribute;
    let mut asked =
        read.conditions.iter().filter(|condition| condition.predicate.columns().iter().any(is_it));
    if asked.any(|condition| !is_kept(&condition.predicate, &assignment.value)) {
        return Some(Departure::Change);
    }
    let first = read.order.first().filter(|first| is_it(&first.column))?;
    let is_time = review
        .read_attribute(read, first.column)
        .is_some_and(|attribute| time_keys::is_time(&attribute.ty));
    is_time.then_some(Departure::Postponement)
}

/// Whether a row that meets a condition surely still meets it after an assignment.
fn is_kept(predicate: &Predicate, value: &AssignmentValue) -> bool {
    match (predicate, value) {
        (
            Predicate::Compare { comparison: Comparison::Equal, value: Value::Literal(of), .. },
            AssignmentValue::Set(Value::Literal(to)),
        ) => of == to,
        (Predicate::In { values, .. }, AssignmentValue::Set(to)) => values.contains(to),
        (Predicate::NotNull { .. }, value) => *value != AssignmentValue::Null,
        (Predicate::Null { .. }, value) => *value == AssignmentValue::Null,
        _ => false,
    }
}

impl Queue<'_> {
    /// Whether rows flow through it: about as many are taken as are added, or more within the grace
    /// of tombstones than there are.
    fn is_flow(&self, review: Review<'_>) -> bool {
        let writes = &review.context.workload.writes;
        let added: Vec<&Write> = writes
            .iter()
            .filter(|write| write.entity == self.write.entity)
            .filter(|write| matches!(write.kind, WriteKind::Insert(_)))
            .collect();
        let is_known = self.write.rate.origin != Origin::Assumed
            && added.iter().all(|write| write.rate.origin != Origin::Assumed);
        if !is_known {
            // Without figures: nothing else is done with the rows.
            return !self.has_other_reads(review);
        }
        let rate: f64 = added.iter().map(|write| write.rate.value).sum();
        if !added.is_empty() && self.departure != Departure::Postponement {
            return self.write.rate.value >= rate * FLOW_SHARE;
        }
        let volume = &self.table.volume;
        let live = volume.partitions * volume.rows_after(0.0).mean;
        self.write.rate.value * tombstones::grace(review.context, self.table) >= live
    }

    /// Whether another query reads rows of the entity.
    fn has_other_reads(&self, review: Review<'_>) -> bool {
        review.reads().any(|(at, read, _)| {
            at != self.at && read.sources.iter().any(|source| source.entity == self.write.entity)
        })
    }

    /// Whether it is one of many lists, each of an entity (the items of a basket, the messages of a
    /// user), of which a read meets few tombstones.
    fn is_list_of_entity(&self, review: Review<'_>) -> bool {
        if self.plan.effort.tombstones > MANY_TOMBSTONES {
            return false;
        }
        let Some(entity) = entity_of(review, self.read) else { return false };
        let fixed = find_fixed_attributes(self.read);
        let parents = entity.references.iter().filter(|reference| {
            !reference.attributes.is_empty()
                && reference.attributes.iter().all(|part| fixed.contains(part))
        });
        let parents = parents.filter_map(|reference| {
            Some(review.context.concept.entities.member(reference.target)?.rows.value)
        });
        let stated = fixed.iter().filter_map(|part| {
            let distinct = entity.attributes.member(*part)?.distinct;
            (distinct.origin != Origin::Assumed).then_some(distinct.value)
        });
        parents.chain(stated).any(|lists| lists >= MANY_LISTS)
    }
}
