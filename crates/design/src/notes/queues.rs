//! Queues: reads that poll the oldest rows, and writes that delete them. An anti-pattern in
//! Cassandra.

use model::id::{ReadId, TableId};
use model::plan::topic::WorkloadTopic;
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable, RejectedAlternative, WritePlan};
use model::workload::{Parameter, Read, Supply, Write, WriteKind};

use super::review::{Review, statements};
use super::{note, time_keys, tombstones};
use model::figures::pluralise;

/// A read that polls, and the write that consumes what it returned.
struct Queue<'a> {
    at: ReadId,
    read: &'a Read,
    write: &'a Write,
    table: &'a PlannedTable,
}

impl Queue<'_> {
    /// Tombstones that each poll scans: consumed rows come before the remaining ones.
    fn tombstones_scanned(&self) -> f64 {
        let grace = tombstones::grace(self.table);
        self.write.rate.value * grace / self.table.volume.partitions.max(1.0)
    }
}

fn queues(review: Review<'_>) -> impl Iterator<Item = Queue<'_>> {
    review.reads().filter_map(move |(at, read, _)| {
        let write = find_consumer(review, at, read)?;
        let (_, table) = review.table_of(at)?;
        Some(Queue { at, read, write, table })
    })
}

/// A refusal for each queue.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let refused = |queue: Queue<'_>| {
        let topic = WorkloadTopic::Queue {
            read: queue.read.name.clone(),
            write: queue.write.name.clone(),
            tombstones: queue.tombstones_scanned(),
            rate: queue.write.rate.value,
            grace: tombstones::grace(queue.table),
        };
        let span = Some(queue.read.span);
        Note { span, ..note(NoteKind::Refusal, NoteSubject::Read(queue.at), topic) }
    };
    queues(review).map(refused).collect()
}

/// The queues of a design of this price.
pub(super) fn rejections(review: Review<'_>, price: f64) -> Vec<RejectedAlternative> {
    let rejected = |queue: Queue<'_>| RejectedAlternative {
        about: NoteSubject::Read(queue.at),
        what: format!("{} as a queue", queue.table.name),
        price,
        because: format!(
            "{} scanned by each poll",
            pluralise(queue.tombstones_scanned(), "tombstone")
        ),
    };
    queues(review).map(rejected).collect()
}

/// The write that consumes what the read polls, if they form a queue.
pub(super) fn find_consumer<'a>(review: Review<'a>, at: ReadId, read: &Read) -> Option<&'a Write> {
    if !is_poll(review, read) {
        return None;
    }
    let (position, _) = review.table_of(at)?;
    let mut writes = review.writes();
    let found = writes.find(|(_, write, plan)| {
        is_follow_up(write, at, read) && is_removal(write, plan, position)
    })?;
    Some(found.1)
}

/// Whether a read returns the oldest rows: some of them, in order of time or key, and not from a
/// position on.
fn is_poll(review: Review<'_>, read: &Read) -> bool {
    let Some(first) = read.order.first() else { return false };
    let by_time = review
        .read_attribute(read, first.column)
        .is_some_and(|attribute| time_keys::is_time(&attribute.ty) || is_number(&attribute.ty));
    let some = read.limit.is_some() || !read.many;
    let resumes = read.conditions.iter().any(|condition| {
        use model::workload::{Comparison, Predicate};
        match &condition.predicate {
            Predicate::Compare { column, comparison, .. } => {
                *column == first.column && *comparison != Comparison::Equal
            }
            Predicate::Row { columns, .. } => columns.contains(&first.column),
            _ => false,
        }
    });
    by_time && some && !first.descending && !resumes
}

fn is_number(ty: &cql::types::Type) -> bool {
    use cql::types::NativeType::{Bigint, Int};
    matches!(ty, cql::types::Type::Native(Bigint | Int))
}

/// Whether a write works on what the read returned.
fn is_follow_up(write: &Write, at: ReadId, read: &Read) -> bool {
    let same = read.sources.first().is_some_and(|source| source.entity == write.entity);
    let supplied =
        |parameter: &Parameter| matches!(parameter.supply, Supply::Step { read, .. } if read == at);
    same && (write.after.contains(&at) || write.parameters.iter().any(supplied))
}

/// Whether a write removes the row from the table: deletes it, or changes what keeps it there.
fn is_removal(write: &Write, plan: &WritePlan, table: TableId) -> bool {
    let removes =
        statements(plan).any(|statement| statement.table == table && statement.tombstones > 0.0);
    removes || matches!(write.kind, WriteKind::Delete(_))
}
