//! The size of a batch as the server computes it (`IMutation.dataSize`), for its warnings and
//! limits.

use storage::{PartitionUpdate, RangeTombstone, Row, RowEntry};

use super::update_collector::PartitionChange;

/// A timestamp, or an expiry or deletion time.
const TIME: usize = 8;
/// A TTL.
const LIFETIME: usize = 4;
/// A column deletion.
const COLUMN_DELETION: usize = 12;
/// A row deletion, present or not.
const ROW_DELETION: usize = COLUMN_DELETION + 1;
/// A cell without its path and value.
const CELL: usize = TIME + LIFETIME + TIME;
/// The value of a counter update: a header and one shard.
const COUNTER_CHANGE: usize = 36;

/// The size of the changes of one partition.
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
            // The server counts the deletion of a multi-cell column even if there is none.
            let is_first = cell.path.is_some() && deleted_column != Some(cell.column);
            deleted_column = cell.path.map(|_| cell.column).or(deleted_column);
            let path = cell.path.map_or(0, <[u8]>::len);
            CELL + path + cell.value.len() + if is_first { COLUMN_DELETION } else { 0 }
        }
    });
    clustering + TIME + expiry + ROW_DELETION + entries.sum::<usize>()
}

fn measure_deletions(update: &PartitionUpdate) -> usize {
    const COUNT: usize = 4;
    const SECOND: usize = 4;
    let range_size = |range: &RangeTombstone| range.start.len() + range.end.len() + TIME + SECOND;
    let ranges: usize = update.ranges.iter().map(range_size).sum();
    TIME + if update.ranges.is_empty() { 0 } else { COUNT + ranges }
}

fn measure_increments(change: &PartitionChange) -> usize {
    let row_size = TIME + ROW_DELETION;
    let mut rows: Vec<_> =
        change.increments.iter().map(|increment| &increment.clustering).collect();
    rows.sort_unstable();
    rows.dedup();
    let rows = rows
        .into_iter()
        .flatten()
        .map(|values| row_size + values.iter().flatten().map(Vec::len).sum::<usize>());
    rows.sum::<usize>() + change.increments.len() * (CELL + COUNTER_CHANGE)
}
