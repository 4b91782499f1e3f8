//! The times of a conditional write: all of it at one time, what it deletes just before that.

use storage::{Layout, PartitionUpdate, Row, RowBuilder, RowEntry};

/// Moves everything that an update deletes to the time before that of what it writes.
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
    let mut moved = RowBuilder::new(row.clustering());
    moved.liveness = row.liveness();
    moved.deletion = row.deletion();
    if !moved.deletion.is_live() {
        moved.deletion.timestamp = before;
    }
    for entry in row.entries() {
        match entry {
            RowEntry::ColumnDeletion(column, mut deletion) => {
                deletion.timestamp = before;
                moved.delete_column(column, deletion);
            }
            RowEntry::Cell(mut cell) => {
                if cell.is_tombstone() {
                    cell.timestamp = before;
                }
                moved.add(cell);
            }
        }
    }
    moved.build(layout)
}
