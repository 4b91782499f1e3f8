//! Queues: poll the oldest, delete it.

use model::plan::{About, Note, NoteKind, WritePlan};
use model::workload::{Parameter, Read, Supply, Write, WriteKind};

use super::judged::{Judged, statements};
use super::{note, time_keys, tombstones};
use crate::figures::{counted, duration, rate};

/// A refusal for each queue.
pub(super) fn notes(judged: Judged<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, _) in judged.reads() {
        let Some(write) = taken(judged, at, read) else { continue };
        let Some((_, table)) = judged.table_of(at) else { continue };
        // What was taken lies before what is left: a poll meets all of it.
        let grace = tombstones::grace(table);
        let met = write.rate.value * grace / table.volume.partitions.max(1.0);
        let message = format!(
            "`{}` and `{}` are a queue: each poll would meet {} (deletes of {} over {}), and Cassandra fails a read at 100k",
            read.name,
            write.name,
            counted(met, "tombstone"),
            rate(write.rate.value),
            duration(grace)
        );
        let help = "use a message broker; or keep the rows with @retain instead of deleting them and read on from the last position; or update a status by key instead";
        let span = Some(read.span);
        notes.push(Note { span, ..note(NoteKind::Refusal, About::Read(at), message, help) });
    }
    notes
}

/// The write that takes from a queue what the read polls, if that is what they are.
pub(super) fn taken<'a>(judged: Judged<'a>, at: usize, read: &Read) -> Option<&'a Write> {
    if !polls(judged, read) {
        return None;
    }
    let (position, _) = judged.table_of(at)?;
    let mut writes = judged.writes();
    let found =
        writes.find(|(_, write, plan)| follows(write, at, read) && takes(write, plan, position))?;
    Some(found.1)
}

/// Whether a read asks for the oldest rows: some of them, in order of time or key, and from no position on.
fn polls(judged: Judged<'_>, read: &Read) -> bool {
    let Some(first) = read.order.first() else { return false };
    let by_time = judged
        .read_attribute(read, first.column)
        .is_some_and(|attribute| time_keys::is_time(&attribute.ty) || is_number(&attribute.ty));
    let some = read.limit.is_some() || !read.many;
    let resumes = read.conditions.iter().any(|condition| {
        use model::workload::{Comparison, Test};
        match &condition.test {
            Test::Compare { column, comparison, .. } => {
                *column == first.column && *comparison != Comparison::Equal
            }
            Test::Row { columns, .. } => columns.contains(&first.column),
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
fn follows(write: &Write, at: usize, read: &Read) -> bool {
    let same = read.sources.first().is_some_and(|source| source.entity == write.entity);
    let supplied =
        |parameter: &Parameter| matches!(parameter.supply, Supply::Step { read, .. } if read == at);
    same && (write.after.contains(&at) || write.parameters.iter().any(supplied))
}

/// Whether a write takes the row out of the table: deletes it, or changes what keeps it there.
fn takes(write: &Write, plan: &WritePlan, table: usize) -> bool {
    let removes =
        statements(plan).any(|statement| statement.table == table && statement.tombstones > 0.0);
    removes || matches!(write.kind, WriteKind::Delete(_))
}
