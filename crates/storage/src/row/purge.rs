//! Purging: leaving out tombstones and expired cells older than `gc_grace_seconds`, and the cells
//! of dropped columns.

use super::packer::RowPacker;
use super::{Row, RowEntry, RowHeader};
use crate::deletion::{DeletionTime, LivenessInfo, NO_DELETION_TIME};
use crate::layout::ColumnId;

/// A row without tombstones and expired cells from before that second; `None` if nothing is left.
/// The caller guarantees that no other version of the row needs the tombstones.
pub(crate) fn purge(row: &Row, gc_before: i64) -> Option<Row> {
    let is_old = |time: i32| time != NO_DELETION_TIME && i64::from(time) < gc_before;
    let (liveness, deletion) = (row.liveness(), row.deletion());
    let liveness = if is_old(liveness.expires_at) { LivenessInfo::NONE } else { liveness };
    let deletion = if is_old(deletion.local_time) { DeletionTime::LIVE } else { deletion };
    let mut kept = pack_like(row, liveness, deletion);
    for entry in row.entries() {
        let time = match entry {
            RowEntry::ColumnDeletion(_, deletion) => deletion.local_time,
            RowEntry::Cell(cell) => cell.local_time,
        };
        if !is_old(time) {
            kept.push(&entry);
        }
    }
    kept.finish_unless_empty()
}

/// A row without what was written to dropped columns up to the times they were dropped; it may be
/// left empty.
pub(crate) fn purge_dropped(row: &Row, dropped_columns: &[(ColumnId, i64)]) -> Row {
    let is_dropped = |entry: &RowEntry<'_>| {
        let timestamp = match entry {
            RowEntry::ColumnDeletion(_, deletion) => deletion.timestamp,
            RowEntry::Cell(cell) => cell.timestamp,
        };
        dropped_columns
            .iter()
            .any(|(column, dropped_at)| *column == entry.column() && timestamp <= *dropped_at)
    };
    if !row.entries().any(|entry| is_dropped(&entry)) {
        return row.clone();
    }
    let mut kept = pack_like(row, row.liveness(), row.deletion());
    row.entries().filter(|entry| !is_dropped(entry)).for_each(|entry| kept.push(&entry));
    kept.finish()
}

/// Begins a row like another one, with some of its entries.
fn pack_like(row: &Row, liveness: LivenessInfo, deletion: DeletionTime) -> RowPacker {
    let header = RowHeader { liveness, deletion };
    RowPacker::new(row.clustering(), header, deletion, row.as_bytes().len())
}
