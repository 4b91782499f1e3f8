//! Partitions of many rows: within the limits, but above what servers warn of.

use model::id::TableId;
use model::plan::topic::SizeTopic;
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable, Select};

use super::note;
use super::review::Review;
use crate::volume;

/// Rows of a partition from which `ScyllaDB` warns (`compaction_rows_count_warning_threshold`); of
/// values, Cassandra's documentation names the same number.
const MANY: f64 = 100_000.0;

/// A note for each table with such partitions; a warning where a read reads them as a whole.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limits = &review.context.options.limits;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let horizon = volume::horizon(review.context, table);
        let rows = table.volume.rows_after(horizon).p999;
        let size = table.volume.bytes_after(horizon).p999;
        if rows <= MANY || rows > limits.partition_rows || size > limits.partition_bytes {
            continue;
        }
        let readers = whole_readers(review, at, table);
        let kind = if readers.is_empty() { NoteKind::Alternative } else { NoteKind::Warning };
        let topic = SizeTopic::ManyRows {
            table: table.name.clone(),
            rows,
            bytes: size,
            days: horizon,
            rows_max: limits.partition_rows,
            rows_warn: MANY,
            readers,
        };
        notes.push(note(kind, NoteSubject::Table(at), topic));
    }
    notes
}

/// The reads with a statement that reads all rows of a partition of a table.
fn whole_readers(review: Review<'_>, at: TableId, table: &PlannedTable) -> Vec<String> {
    let keys = table.partition_key().count();
    let reads = review.reads().filter(|(_, _, plan)| {
        let mut steps = plan.steps.iter().filter(|step| step.table == at);
        steps.any(|step| is_whole_partition(&step.select, keys))
    });
    reads.map(|(_, read, _)| read.name.clone()).collect()
}

/// Whether a SELECT restricts `keys` columns of the partition key and nothing else that would end
/// it.
fn is_whole_partition(select: &Select, keys: usize) -> bool {
    let aggregates = select.items.iter().any(|item| item.expression.is_aggregate());
    !aggregates && select.limit.is_none() && select.relations.len() == keys
}
