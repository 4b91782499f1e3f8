//! [`Partition`]: the merged state of a partition in memory, and the merge of an update into it.
//!
//! Invariant (the normal form): nothing in a partition is covered by a deletion of the same
//! partition. Deletions nest: the partition's deletion covers range tombstones, the static row and
//! rows; a range tombstone covers the rows in its range; a row's deletion covers its liveness, its
//! column deletions and its cells; a column deletion covers the cells of that column. A deletion
//! that arrives prunes what it covers ([`Partition::delete`], [`Partition::delete_range`]); data
//! that arrives is pruned by the deletions that are there ([`Partition::put`]), and only then
//! merged with the stored row ([`row::merge`]). Deletions themselves stay, since writes with older
//! timestamps may still arrive; only [`Partition::purge`] leaves them out after `gc_grace_seconds`.
//!
//! Each step keeps the greater of two values (the later timestamp, with fixed rules for ties), so
//! the merge is commutative, associative and idempotent, like Cassandra's. Two things depend on it:
//! writers need no order among themselves, and recovery may apply a write twice, once from the
//! checkpoint and once from the log.
//!
//! Cassandra merges memtable and files at read time instead, with range tombstone markers
//! interleaved among the rows. All data being in memory, merging at write time leaves a read
//! nothing to reconcile, only expired cells to skip.
//!
//! The rows are in a persistent map: a clone of a partition is a version of it that later updates
//! do not reach ([`PartitionVersion`]). A read of many rows takes one with its first rows, and
//! reads the rest from it without a lock.

use std::ops::Bound;
use std::sync::Arc;

use byte_map::ByteMap;

use crate::deletion::DeletionTime;
use crate::layout::Layout;
use crate::memory;
use crate::position::{self, DecoratedKey, Position, Slice};
use crate::range_tombstone::{RangeTombstone, RangeTombstoneList};
use crate::row::{self, Row};
use crate::update::PartitionUpdate;

/// A partition. Most have one row, no static row and no deletion; these need no allocation beyond
/// the row's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partition {
    rows: PartitionRows,
    extras: Option<Arc<PartitionExtras>>,
}

#[derive(Clone, Debug, Default)]
enum PartitionRows {
    #[default]
    None,
    One(Row),
    /// By position. Positions are stored here only: that of a single row is computed when needed.
    Many(ByteMap<Row>),
}

/// The state that few partitions have, in its own allocation.
#[derive(Clone, Debug)]
struct PartitionExtras {
    deletion: DeletionTime,
    ranges: RangeTombstoneList,
    statics: Option<Row>,
}

impl Partition {
    /// The bytes of its rows.
    pub(crate) fn row_bytes(&self) -> usize {
        let rows = match &self.rows {
            PartitionRows::None => 0,
            PartitionRows::One(row) => row.as_bytes().len(),
            PartitionRows::Many(rows) => {
                rows.iter().map(|(position, row)| position.len() + row.as_bytes().len()).sum()
            }
        };
        let statics = self.extras.as_ref().and_then(|extras| extras.statics.as_ref());
        rows + statics.map_or(0, |row| row.as_bytes().len())
    }
}

/// Which rows of a partition are read (Cassandra's `ClusteringIndexSliceFilter`), with the position
/// to resume at and a limit.
#[derive(Clone, Copy, Debug)]
pub struct SliceFilter<'a> {
    /// Disjoint slices, in table order also if the read is reversed.
    pub slices: &'a [Slice],
    /// Reads from the last row to the first.
    pub reversed: bool,
    /// Skips rows up to and including this position, in the direction of the read.
    pub after: Option<&'a [u8]>,
    /// The maximum number of rows.
    pub max_rows: usize,
}

/// The part of a partition that was read.
#[derive(Clone, Debug)]
pub struct PartitionSlice {
    /// The deletion of the whole partition.
    pub deletion: DeletionTime,
    /// The range tombstones inside the slices, in table order. The rows are already pruned
    /// by them; reads only count them, view updates need them for rows that do not exist.
    pub ranges: Vec<RangeTombstone>,
    /// Its static row.
    pub statics: Option<Row>,
    /// The rows in the direction of the read, also those without live data.
    pub rows: Vec<Row>,
    /// The rest, if the limit was reached and there may be more.
    pub rest: Option<PartitionVersion>,
}

/// A partition as it was when its first rows were read.
#[derive(Clone, Debug)]
pub struct PartitionVersion {
    rows: ByteMap<Row>,
    layout: Arc<Layout>,
    /// The position of the last row that was read.
    after: Position,
}

impl PartitionVersion {
    /// The position of the last row that was read.
    pub fn position(&self) -> &[u8] {
        &self.after
    }

    /// Reads further rows of the same slices; the rest stays here, or it is empty.
    pub fn read_more(&mut self, slices: &[Slice], reversed: bool, max_rows: usize) -> Vec<Row> {
        let filter = SliceFilter { slices, reversed, after: Some(&self.after), max_rows };
        let (mut rows, last) = read_many(&self.rows, filter);
        purge_dropped_columns(&self.layout, &mut rows);
        self.after = last.unwrap_or_else(if reversed { position::first } else { position::last });
        rows
    }
}

impl Partition {
    /// Merges an update and returns by how many bytes the partition grew; see the module's
    /// documentation. Deletions come first only because they make rows smaller: the result does not
    /// depend on the order. The rows of the update are passed apart from it, by value.
    pub(crate) fn apply(
        &mut self,
        layout: &Layout,
        update: &PartitionUpdate,
        rows: impl Iterator<Item = Row>,
    ) -> isize {
        let mut growth = 0;
        if !update.deletion.is_live() {
            growth += self.delete(update.deletion);
        }
        for range in &update.ranges {
            growth += self.delete_range(layout, range);
        }
        if let Some(statics) = &update.statics {
            growth += self.put_statics(layout, statics);
        }
        for row in rows {
            growth += self.put(layout, row);
        }
        growth
    }

    fn extras(&mut self) -> &mut PartitionExtras {
        Arc::make_mut(self.extras.get_or_insert_with(|| {
            Arc::new(PartitionExtras {
                deletion: DeletionTime::LIVE,
                ranges: RangeTombstoneList::default(),
                statics: None,
            })
        }))
    }

    /// Merges a deletion of the whole partition. One that does not supersede the stored deletion
    /// changes nothing: all that it covers is already gone.
    fn delete(&mut self, deletion: DeletionTime) -> isize {
        let extras = self.extras();
        if !deletion.is_superseding(extras.deletion) {
            return 0;
        }
        extras.deletion = deletion;
        extras.ranges.retain(|range| range.is_superseding(deletion));
        let mut growth = size_of::<PartitionExtras>().cast_signed();
        if let Some(statics) = extras.statics.take() {
            growth -= row_bytes(&statics);
            extras.statics = row::prune(&statics, deletion).inspect(|row| growth += row_bytes(row));
        }
        match &mut self.rows {
            PartitionRows::None => {}
            PartitionRows::One(row) => match prune_counting_bytes(row, deletion, &mut growth) {
                Some(pruned) => *row = pruned,
                None => self.rows = PartitionRows::None,
            },
            PartitionRows::Many(rows) => {
                let kept = rows.iter().filter_map(|(position, row)| {
                    let pruned = prune_counting_bytes(row, deletion, &mut growth);
                    if pruned.is_none() {
                        growth -= entry_bytes(position);
                    }
                    Some((position, pruned?))
                });
                *rows = kept.collect();
            }
        }
        growth
    }

    /// Merges a range tombstone. One that the partition's deletion covers is dropped; one that
    /// other range tombstones cover is merged by [`RangeTombstoneList::add`], and its rows are
    /// pruned once more, which changes nothing.
    fn delete_range(&mut self, layout: &Layout, range: &RangeTombstone) -> isize {
        let extras = self.extras();
        if !range.deletion.is_superseding(extras.deletion) || range.start >= range.end {
            return 0;
        }
        extras.ranges.add(range);
        let mut growth = (range.start.len() + range.end.len() + 64).cast_signed();
        match &mut self.rows {
            PartitionRows::None => {}
            PartitionRows::One(row) => {
                let position = row_position(layout, row);
                if range.start <= position && position < range.end {
                    match prune_counting_bytes(row, range.deletion, &mut growth) {
                        Some(pruned) => *row = pruned,
                        None => self.rows = PartitionRows::None,
                    }
                }
            }
            PartitionRows::Many(rows) => {
                let (start, end) = (Bound::Included(&*range.start), Bound::Excluded(&*range.end));
                let inside = rows.range(start, end).map(|(position, row)| {
                    let pruned = prune_counting_bytes(row, range.deletion, &mut growth);
                    (Position::from(position), pruned)
                });
                let inside: Vec<_> = inside.collect();
                for (position, pruned) in inside {
                    if let Some(pruned) = pruned {
                        rows.insert(&position, pruned);
                    } else {
                        growth -= entry_bytes(&position);
                        rows.remove(&position);
                    }
                }
            }
        }
        growth
    }

    /// Merges the static row of an update. Range tombstones do not cover it: it has no position.
    fn put_statics(&mut self, layout: &Layout, row: &Row) -> isize {
        let extras = self.extras();
        let Some(new) = row::prune(row, extras.deletion) else { return 0 };
        let before = extras.statics.as_ref().map_or(0, row_bytes);
        let merged = match &extras.statics {
            Some(old) => row::merge(layout, old, &new),
            None => new,
        };
        let growth = row_bytes(&merged) - before;
        extras.statics = Some(merged);
        growth
    }

    /// Merges a row of an update: prunes it by the deletions around it, then merges it with the
    /// stored version. The stored row needs no pruning, by the invariant.
    pub(crate) fn put(&mut self, layout: &Layout, new: Row) -> isize {
        if let (PartitionRows::None, None) = (&self.rows, &self.extras) {
            let growth = row_bytes(&new);
            self.rows = PartitionRows::One(new);
            return growth;
        }
        let position = row_position(layout, &new);
        let covering = self.extras.as_ref().map_or(DeletionTime::LIVE, |extras| {
            extras.deletion.merge(extras.ranges.find_deletion(&position))
        });
        let new = if covering.is_live() {
            new
        } else if let Some(pruned) = row::prune(&new, covering) {
            pruned
        } else {
            return 0;
        };
        match &mut self.rows {
            PartitionRows::None => {
                let growth = row_bytes(&new);
                self.rows = PartitionRows::One(new);
                growth
            }
            PartitionRows::One(old) => {
                let old_position = row_position(layout, old);
                if old_position == position {
                    return replace(layout, old, &new);
                }
                let entries = entry_bytes(&position) + entry_bytes(&old_position);
                let growth = row_bytes(&new) + entries + memory::NODE_BYTES;
                let rows = [(old_position, old.clone()), (position, new)].into_iter().collect();
                self.rows = PartitionRows::Many(rows);
                growth
            }
            PartitionRows::Many(rows) => {
                let mut growth = 0;
                rows.update(&position, |old| {
                    if let Some(old) = old {
                        growth = replace(layout, old, &new);
                        return None;
                    }
                    growth = row_bytes(&new) + entry_bytes(&position);
                    Some(new)
                });
                growth
            }
        }
    }

    /// Reads rows; the static row and the deletions come with every read. Cells of dropped columns
    /// are left out here, not when the column is dropped: a drop does not rewrite the table.
    pub(crate) fn read(&self, layout: &Arc<Layout>, filter: SliceFilter<'_>) -> PartitionSlice {
        let mut read = PartitionSlice {
            deletion: self.extras.as_ref().map_or(DeletionTime::LIVE, |extras| extras.deletion),
            ranges: Vec::new(),
            statics: self.extras.as_ref().and_then(|extras| extras.statics.clone()),
            rows: Vec::new(),
            rest: None,
        };
        if let Some(extras) = self.extras.as_ref().filter(|extras| !extras.ranges.is_empty()) {
            for slice in filter.slices {
                let ranges = extras.ranges.find_overlaps(&slice.start, &slice.end);
                read.ranges.extend(ranges.into_iter().map(|range| range.clip(slice)));
            }
        }
        match &self.rows {
            PartitionRows::None => {}
            PartitionRows::One(row) => {
                let position = row_position(layout, row);
                let is_inside = |slice: &Slice| slice.start <= position && position < slice.end;
                let is_after = filter.after.is_none_or(|after| {
                    if filter.reversed { &*position < after } else { &*position > after }
                });
                if is_after && filter.slices.iter().any(is_inside) && filter.max_rows > 0 {
                    read.rows.push(row.clone());
                }
            }
            PartitionRows::Many(rows) => {
                let (found, last) = read_many(rows, filter);
                read.rows = found;
                read.rest = last.map(|after| PartitionVersion {
                    rows: rows.clone(),
                    layout: Arc::clone(layout),
                    after,
                });
            }
        }
        purge_dropped_columns(layout, &mut read.rows);
        purge_dropped_columns(layout, read.statics.as_mut_slice());
        read
    }

    /// The whole partition as an update, without tombstones and expired cells from before that
    /// second; `None` if nothing is left.
    pub(crate) fn purge(&self, key: DecoratedKey, gc_before: i64) -> Option<PartitionUpdate> {
        let is_kept = |deletion: DeletionTime| i64::from(deletion.local_time) >= gc_before;
        let mut update = PartitionUpdate::new(key);
        if let Some(extras) = &self.extras {
            if is_kept(extras.deletion) {
                update.deletion = extras.deletion;
            }
            let ranges = extras.ranges.find_overlaps(&position::first(), &position::last());
            update.ranges = ranges.into_iter().filter(|range| is_kept(range.deletion)).collect();
            update.statics = extras.statics.as_ref().and_then(|row| row::purge(row, gc_before));
        }
        let rows: Vec<&Row> = match &self.rows {
            PartitionRows::None => Vec::new(),
            PartitionRows::One(row) => vec![row],
            PartitionRows::Many(rows) => rows.iter().map(|(_, row)| row).collect(),
        };
        update.rows = rows.into_iter().filter_map(|row| row::purge(row, gc_before)).collect();
        (!update.is_empty()).then_some(update)
    }
}

/// Room is made at once for at most this many rows of a read: slices may have far fewer.
const ROWS_RESERVED: usize = 128;

/// Reads rows of slice after slice until the limit, and returns the position of the last one if the
/// limit was reached, whether or not another row follows: finding out would read on, and an empty
/// last page is allowed.
fn read_many(rows: &ByteMap<Row>, filter: SliceFilter<'_>) -> (Vec<Row>, Option<Position>) {
    let expected = filter.max_rows.min(rows.len()).min(ROWS_RESERVED);
    let (mut found, mut last) = (Vec::with_capacity(expected), None);
    // Whether more rows are wanted.
    let mut take = |position: &[u8], row: &Row| {
        if found.len() < filter.max_rows {
            found.push(row.clone());
        }
        if found.len() == filter.max_rows {
            last = Some(position.into());
            return false;
        }
        true
    };
    if filter.max_rows == 0 {
        return (found, None);
    }
    if filter.reversed {
        let mut wants_more = true;
        for slice in filter.slices.iter().rev() {
            let end = filter.after.map_or(&*slice.end, |after| after.min(&*slice.end));
            if *slice.start >= *end || !wants_more {
                continue;
            }
            let (start, end) = (Bound::Included(&*slice.start), Bound::Excluded(end));
            rows.visit_reversed(start, end, &mut |position, row| {
                wants_more = take(position, row);
                wants_more
            });
        }
    } else {
        'forward: for slice in filter.slices {
            let start = match filter.after {
                Some(after) if after >= &*slice.start => Bound::Excluded(after),
                _ => Bound::Included(&*slice.start),
            };
            if filter.after.is_some_and(|after| after >= &*slice.end) || slice.is_empty() {
                continue;
            }
            for (position, row) in rows.range(start, Bound::Excluded(&*slice.end)) {
                if !take(position, row) {
                    break 'forward;
                }
            }
        }
    }
    (found, last)
}

/// Leaves out the cells of dropped columns.
fn purge_dropped_columns(layout: &Layout, rows: &mut [Row]) {
    if !layout.dropped_columns.is_empty() {
        for row in rows {
            *row = row::purge_dropped(row, &layout.dropped_columns);
        }
    }
}

/// The position of a row, from its clustering values.
pub fn row_position(layout: &Layout, row: &Row) -> Position {
    let mut out = Vec::new();
    position::encode_row(layout, row.clustering(), &mut out);
    out.into()
}

fn row_bytes(row: &Row) -> isize {
    memory::arc_bytes(row.as_bytes().len())
}

/// The bytes of an entry in the map of the rows.
fn entry_bytes(position: &[u8]) -> isize {
    memory::entry_bytes::<Row>(position.len())
}

fn replace(layout: &Layout, old: &mut Row, new: &Row) -> isize {
    let before = row_bytes(old);
    *old = row::merge(layout, old, new);
    row_bytes(old) - before
}

fn prune_counting_bytes(row: &Row, deletion: DeletionTime, growth: &mut isize) -> Option<Row> {
    *growth -= row_bytes(row);
    row::prune(row, deletion).inspect(|pruned| *growth += row_bytes(pruned))
}
