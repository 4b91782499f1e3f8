//! Two versions of a row become one: which write counts, ties included, and what deletions leave of it.

use std::cmp::Ordering;

use super::builder::compare_entries;
use super::{Cell, Row, RowBuilder, RowEntry};
use crate::deletion::DeletionTime;
use crate::layout::Layout;

/// The row that two versions of it make together.
pub fn merge(layout: &Layout, a: &Row, b: &Row) -> Row {
    let liveness = a.liveness().merge(b.liveness());
    let deletion = a.deletion().merge(b.deletion());
    let mut merged = RowBuilder::new(a.clustering());
    (merged.liveness, merged.deletion) = (liveness, deletion);
    let (mut left, mut right) = (a.entries().peekable(), b.entries().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => compare_entries(layout, one, other),
        };
        let one = if order == Ordering::Greater { None } else { left.next() };
        let other = if order == Ordering::Less { None } else { right.next() };
        match (one, other) {
            (Some(RowEntry::Cell(one)), Some(RowEntry::Cell(other))) => {
                merged.push(RowEntry::Cell(reconcile(layout, one, other)));
            }
            (
                Some(RowEntry::ColumnDeletion(column, one)),
                Some(RowEntry::ColumnDeletion(_, other)),
            ) => {
                merged.push(RowEntry::ColumnDeletion(column, one.merge(other)));
            }
            (one, other) => {
                for entry in one.into_iter().chain(other) {
                    merged.push(entry);
                }
            }
        }
    }
    merged.drop_covered(deletion);
    merged.pack()
}

/// What a deletion from outside (of the partition, of a range) leaves of a row; `None` if that is nothing.
pub fn prune(row: &Row, outside: DeletionTime) -> Option<Row> {
    if outside.is_live() {
        return Some(row.clone());
    }
    let own = row.deletion();
    let mut left = RowBuilder::new(row.clustering());
    left.liveness = row.liveness();
    if own.is_superseding(outside) {
        left.deletion = own;
    }
    row.entries().for_each(|entry| left.push(entry));
    left.drop_covered(own.merge(outside));
    (!left.is_empty()).then(|| left.pack())
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
    let winner = if decode_counter(a.value) >= decode_counter(b.value) { a } else { b };
    Cell { timestamp: a.timestamp.max(b.timestamp), ..winner }
}

/// Clock and count of a counter cell.
pub fn decode_counter(value: &[u8]) -> (i64, i64) {
    let number = |at: usize| {
        value.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| i64::from_be_bytes(*bytes))
    };
    (number(0), number(8))
}
