//! Tombstones that reads will scan: those of the plan's effort, from which its price follows.

use model::id::IdList;
use model::plan::topic::ReadTopic;
use model::plan::{Note, NoteKind, NoteSubject, PlannedColumn, PlannedTable, ReadStep, WriteStep};

use super::review::Review;
use super::{note, queues};
use crate::cost::tombstones;

/// Tombstones of one read from which Cassandra warns.
pub(super) const WARN: f64 = 1_000.0;
/// Tombstones of one read at which Cassandra fails it.
const FAIL: f64 = 100_000.0;

/// A warning for each read that scans too many, and for each write that reads so first.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let Some((_, table)) = review.table_of(at) else { continue };
        if !queues::is_queue(review, at) {
            let topic = find_excess(review, &read.name, table, plan.effort.tombstones);
            notes.extend(topic.map(|it| note(NoteKind::Warning, NoteSubject::Read(at), it)));
        }
    }
    for (at, write, plan) in review.writes() {
        let read_first = plan.steps.iter().filter_map(|step| match step {
            WriteStep::Read(step, _) => Some(step),
            WriteStep::Batch { .. } | WriteStep::Statement(_) | WriteStep::Run(_) => None,
        });
        for step in read_first {
            let Some(table) = review.design.tables.member(step.table) else { continue };
            let met = tombstones_in(review, step, table);
            let topic = find_excess(review, &write.name, table, met);
            notes.extend(topic.map(|it| note(NoteKind::Warning, NoteSubject::Write(at), it)));
        }
    }
    notes
}

/// The tombstones that a step meets in a partition of its table; none where it reads one row.
pub(super) fn tombstones_in(review: Review<'_>, step: &ReadStep, table: &PlannedTable) -> f64 {
    let is_given = |column: &PlannedColumn| {
        step.select.relations.iter().any(|relation| relation.has_column(&column.name))
    };
    if table.clustering().all(is_given) {
        return 0.0;
    }
    tombstones::mean_per_partition(review.context, table, &tombstones::ColumnConstants::new())
}

/// The tombstones that a statement of this name meets, where they are too many.
fn find_excess(
    review: Review<'_>,
    name: &str,
    table: &PlannedTable,
    met: f64,
) -> Option<ReadTopic> {
    let fails = met > FAIL;
    (met > WARN).then(|| ReadTopic::Tombstones {
        read: name.to_owned(),
        table: table.name.clone(),
        met,
        made: tombstones::rate(review.context, table),
        grace: tombstones::grace(review.context, table),
        threshold: if fails { FAIL } else { WARN },
        fails,
    })
}
