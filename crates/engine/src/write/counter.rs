//! Counters: what is stored is a clock and a count, read and written again under the lock of the partition.

use std::collections::BTreeMap;

use storage::{Cell, ColumnId, Position, Row, RowBuilder, row};

use super::changes::{Change, Increment};
use super::stored::{Stored, slice_of};
use crate::handle::TableHandle;
use crate::node::Node;

/// A row whose counters change.
#[derive(Default)]
struct Counted<'a> {
    clustering: Option<&'a [Option<Vec<u8>>]>,
    /// Sums, by column, and the time of the latest of their parts.
    sums: BTreeMap<ColumnId, (i64, i64)>,
}

/// Turns changes of counters into their new values. The partition is locked.
pub(super) fn resolve(node: &Node, change: &mut Change, now_seconds: i64) {
    let increments = std::mem::take(&mut change.increments);
    for counted in by_row(&change.handle, &increments).values() {
        let clustering: Vec<_> = counted
            .clustering
            .unwrap_or_default()
            .iter()
            .map(|value| value.as_deref().map(Into::into))
            .collect();
        let slice = slice_of(&change.handle, &clustering);
        let stored = Stored::read(&change.handle, &change.update.key, &[slice]);
        let is_static = counted.clustering.is_none();
        let current = if is_static { stored.statics() } else { stored.row() };
        let values: Vec<_> = counted
            .sums
            .iter()
            .map(|(column, (sum, timestamp))| {
                (*column, *timestamp, next(node, current, *column, *sum, now_seconds))
            })
            .collect();
        let mut row = RowBuilder::new(clustering.iter().map(Option::as_deref));
        for (column, timestamp, value) in &values {
            row.add(Cell::live(*column, *timestamp, value));
        }
        let row = row.build(&change.handle.layout);
        if is_static { change.add_statics(Some(row)) } else { put(change, row) }
    }
}

/// Sums up, row by row; the static row comes first.
fn by_row<'a>(
    handle: &TableHandle,
    increments: &'a [Increment],
) -> BTreeMap<Option<Position>, Counted<'a>> {
    let mut rows: BTreeMap<Option<Position>, Counted<'a>> = BTreeMap::new();
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
fn next(
    node: &Node,
    current: Option<&Row>,
    column: ColumnId,
    by: i64,
    now_seconds: i64,
) -> [u8; 16] {
    let cell = current
        .and_then(|row| row.cells().find(|cell| cell.column == column))
        .filter(|cell| cell.is_live(now_seconds));
    let (clock, count) = cell.map_or((0, 0), |cell| row::counter(cell.value));
    let clock = node.clock.now_micros().max(clock.saturating_add(1));
    let mut value = [0; 16];
    value[..8].copy_from_slice(&clock.to_be_bytes());
    value[8..].copy_from_slice(&count.wrapping_add(by).to_be_bytes());
    value
}

/// Adds a row to those that the change has already.
fn put(change: &mut Change, new: Row) {
    let handle = &change.handle;
    let place = |row: &Row| handle.row_position(&row.clustering().collect::<Vec<_>>());
    let at = place(&new);
    match change.update.rows.iter_mut().find(|row| place(row) == at) {
        Some(old) => *old = row::merge(&handle.layout, old, &new),
        None => change.update.rows.push(new),
    }
}
