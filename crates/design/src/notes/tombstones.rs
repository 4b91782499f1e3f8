//! Tombstones that reads will scan.

use model::id::{ReadId, TableId};
use model::plan::topic::ReadTopic;
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable, ReadPlan};
use model::workload::Read;

use super::review::Review;
use super::{note, queues};

/// Tombstones of one read from which Cassandra warns.
pub(super) const WARN: f64 = 1_000.0;
/// Tombstones of one read at which Cassandra fails it.
const FAIL: f64 = 100_000.0;
/// Cassandra's default grace of tombstones in seconds.
const GRACE: u32 = 864_000;

/// Seconds that tombstones stay in a table.
pub(super) fn grace(table: &PlannedTable) -> f64 {
    f64::from(table.options.gc_grace_seconds.unwrap_or(GRACE))
}

/// Tombstones in a table: those created within the grace.
fn count_in_table(review: Review<'_>, at: TableId, table: &PlannedTable) -> f64 {
    review.tombstones(at) * grace(table)
}

/// Tombstones that a read is expected to scan in the table of its rows.
pub(super) fn count_scanned(review: Review<'_>, at: ReadId, read: &Read, plan: &ReadPlan) -> f64 {
    let Some((position, table)) = review.table_of(at) else { return 0.0 };
    if table.clustering().next().is_none() || is_point_read(read, table, review) {
        return 0.0;
    }
    let each = count_in_table(review, position, table) / table.volume.partitions.max(1.0);
    let rows = table.volume.rows_after(0.0).mean.max(1.0);
    // A read that stops early scans its share; but where few rows are left, many tombstones precede
    // them.
    let part = (plan.rows / (plan.partitions.max(1.0) * rows)).min(1.0);
    each * plan.partitions.max(1.0) * part
}

/// Whether the read returns one row by the whole key.
fn is_point_read(read: &Read, table: &PlannedTable, review: Review<'_>) -> bool {
    use model::workload::{Comparison, Predicate};
    let given: Vec<&str> = read
        .conditions
        .iter()
        .filter_map(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                review.read_attribute(read, *column).map(|attribute| attribute.name.as_str())
            }
            _ => None,
        })
        .collect();
    table.clustering().all(|column| given.contains(&column.name.as_str()))
}

/// A warning for each read that scans too many.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let met = count_scanned(review, at, read, plan);
        let Some((position, table)) = review.table_of(at).filter(|_| met > WARN) else { continue };
        if queues::find_consumer(review, at, read).is_some() {
            continue;
        }

        let fails = met > FAIL;
        let topic = ReadTopic::Tombstones {
            read: read.name.clone(),
            table: table.name.clone(),
            met,
            made: review.tombstones(position),
            grace: grace(table),
            threshold: if fails { FAIL } else { WARN },
            fails,
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Read(at), topic));
    }
    notes
}
