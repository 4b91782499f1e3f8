//! Two versions of a row become one: which write counts, ties included, and what deletions leave of it.

use std::cmp::Ordering;

use super::builder::compare;
use super::{Cell, Entry, Row, RowBuilder};
use crate::deletion::{Deletion, Liveness};
use crate::layout::Layout;

/// The row that two versions of it make together.
pub fn merge(layout: &Layout, a: &Row, b: &Row) -> Row {
    let liveness = a.liveness().merge(b.liveness());
    let deletion = a.deletion().or_stronger(b.deletion());
    let mut sink = Sink::new(a, deletion, deletion);
    sink.builder.liveness = liveness;
    let (mut left, mut right) = (a.entries().peekable(), b.entries().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => compare(layout, one, other),
        };
        let one = if order == Ordering::Greater { None } else { left.next() };
        let other = if order == Ordering::Less { None } else { right.next() };
        match (one, other) {
            (Some(Entry::Cell(one)), Some(Entry::Cell(other))) => {
                sink.cell(reconcile(layout, one, other));
            }
            (Some(Entry::ColumnDeletion(column, one)), Some(Entry::ColumnDeletion(_, other))) => {
                sink.entry(Entry::ColumnDeletion(column, one.or_stronger(other)))
            }
            (one, other) => {
                for entry in one.into_iter().chain(other) {
                    sink.entry(entry);
                }
            }
        }
    }
    sink.finish()
}

/// What a deletion from outside (of the partition, of a range) leaves of a row; `None` if that is nothing.
pub fn prune(row: &Row, outside: Deletion) -> Option<Row> {
    if outside.is_live() {
        return Some(row.clone());
    }
    let own = row.deletion();
    let kept = if own.supersedes(outside) { own } else { Deletion::LIVE };
    let mut sink = Sink::new(row, kept, own.or_stronger(outside));
    sink.builder.liveness = row.liveness();
    row.entries().for_each(|entry| sink.entry(entry));
    let row = sink.finish();
    (!row.is_empty()).then_some(row)
}

/// Takes entries in order and keeps what no deletion covers.
struct Sink<'a> {
    builder: RowBuilder<'a>,
    /// What deletes the whole row.
    of_row: Deletion,
    /// What deletes the column at hand: its own deletion or the row's.
    of_column: (Option<u32>, Deletion),
}

impl<'a> Sink<'a> {
    fn new(row: &'a Row, kept: Deletion, of_row: Deletion) -> Self {
        let mut builder = RowBuilder::new(row.clustering());
        builder.deletion = kept;
        Self { builder, of_row, of_column: (None, of_row) }
    }

    fn entry(&mut self, entry: Entry<'a>) {
        match entry {
            Entry::Cell(cell) => self.cell(cell),
            Entry::ColumnDeletion(column, deletion) => {
                if deletion.supersedes(self.of_row) {
                    self.of_column = (Some(column), deletion);
                    self.builder.push(entry);
                }
            }
        }
    }

    fn cell(&mut self, cell: Cell<'a>) {
        let (column, deletion) = self.of_column;
        let active = if column == Some(cell.column) { deletion } else { self.of_row };
        if !active.covers(cell.timestamp) {
            self.builder.push(Entry::Cell(cell));
        }
    }

    fn finish(mut self) -> Row {
        if self.of_row.covers(self.builder.liveness.timestamp) {
            self.builder.liveness = Liveness::NONE;
        }
        self.builder.pack()
    }
}

/// Which of two cells of one place counts.
pub(super) fn reconcile<'a>(layout: &Layout, a: Cell<'a>, b: Cell<'a>) -> Cell<'a> {
    if layout.is_counter(a.column) {
        return reconcile_counters(a, b);
    }
    if a.timestamp != b.timestamp {
        return if a.timestamp > b.timestamp { a } else { b };
    }
    let is_plain = |cell: &Cell<'_>| !cell.is_tombstone() && !cell.is_expiring();
    if is_plain(&a) != is_plain(&b) {
        return if is_plain(&a) { b } else { a };
    }
    if a.is_tombstone() != b.is_tombstone() {
        return if a.is_tombstone() { a } else { b };
    }
    if a.local_time != b.local_time {
        return if a.local_time > b.local_time { a } else { b };
    }
    if a.is_expiring() && b.is_expiring() && a.ttl != b.ttl {
        return if a.ttl < b.ttl { a } else { b };
    }
    if a.value >= b.value { a } else { b }
}

/// A tombstone beats a count at any time; of two counts, the one with the larger clock, then the larger count.
fn reconcile_counters<'a>(a: Cell<'a>, b: Cell<'a>) -> Cell<'a> {
    if a.is_tombstone() || b.is_tombstone() {
        let a_counts = a.is_tombstone() && (!b.is_tombstone() || a.timestamp >= b.timestamp);
        return if a_counts { a } else { b };
    }
    let winner = if counter(a.value) >= counter(b.value) { a } else { b };
    Cell { timestamp: a.timestamp.max(b.timestamp), ..winner }
}

/// Clock and count of a counter cell.
pub(crate) fn counter(value: &[u8]) -> (i64, i64) {
    let number = |at: usize| {
        value.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| i64::from_be_bytes(*bytes))
    };
    (number(0), number(8))
}
