//! Counters: a stored counter is a clock and a count, which are read, incremented and written under
//! the lock of the partition.
//!
//! The server increments the value in its counter cache, which deletions do not invalidate: a
//! counter of a deleted row continues from its last value. To reproduce this, a deletion preserves
//! the last value of every counter in a cell of a column that no table has ([`PRESERVED_COLUMN`]).
//! The cell is invisible, because it has expired, and indestructible, because its timestamp is the
//! greatest.

use std::collections::BTreeMap;
use std::sync::Arc;

use storage::deletion::expiry;
use storage::{Cell, ColumnId, DeletionTime, Position, Row, RowBuilder, Slice, row};

use super::prefetch::{PrefetchedRows, row_slice};
use super::update_collector::{CounterIncrement, PartitionChange};
use crate::execute::internal_read::InternalRead;
use crate::execute::{Activity, Execution};
use crate::node::Node;
use crate::node::handle::TableHandle;

/// A row whose counters are incremented.
#[derive(Default)]
struct CounterRow<'a> {
    clustering: Option<&'a [Option<Vec<u8>>]>,
    /// By column, the sum of the increments and the latest of their timestamps.
    sums: BTreeMap<ColumnId, (i64, i64)>,
}

/// Records the events of reading counters. The server has a cache of the counters that were written
/// before; here, these are the ones with a value.
pub(super) fn trace_read(execution: &Execution<'_>, change: &PartitionChange) {
    if !execution.is_traced() {
        return;
    }
    let (mut count, mut absent, mut slices) = (0, 0, Vec::new());
    for counters in sum_by_row(&change.handle, &change.increments).values() {
        let clustering: Vec<_> = counters
            .clustering
            .unwrap_or_default()
            .iter()
            .map(|value| value.as_deref().map(Into::into))
            .collect();
        let slice = row_slice(&change.handle, &clustering);
        let stored =
            PrefetchedRows::read(&change.handle, &change.update.key, std::slice::from_ref(&slice));
        let current = if counters.clustering.is_none() { stored.statics() } else { stored.row() };
        let has_value =
            |column: &ColumnId| find_value(current, *column, execution.now_seconds()).is_some();
        let unknown = counters.sums.keys().filter(|column| !has_value(column)).count();
        count += counters.sums.len();
        absent += unknown;
        if unknown > 0 {
            slices.push(slice);
        }
    }
    execution.trace(|| Activity::AcquireCounterLocks);
    execution.trace(|| Activity::FetchCounters { count });
    if absent > 0 {
        execution.trace(|| Activity::ReadCounters { count: absent });
        let read = InternalRead {
            handle: &change.handle,
            key: &change.update.key,
            slices: &slices,
            names_rows: true,
            reads_statics: true,
            is_limited: false,
        };
        read.trace_for_counters(execution);
    }
}

/// Turns increments into the new values of counters. The caller holds the lock of the partition.
pub(super) fn resolve(node: &Node, change: &mut PartitionChange, now_seconds: i64) {
    let increments = std::mem::take(&mut change.increments);
    for counters in sum_by_row(&change.handle, &increments).values() {
        let clustering: Vec<_> = counters
            .clustering
            .unwrap_or_default()
            .iter()
            .map(|value| value.as_deref().map(Into::into))
            .collect();
        let slice = row_slice(&change.handle, &clustering);
        let stored = PrefetchedRows::read(&change.handle, &change.update.key, &[slice]);
        let is_static = counters.clustering.is_none();
        let current = if is_static { stored.statics() } else { stored.row() };
        let values: Vec<_> = counters
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

/// Sums the increments by row; the static row comes first.
fn sum_by_row<'a>(
    handle: &TableHandle,
    increments: &'a [CounterIncrement],
) -> BTreeMap<Option<Position>, CounterRow<'a>> {
    let mut rows: BTreeMap<Option<Position>, CounterRow<'a>> = BTreeMap::new();
    for increment in increments {
        let clustering = increment.clustering.as_deref();
        let position = clustering.map(|values| {
            let values: Vec<_> = values.iter().map(Option::as_deref).collect();
            handle.row_position(&values)
        });
        let counters = rows.entry(position).or_default();
        counters.clustering = clustering;
        let (sum, timestamp) =
            counters.sums.entry(increment.column).or_insert((0, increment.timestamp));
        *sum = sum.wrapping_add(increment.by);
        *timestamp = increment.timestamp.max(*timestamp);
    }
    rows
}

/// The next value of a counter: a later clock, and the incremented count. It continues from the
/// live cell, or else from the preserved value.
fn next_value(
    node: &Node,
    current: Option<&Row>,
    column: ColumnId,
    by: i64,
    now_seconds: i64,
) -> [u8; 16] {
    let cell = find_value(current, column, now_seconds);
    let (clock, count) = cell.map_or((0, 0), |cell| row::decode_counter(cell.value));
    let clock = node.clock.now_micros().max(clock.saturating_add(1));
    let mut value = [0; 16];
    value[..8].copy_from_slice(&clock.to_be_bytes());
    value[8..].copy_from_slice(&count.wrapping_add(by).to_be_bytes());
    value
}

/// The cell with the last value of a counter, live or preserved.
fn find_value(current: Option<&Row>, column: ColumnId, now_seconds: i64) -> Option<Cell<'_>> {
    let is_live = |cell: &Cell<'_>| cell.column == column && cell.is_live(now_seconds);
    let is_preserved = |cell: &Cell<'_>| {
        cell.column == PRESERVED_COLUMN && cell.path == Some(&column.to_be_bytes())
    };
    let find =
        |predicate: &dyn Fn(&Cell<'_>) -> bool| current?.cells().find(|cell| predicate(cell));
    find(&is_live).or_else(|| find(&is_preserved))
}

/// The id of the column with the last values of deleted counters; no table has as many columns.
const PRESERVED_COLUMN: ColumnId = ColumnId::MAX;
/// The values of at most this many rows are preserved: the server's cache is limited as well.
const PRESERVED_ROWS_MAX: usize = 1000;

/// Preserves the values of the counters that a change deletes. The caller holds the lock of the
/// partition.
pub(super) fn preserve_deleted(change: &mut PartitionChange, now_seconds: i64) {
    let update = &change.update;
    let is_partition_deletion = !update.deletion.is_live();
    let mut slices: Vec<Slice> = if is_partition_deletion {
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
    let deletes_statics =
        is_partition_deletion || update.statics.as_ref().is_some_and(has_tombstone);
    if slices.is_empty() && !deletes_statics {
        return;
    }
    slices.sort_by(|a, b| a.start.cmp(&b.start));
    let ranges = update.ranges.iter().map(|range| range.deletion);
    let covering = ranges.fold(update.deletion, DeletionTime::merge);
    let handle = Arc::clone(&change.handle);
    let stored = PrefetchedRows::read(&handle, &update.key, &slices);
    let keep = |row: &Row| {
        [preserve_row(&handle, row, now_seconds), keep_tombstones(&handle, row, covering)]
    };
    for row in stored.statics().filter(|_| deletes_statics).into_iter().flat_map(keep) {
        change.add_statics(row);
    }
    for row in stored.rows().iter().take(PRESERVED_ROWS_MAX).flat_map(keep) {
        change.add_row(row);
    }
    change.merge_rows();
}

/// The preserved values of the live counters of a row.
fn preserve_row(handle: &TableHandle, row: &Row, now_seconds: i64) -> Option<Row> {
    let live = row.cells().filter(|cell| cell.is_live(now_seconds));
    let values: Vec<_> = live.map(|cell| (cell.column.to_be_bytes(), cell.value)).collect();
    let mut preserved = RowBuilder::new(row.clustering());
    preserve_values(&mut preserved, &values, now_seconds);
    (!preserved.is_empty()).then(|| preserved.build(&handle.layout))
}

/// The tombstones of single counters of a row, with a timestamp after the deletion around them: in
/// the server they survive the deletion of a range or partition, but not that of the row.
fn keep_tombstones(handle: &TableHandle, row: &Row, covering: DeletionTime) -> Option<Row> {
    let later = DeletionTime { timestamp: covering.timestamp.saturating_add(1), ..covering };
    let mut dead = RowBuilder::new(row.clustering());
    for cell in row.cells().filter(|cell| cell.is_tombstone() && !covering.is_live()) {
        dead.add(Cell::tombstone(cell.column, later));
    }
    (!dead.is_empty()).then(|| dead.build(&handle.layout))
}

/// Adds cells with preserved values, whose paths are the ids of their columns.
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

/// Whether a counter was deleted by a tombstone of its own: it is still incremented, but never
/// visible again.
fn is_dead(row: Option<&Row>, column: ColumnId) -> bool {
    row.is_some_and(|row| row.cells().any(|cell| cell.column == column && cell.is_tombstone()))
}
