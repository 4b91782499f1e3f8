//! Counters: what is stored is a clock and a count, read and written again under the lock of the partition.
//!
//! The server counts on from a cache that knows nothing of deletions: a counter of a row that was deleted goes on from
//! where it was. So a deletion leaves the last value of every counter behind, in a cell of no column that nobody sees:
//! it has expired, and no deletion is late enough to cover it.

use std::collections::BTreeMap;
use std::sync::Arc;

use storage::deletion::expiry;
use storage::{Cell, ColumnId, DeletionTime, Position, Row, RowBuilder, Slice, row};

use super::prefetch::{PrefetchedRows, row_slice};
use super::update_collector::{CounterIncrement, PartitionChange};
use crate::node::Node;
use crate::node::handle::TableHandle;

/// A row whose counters change.
#[derive(Default)]
struct CounterRow<'a> {
    clustering: Option<&'a [Option<Vec<u8>>]>,
    /// Sums, by column, and the time of the latest of their parts.
    sums: BTreeMap<ColumnId, (i64, i64)>,
}

/// Turns changes of counters into their new values. The partition is locked.
pub(super) fn resolve(node: &Node, change: &mut PartitionChange, now_seconds: i64) {
    let increments = std::mem::take(&mut change.increments);
    for counted in sum_by_row(&change.handle, &increments).values() {
        let clustering: Vec<_> = counted
            .clustering
            .unwrap_or_default()
            .iter()
            .map(|value| value.as_deref().map(Into::into))
            .collect();
        let slice = row_slice(&change.handle, &clustering);
        let stored = PrefetchedRows::read(&change.handle, &change.update.key, &[slice]);
        let is_static = counted.clustering.is_none();
        let current = if is_static { stored.statics() } else { stored.row() };
        let values: Vec<_> = counted
            .sums
            .iter()
            .map(|(column, (sum, timestamp))| {
                (*column, *timestamp, next_value(node, current, *column, *sum, now_seconds))
            })
            .collect();
        let mut row = RowBuilder::new(clustering.iter().map(Option::as_deref));
        let dead: Vec<_> = values
            .iter()
            .filter(|(column, ..)| is_dead(current, *column))
            .map(|(column, _, value)| (column.to_be_bytes(), &value[..]))
            .collect();
        for (column, timestamp, value) in &values {
            row.add(Cell::live(*column, *timestamp, value));
        }
        preserve_values(&mut row, &dead, now_seconds);
        let row = row.build(&change.handle.layout);
        if is_static {
            change.add_statics(Some(row));
        } else {
            change.add_row(Some(row));
        }
    }
    change.merge_rows();
}

/// Sums up, row by row; the static row comes first.
fn sum_by_row<'a>(
    handle: &TableHandle,
    increments: &'a [CounterIncrement],
) -> BTreeMap<Option<Position>, CounterRow<'a>> {
    let mut rows: BTreeMap<Option<Position>, CounterRow<'a>> = BTreeMap::new();
    for one in increments {
        let clustering = one.clustering.as_deref();
        let place = clustering.map(|values| {
            let values: Vec<_> = values.iter().map(Option::as_deref).collect();
            handle.row_position(&values)
        });
        let counted = rows.entry(place).or_default();
        counted.clustering = clustering;
        let (sum, timestamp) = counted.sums.entry(one.column).or_insert((0, one.timestamp));
        *sum = sum.wrapping_add(one.by);
        *timestamp = one.timestamp.max(*timestamp);
    }
    rows
}

/// The next value of a counter: a later clock, and the count.
fn next_value(
    node: &Node,
    current: Option<&Row>,
    column: ColumnId,
    by: i64,
    now_seconds: i64,
) -> [u8; 16] {
    let live = |cell: &Cell<'_>| cell.column == column && cell.is_live(now_seconds);
    let left = |cell: &Cell<'_>| {
        cell.column == PRESERVED_COLUMN && cell.path == Some(&column.to_be_bytes())
    };
    let find = |is: &dyn Fn(&Cell<'_>) -> bool| current?.cells().find(|cell| is(cell));
    let cell = find(&live).or_else(|| find(&left));
    let (clock, count) = cell.map_or((0, 0), |cell| row::decode_counter(cell.value));
    let clock = node.clock.now_micros().max(clock.saturating_add(1));
    let mut value = [0; 16];
    value[..8].copy_from_slice(&clock.to_be_bytes());
    value[8..].copy_from_slice(&count.wrapping_add(by).to_be_bytes());
    value
}

/// The number of the column that the last values of deleted counters are kept under; no table has so many columns.
const PRESERVED_COLUMN: ColumnId = ColumnId::MAX;
/// More rows than this are not remembered: the server's cache is not endless either.
const PRESERVED_ROWS_MAX: usize = 1000;

/// Leaves the values of the counters behind that a change deletes. The partition is locked.
pub(super) fn preserve_deleted(change: &mut PartitionChange, now_seconds: i64) {
    let update = &change.update;
    let whole = !update.deletion.is_live();
    let mut slices: Vec<Slice> = if whole {
        vec![Slice::all()]
    } else {
        let slice =
            |start: &Position, end: &Position| Slice { start: start.clone(), end: end.clone() };
        update.ranges.iter().map(|range| slice(&range.start, &range.end)).collect()
    };
    let has_tombstone = |row: &Row| row.cells().any(|cell| cell.is_tombstone());
    let deletes = |row: &&Row| !row.deletion().is_live() || has_tombstone(row);
    for row in update.rows.iter().filter(deletes) {
        let clustering: Vec<_> = row.clustering().map(|value| value.map(Into::into)).collect();
        slices.push(row_slice(&change.handle, &clustering));
    }
    let static_too = whole || update.statics.as_ref().is_some_and(has_tombstone);
    if slices.is_empty() && !static_too {
        return;
    }
    slices.sort_by(|a, b| a.start.cmp(&b.start));
    let ranges = update.ranges.iter().map(|range| range.deletion);
    let outside = ranges.fold(update.deletion, DeletionTime::merge);
    let handle = Arc::clone(&change.handle);
    let stored = PrefetchedRows::read(&handle, &update.key, &slices);
    let keep = |row: &Row| {
        [preserve_row(&handle, row, now_seconds), keep_tombstones(&handle, row, outside)]
    };
    for row in stored.statics().filter(|_| static_too).into_iter().flat_map(keep) {
        change.add_statics(row);
    }
    for row in stored.rows().iter().take(PRESERVED_ROWS_MAX).flat_map(keep) {
        change.add_row(row);
    }
    change.merge_rows();
}

/// The live counters of a row, as they are left behind.
fn preserve_row(handle: &TableHandle, row: &Row, now_seconds: i64) -> Option<Row> {
    let live = row.cells().filter(|cell| cell.is_live(now_seconds));
    let values: Vec<_> = live.map(|cell| (cell.column.to_be_bytes(), cell.value)).collect();
    let mut left = RowBuilder::new(row.clustering());
    preserve_values(&mut left, &values, now_seconds);
    (!left.is_empty()).then(|| left.build(&handle.layout))
}

/// The counters of a row that were deleted by themselves and stay so: the server forgets that when the row is deleted,
/// not when a range or the partition is.
fn keep_tombstones(handle: &TableHandle, row: &Row, outside: DeletionTime) -> Option<Row> {
    let later = DeletionTime { timestamp: outside.timestamp.saturating_add(1), ..outside };
    let mut dead = RowBuilder::new(row.clustering());
    for cell in row.cells().filter(|cell| cell.is_tombstone() && !outside.is_live()) {
        dead.add(Cell::tombstone(cell.column, later));
    }
    (!dead.is_empty()).then(|| dead.build(&handle.layout))
}

/// Leaves values behind, by the numbers of their columns.
fn preserve_values<'a>(
    row: &mut RowBuilder<'a>,
    values: &'a [([u8; 4], &'a [u8])],
    now_seconds: i64,
) {
    const LIFETIME: i32 = 1;
    for (path, value) in values {
        let mut cell = Cell::live(PRESERVED_COLUMN, i64::MAX, value).with_path(path);
        cell.ttl = LIFETIME;
        cell.local_time = expiry(LIFETIME, now_seconds.saturating_sub(LIFETIME.into()));
        row.add(cell);
    }
}

/// Whether a counter was deleted by itself: it counts on, but is never seen again.
fn is_dead(row: Option<&Row>, column: ColumnId) -> bool {
    row.is_some_and(|row| row.cells().any(|cell| cell.column == column && cell.is_tombstone()))
}
