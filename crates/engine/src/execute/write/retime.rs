//! The timestamps of a conditional write (Cassandra's `Commit`,
//! `PartitionUpdate.updateAllTimestamp`): all data get the ballot's timestamp, all deletions the
//! microsecond before it, so that a batch which deletes and writes the same row keeps what it
//! writes.

use storage::{Layout, PartitionUpdate, Row, RowBuilder, RowEntry};

/// Sets the timestamp of all deletions of an update to one microsecond before its writes.
pub(super) fn retime(layout: &Layout, update: &mut PartitionUpdate, timestamp: i64) {
    let before = timestamp.saturating_sub(1);
    if !update.deletion.is_live() {
        update.deletion.timestamp = before;
    }
    for range in &mut update.ranges {
        range.deletion.timestamp = before;
    }
    for row in update.rows.iter_mut().chain(&mut update.statics) {
        *row = retime_row(layout, row, before);
    }
}

fn retime_row(layout: &Layout, row: &Row, before: i64) -> Row {
    let mut retimed = RowBuilder::new(row.clustering());
    retimed.liveness = row.liveness();
    retimed.deletion = row.deletion();
    if !retimed.deletion.is_live() {
        retimed.deletion.timestamp = before;
    }
    for entry in row.entries() {
        match entry {
            RowEntry::ColumnDeletion(column, mut deletion) => {
                deletion.timestamp = before;
                retimed.delete_column(column, deletion);
            }
            RowEntry::Cell(mut cell) => {
                if cell.is_tombstone() {
                    cell.timestamp = before;
                }
                retimed.add(cell);
            }
        }
    }
    retimed.build(layout)
}
