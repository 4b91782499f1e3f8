//! Forgetting: deletions and expired cells that have been kept long enough, and what dropped columns held.

use super::{Row, RowBuilder, RowEntry};
use crate::deletion::{DeletionTime, LivenessInfo, NO_DELETION_TIME};
use crate::layout::ColumnId;

/// A row without what died before that second; `None` if nothing is left. What is left out must not be needed against
/// older data elsewhere.
pub fn purge(row: &Row, gc_before: i64) -> Option<Row> {
    let is_old = |time: i32| time != NO_DELETION_TIME && i64::from(time) < gc_before;
    let mut kept = RowBuilder::new(row.clustering());
    let (liveness, deletion) = (row.liveness(), row.deletion());
    kept.liveness = if is_old(liveness.expires_at) { LivenessInfo::NONE } else { liveness };
    kept.deletion = if is_old(deletion.local_time) { DeletionTime::LIVE } else { deletion };
    for entry in row.entries() {
        let time = match entry {
            RowEntry::ColumnDeletion(_, deletion) => deletion.local_time,
            RowEntry::Cell(cell) => cell.local_time,
        };
        if !is_old(time) {
            kept.push(entry);
        }
    }
    (!kept.is_empty()).then(|| kept.pack())
}

/// A row without what was written to hidden columns up to their times; it may be left with nothing.
pub(crate) fn purge_dropped(row: &Row, hidden: &[(ColumnId, i64)]) -> Row {
    let is_hidden = |entry: &RowEntry<'_>| {
        let timestamp = match entry {
            RowEntry::ColumnDeletion(_, deletion) => deletion.timestamp,
            RowEntry::Cell(cell) => cell.timestamp,
        };
        hidden.iter().any(|(column, until)| *column == entry.column() && timestamp <= *until)
    };
    if !row.entries().any(|entry| is_hidden(&entry)) {
        return row.clone();
    }
    let mut kept = RowBuilder::new(row.clustering());
    (kept.liveness, kept.deletion) = (row.liveness(), row.deletion());
    row.entries().filter(|entry| !is_hidden(entry)).for_each(|entry| kept.push(entry));
    kept.pack()
}
