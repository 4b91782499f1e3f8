//! Partitions above the limits: those that nothing could split, and those of keys that the user
//! forces (`--key`), with the key to take instead.

use model::plan::topic::{KeyColumns, KeyReplacement, PartitionExcess, SizeTopic, SplitObstacle};
use model::plan::{MappingRule, Note, NoteKind, NoteSubject, PlannedTable};

use super::note;
use super::review::Review;
use crate::volume;

/// A refusal for each table above the limits.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut unforced = None;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let Some(excess) = excess(review, table) else { continue };
        let obstacle = if is_forced(table) {
            let instead = unforced.get_or_insert_with(review.unforced);
            let key = KeyColumns::from(table);
            SplitObstacle::ForcedKey { key, replacement: replacement(table, instead) }
        } else if table.clustering().next().is_none() {
            SplitObstacle::SingleRow
        } else {
            SplitObstacle::NoColumn
        };
        let topic = SizeTopic::TooLarge { table: table.name.clone(), excess, obstacle };
        notes.push(note(NoteKind::Refusal, NoteSubject::Table(at), topic));
    }
    notes
}

/// The size of a partition at p99.9 and when it crosses the limits, where it does.
fn excess(review: Review<'_>, table: &PlannedTable) -> Option<PartitionExcess> {
    let limits = &review.context.options.limits;
    let horizon = table.volume.fullest_day(volume::horizon(review.context, table));
    let rows = table.volume.rows_after(horizon).p999;
    let size = table.volume.bytes_after(horizon).p999;
    if rows <= limits.partition_rows && size <= limits.partition_bytes {
        return None;
    }
    let of_bytes = table.volume.days_until(limits.partition_bytes).unwrap_or(f64::INFINITY);
    let rows_after = |days: f64| table.volume.rows_after(days).p999;
    let of_rows = table.volume.first_day(limits.partition_rows, rows_after);
    Some(PartitionExcess {
        rows,
        bytes: size,
        days: horizon,
        rows_max: limits.partition_rows,
        bytes_max: limits.partition_bytes,
        crossed_after: of_bytes.min(of_rows.unwrap_or(f64::INFINITY)),
    })
}

/// Whether the user forced the table's key.
pub(super) fn is_forced(table: &PlannedTable) -> bool {
    table.columns.iter().any(|column| {
        column.is_key() && column.reasons.iter().any(|reason| reason.rule == MappingRule::Forced)
    })
}

/// The key to take instead of a forced one.
pub(super) fn replacement(table: &PlannedTable, unforced: &[PlannedTable]) -> KeyReplacement {
    let read = table.serves.first();
    let instead = unforced.iter().find(|other| {
        let serves = |one: &model::plan::ServedRead| {
            read.is_some_and(|read| one.read == read.read && one.part == read.part)
        };
        other.serves.iter().any(serves)
    });
    instead.map_or(KeyReplacement::Unforced, |instead| KeyReplacement::Derived {
        key: KeyColumns::from(instead),
        shards: instead.shards(),
    })
}
