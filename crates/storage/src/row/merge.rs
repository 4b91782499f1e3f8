//! The merge of two versions of a row (Cassandra's `Rows.merge` and `Cells.reconcile`), and the
//! pruning of a row by a deletion around it.
//!
//! All writes to a cell are ordered by their timestamps; ties are broken by rules that depend on
//! the cells alone, never on the order of arrival, so that all replicas end with the same cell. See
//! `partition` for the invariant that the merge keeps.

use std::cmp::Ordering;

use super::builder::compare_entries;
use super::packer::RowPacker;
use super::{Cell, Row, RowEntry, RowHeader};
use crate::deletion::DeletionTime;
use crate::layout::Layout;

/// Merges two versions of a row: a merge join over their entries, which both have in the order of
/// [`compare_entries`]. What the merged deletions cover is dropped: a cell of one version may be
/// covered by a deletion of the other.
pub fn merge(layout: &Layout, a: &Row, b: &Row) -> Row {
    let deletion = a.deletion().merge(b.deletion());
    let header = RowHeader { liveness: a.liveness().merge(b.liveness()), deletion };
    let size = a.as_bytes().len() + b.as_bytes().len();
    let mut merged = RowPacker::new(a.clustering(), header, deletion, size);
    let (mut left, mut right) = (a.entries().peekable(), b.entries().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => compare_entries(layout, a, b),
        };
        let a = if order == Ordering::Greater { None } else { left.next() };
        let b = if order == Ordering::Less { None } else { right.next() };
        match (a, b) {
            (Some(RowEntry::Cell(a)), Some(RowEntry::Cell(b))) => {
                merged.push(&RowEntry::Cell(reconcile(layout, a, b)));
            }
            (Some(RowEntry::ColumnDeletion(column, a)), Some(RowEntry::ColumnDeletion(_, b))) => {
                merged.push(&RowEntry::ColumnDeletion(column, a.merge(b)));
            }
            (a, b) => {
                for entry in a.iter().chain(&b) {
                    merged.push(entry);
                }
            }
        }
    }
    merged.finish()
}

/// Drops from a row what a deletion around it (of the partition or of a range) covers; `None` if
/// nothing is left. The row's own deletion stays only if it supersedes that deletion, which is
/// stored once, at its own level, and not copied into the rows.
pub fn prune(row: &Row, covering: DeletionTime) -> Option<Row> {
    if covering.is_live() {
        return Some(row.clone());
    }
    let own = row.deletion();
    let deletion = if own.is_superseding(covering) { own } else { DeletionTime::LIVE };
    let header = RowHeader { liveness: row.liveness(), deletion };
    let covering = own.merge(covering);
    let mut pruned = RowPacker::new(row.clustering(), header, covering, row.as_bytes().len());
    row.entries().for_each(|entry| pruned.push(&entry));
    pruned.finish_unless_empty()
}

/// The winner of two cells of the same column and path: the later timestamp; at the same one, what
/// deletes or expires before what stays, a tombstone before an expiring cell, the later local time,
/// the smaller TTL (the later write, as both expire at the same time), the greater value. These are
/// the rules of Cassandra 5.0 (`Cells.resolveRegular`, CASSANDRA-14592).
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

/// The winner of two counter cells: a tombstone, whatever its timestamp (a deleted counter cannot
/// be used again, as increments before the deletion may still arrive); of two counts, the one with
/// the greater clock, then the greater count. Cassandra keeps a shard (clock and count) for each
/// replica and takes the maximum shard by shard; a single node has one shard.
fn reconcile_counters<'a>(a: Cell<'a>, b: Cell<'a>) -> Cell<'a> {
    if a.is_tombstone() || b.is_tombstone() {
        let a_wins = a.is_tombstone() && (!b.is_tombstone() || a.timestamp >= b.timestamp);
        return if a_wins { a } else { b };
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
