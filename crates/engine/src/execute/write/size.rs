//! The sizes of batches, as the server adds them up.

use storage::{PartitionUpdate, RangeTombstone, Row, RowEntry};

use super::update_collector::PartitionChange;

/// A timestamp, or a time of expiry or deletion.
const TIME: usize = 8;
/// A lifetime.
const LIFETIME: usize = 4;
/// The deletion of a column.
const COLUMN_DELETION: usize = 12;
/// What says whether and when a row was deleted.
const ROW_DELETION: usize = COLUMN_DELETION + 1;
/// What a cell takes besides its path and value.
const CELL: usize = TIME + LIFETIME + TIME;
/// The value of a counter's change on its way: one shard behind its header.
const COUNTER_CHANGE: usize = 36;

/// The size of what is done to one partition.
pub(super) fn measure_change(change: &PartitionChange) -> usize {
    let update = &change.update;
    let rows: usize = update.rows.iter().map(measure_row).sum();
    let statics = update.statics.as_ref().map_or(TIME + ROW_DELETION, measure_row);
    rows + statics + measure_deletions(update) + measure_increments(change)
}

fn measure_row(row: &Row) -> usize {
    let clustering: usize = row.clustering().flatten().map(<[u8]>::len).sum();
    let liveness = row.liveness();
    let expiry = if liveness.ttl == storage::deletion::NO_TTL { 0 } else { LIFETIME + TIME };
    let mut deleted_column = None;
    let entries = row.entries().map(|entry| match entry {
        RowEntry::ColumnDeletion(column, _) => {
            deleted_column = Some(column);
            COLUMN_DELETION
        }
        RowEntry::Cell(cell) => {
            // A column of many cells says whether it is deleted, even if it is not.
            let begins = cell.path.is_some() && deleted_column != Some(cell.column);
            deleted_column = cell.path.map(|_| cell.column).or(deleted_column);
            let path = cell.path.map_or(0, <[u8]>::len);
            CELL + path + cell.value.len() + if begins { COLUMN_DELETION } else { 0 }
        }
    });
    clustering + TIME + expiry + ROW_DELETION + entries.sum::<usize>()
}

fn measure_deletions(update: &PartitionUpdate) -> usize {
    const COUNT: usize = 4;
    const SECOND: usize = 4;
    let of_range = |range: &RangeTombstone| range.start.len() + range.end.len() + TIME + SECOND;
    let ranges: usize = update.ranges.iter().map(of_range).sum();
    TIME + if update.ranges.is_empty() { 0 } else { COUNT + ranges }
}

fn measure_increments(change: &PartitionChange) -> usize {
    let of_row = TIME + ROW_DELETION;
    let mut rows: Vec<_> = change.increments.iter().map(|one| &one.clustering).collect();
    rows.sort_unstable();
    rows.dedup();
    let rows = rows
        .into_iter()
        .flatten()
        .map(|values| of_row + values.iter().flatten().map(Vec::len).sum::<usize>());
    rows.sum::<usize>() + change.increments.len() * (CELL + COUNTER_CHANGE)
}
