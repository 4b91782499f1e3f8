//! The rows that a write touches, in their versions before and after it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use storage::row::merge;
use storage::{
    DecoratedKey, DeletionTime, Layout, PartitionSlice, PartitionUpdate, Position, RangeTombstone,
    Row, RowBuilder, Slice, SliceFilter, row_position,
};

use crate::node::handle::TableHandle;

/// The number of rows that are read at once.
const ROWS_PER_READ: usize = 256;

/// Calls `each` with every row that an update touches: its version before (`None` if nothing is
/// stored for it), and after. First the rows that the update writes, then those that its deletions
/// cover.
pub(super) fn each_touched_row(
    handle: &TableHandle,
    update: &PartitionUpdate,
    mut each: impl FnMut(Option<&Row>, &Row),
) {
    let layout = &handle.layout;
    let around = BasePartition::open(handle, &update.key);
    let mut written: BTreeMap<Position, &Row> = BTreeMap::new();
    for row in &update.rows {
        written.insert(row_position(layout, row), row);
    }
    for (at, row) in &written {
        let before = around.row_at(at, row);
        let new = apply_deletion(layout, row, deletion_at(update.deletion, &update.ranges, at));
        let after = match &before {
            Some(before) => Cow::Owned(merge(layout, before, &new)),
            None => new,
        };
        each(before.as_ref(), &after);
    }
    for slice in deletion_slices(update) {
        around.each_row_in(&slice, |row| {
            let at = row_position(layout, row);
            if !written.contains_key(&at) {
                let deletion = deletion_at(update.deletion, &update.ranges, &at);
                each(Some(row), &apply_deletion(layout, row, deletion));
            }
        });
    }
}

/// The slices in which an update deletes rows without naming them, merged so that no row is in two.
pub(super) fn deletion_slices(update: &PartitionUpdate) -> Vec<Slice> {
    if !update.deletion.is_live() {
        return vec![Slice::all()];
    }
    let mut slices: Vec<Slice> = Vec::new();
    let mut ranges: Vec<&RangeTombstone> = update.ranges.iter().collect();
    ranges.sort_by(|a, b| a.start.cmp(&b.start));
    for range in ranges {
        match slices.last_mut() {
            Some(last) if range.start <= last.end => {
                last.end = last.end.clone().max(range.end.clone());
            }
            _ => slices.push(Slice { start: range.start.clone(), end: range.end.clone() }),
        }
    }
    slices
}

/// The slice of the row at a position.
pub(super) fn single_row(at: &Position) -> Slice {
    // The smallest position after the row's own.
    Slice { start: at.clone(), end: [&**at, &[0]].concat().into() }
}

/// A partition of the base table with its deletions, which are copied into each row: a view row has
/// another partition, where they would not cover it.
pub(super) struct BasePartition<'a> {
    handle: &'a TableHandle,
    key: &'a DecoratedKey,
    deletion: DeletionTime,
    ranges: Vec<RangeTombstone>,
}

impl<'a> BasePartition<'a> {
    pub(super) fn open(handle: &'a TableHandle, key: &'a DecoratedKey) -> Self {
        let all = [Slice::all()];
        let read = read_rows(handle, key, &all, 0);
        let (deletion, ranges) =
            read.map_or((DeletionTime::LIVE, Vec::new()), |read| (read.deletion, read.ranges));
        Self { handle, key, deletion, ranges }
    }

    /// The row at a position, with the deletion that covers it; `None` if there is neither.
    fn row_at(&self, at: &Position, named: &Row) -> Option<Row> {
        let layout = &self.handle.layout;
        let slice = [single_row(at)];
        let stored = read_rows(self.handle, self.key, &slice, usize::MAX)
            .and_then(|mut read| read.rows.pop());
        let deletion = deletion_at(self.deletion, &self.ranges, at);
        match stored {
            Some(row) => Some(apply_deletion(layout, &row, deletion).into_owned()),
            None if deletion.is_live() => None,
            None => {
                let mut empty = RowBuilder::new(named.clustering());
                empty.deletion = deletion;
                Some(empty.build(layout))
            }
        }
    }

    /// Calls `each` with every row.
    pub(super) fn each_row(&self, each: impl FnMut(&Row)) {
        self.each_row_in(&Slice::all(), each);
    }

    fn each_row_in(&self, slice: &Slice, mut each: impl FnMut(&Row)) {
        let slices = [slice.clone()];
        let Some(read) = read_rows(self.handle, self.key, &slices, ROWS_PER_READ) else { return };
        let (mut rows, mut rest) = (read.rows, read.rest);
        while !rows.is_empty() {
            for row in &rows {
                let at = row_position(&self.handle.layout, row);
                let deletion = deletion_at(self.deletion, &self.ranges, &at);
                each(&apply_deletion(&self.handle.layout, row, deletion));
            }
            let Some(rest) = &mut rest else { return };
            rows = rest.read_more(&slices, false, ROWS_PER_READ);
        }
    }
}

fn read_rows(
    handle: &TableHandle,
    key: &DecoratedKey,
    slices: &[Slice],
    max_rows: usize,
) -> Option<PartitionSlice> {
    handle.rows.read(key, SliceFilter { slices, reversed: false, after: None, max_rows })
}

/// The deletion that covers a position: the partition's, merged with those of ranges.
fn deletion_at(partition: DeletionTime, ranges: &[RangeTombstone], at: &[u8]) -> DeletionTime {
    ranges
        .iter()
        .filter(|range| *range.start <= *at && *at < *range.end)
        .fold(partition, |deletion, range| deletion.merge(range.deletion))
}

/// A row with a covering deletion as its own.
fn apply_deletion<'r>(layout: &Layout, row: &'r Row, deletion: DeletionTime) -> Cow<'r, Row> {
    if deletion.is_live() {
        return Cow::Borrowed(row);
    }
    let mut empty = RowBuilder::new(row.clustering());
    empty.deletion = deletion;
    Cow::Owned(merge(layout, row, &empty.build(layout)))
}
