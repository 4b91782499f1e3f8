//! Tombstones that reads will scan: those of the plan's effort, from which its price follows.

use model::plan::topic::ReadTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::review::Review;
use super::{note, queues};
use crate::cost::tombstones;

/// Tombstones of one read from which Cassandra warns.
pub(super) const WARN: f64 = 1_000.0;
/// Tombstones of one read at which Cassandra fails it.
const FAIL: f64 = 100_000.0;

/// A warning for each read that scans too many.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let met = plan.effort.tombstones;
        let Some((_, table)) = review.table_of(at).filter(|_| met > WARN) else { continue };
        if queues::is_queue(review, at) {
            continue;
        }

        let fails = met > FAIL;
        let topic = ReadTopic::Tombstones {
            read: read.name.clone(),
            table: table.name.clone(),
            met,
            made: tombstones::rate(review.context, table),
            grace: tombstones::grace(table),
            threshold: if fails { FAIL } else { WARN },
            fails,
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Read(at), topic));
    }
    notes
}
