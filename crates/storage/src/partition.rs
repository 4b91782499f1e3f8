//! A partition in memory. Nothing in it is covered by its own deletions: what a deletion covers goes when it comes, or
//! does not get in.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::deletion::DeletionTime;
use crate::layout::Layout;
use crate::position::{self, DecoratedKey, Position, Slice};
use crate::range_tombstone::{RangeTombstone, RangeTombstoneList};
use crate::row::{self, Row};
use crate::update::PartitionUpdate;

/// A partition. Most have one row and nothing else: those are small.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    rows: PartitionRows,
    extras: Option<Box<PartitionExtras>>,
}

#[derive(Debug, Default)]
enum PartitionRows {
    #[default]
    None,
    One(Row),
    Many(BTreeMap<Position, Row>),
}

/// What only some partitions have.
#[derive(Debug)]
struct PartitionExtras {
    deletion: DeletionTime,
    ranges: RangeTombstoneList,
    statics: Option<Row>,
}

/// Which rows of a partition are read.
#[derive(Clone, Copy, Debug)]
pub struct SliceFilter<'a> {
    /// Slices in the order of the table, apart from one another.
    pub slices: &'a [Slice],
    /// From the last to the first.
    pub reversed: bool,
    /// Only those after that place (in the direction of reading).
    pub after: Option<&'a [u8]>,
    /// At most so many.
    pub max_rows: usize,
}

/// What was read of a partition.
#[derive(Clone, Debug)]
pub struct PartitionSlice {
    /// Its deletion.
    pub deletion: DeletionTime,
    /// Range deletions that reach into the slices, in the order of the table.
    pub ranges: Vec<RangeTombstone>,
    /// Its static row.
    pub statics: Option<Row>,
    /// Rows in the order wanted, dead ones too.
    pub rows: Vec<Row>,
    /// Where the last of the rows is, if there may be more after it.
    pub more_after: Option<Position>,
}

impl Partition {
    /// Takes an update in; answers by how many bytes it grew.
    pub(crate) fn apply(&mut self, layout: &Layout, update: &PartitionUpdate) -> isize {
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
        for row in &update.rows {
            growth += self.put(layout, row);
        }
        growth
    }

    fn extras(&mut self) -> &mut PartitionExtras {
        self.extras.get_or_insert_with(|| {
            Box::new(PartitionExtras {
                deletion: DeletionTime::LIVE,
                ranges: RangeTombstoneList::default(),
                statics: None,
            })
        })
    }

    fn delete(&mut self, deletion: DeletionTime) -> isize {
        let rest = self.extras();
        if !deletion.is_superseding(rest.deletion) {
            return 0;
        }
        rest.deletion = deletion;
        rest.ranges.retain(|range| range.is_superseding(deletion));
        let mut growth = size_of::<PartitionExtras>().cast_signed();
        if let Some(statics) = rest.statics.take() {
            growth -= row_bytes(&statics);
            rest.statics = row::prune(&statics, deletion).inspect(|row| growth += row_bytes(row));
        }
        match &mut self.rows {
            PartitionRows::None => {}
            PartitionRows::One(row) => match prune_counting_bytes(row, deletion, &mut growth) {
                Some(left) => *row = left,
                None => self.rows = PartitionRows::None,
            },
            PartitionRows::Many(rows) => rows.retain(|position, row| {
                let kept = prune_counting_bytes(row, deletion, &mut growth);
                if kept.is_none() {
                    growth -= position.len().cast_signed();
                }
                kept.is_some_and(|left| {
                    *row = left;
                    true
                })
            }),
        }
        growth
    }

    fn delete_range(&mut self, layout: &Layout, range: &RangeTombstone) -> isize {
        let rest = self.extras();
        if !range.deletion.is_superseding(rest.deletion) || range.start >= range.end {
            return 0;
        }
        rest.ranges.add(range);
        let mut growth = (range.start.len() + range.end.len() + 64).cast_signed();
        match &mut self.rows {
            PartitionRows::None => {}
            PartitionRows::One(row) => {
                let at = row_position(layout, row);
                if range.start <= at && at < range.end {
                    match prune_counting_bytes(row, range.deletion, &mut growth) {
                        Some(left) => *row = left,
                        None => self.rows = PartitionRows::None,
                    }
                }
            }
            PartitionRows::Many(rows) => {
                let mut gone = Vec::new();
                let inside = (Bound::Included(&*range.start), Bound::Excluded(&*range.end));
                for (position, row) in rows.range_mut::<[u8], _>(inside) {
                    match prune_counting_bytes(row, range.deletion, &mut growth) {
                        Some(left) => *row = left,
                        None => gone.push(position.clone()),
                    }
                }
                for position in gone {
                    growth -= position.len().cast_signed();
                    rows.remove(&position);
                }
            }
        }
        growth
    }

    fn put_statics(&mut self, layout: &Layout, row: &Row) -> isize {
        let rest = self.extras();
        let Some(new) = row::prune(row, rest.deletion) else { return 0 };
        let before = rest.statics.as_ref().map_or(0, row_bytes);
        let merged = match &rest.statics {
            Some(old) => row::merge(layout, old, &new),
            None => new,
        };
        let growth = row_bytes(&merged) - before;
        rest.statics = Some(merged);
        growth
    }

    fn put(&mut self, layout: &Layout, new: &Row) -> isize {
        let at = row_position(layout, new);
        let outside = self
            .extras
            .as_ref()
            .map_or(DeletionTime::LIVE, |rest| rest.deletion.merge(rest.ranges.find_deletion(&at)));
        let new = if outside.is_live() {
            new.clone()
        } else if let Some(left) = row::prune(new, outside) {
            left
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
                let place = row_position(layout, old);
                if place == at {
                    return replace(layout, old, &new);
                }
                let growth = row_bytes(&new) + (at.len() + place.len()).cast_signed();
                let rows = BTreeMap::from([(place, old.clone()), (at, new)]);
                self.rows = PartitionRows::Many(rows);
                growth
            }
            PartitionRows::Many(rows) => {
                if let Some(old) = rows.get_mut(&at) {
                    return replace(layout, old, &new);
                }
                let growth = row_bytes(&new) + at.len().cast_signed();
                rows.insert(at, new);
                growth
            }
        }
    }

    /// Reads rows; the static row and the deletions come with every read.
    pub(crate) fn read(&self, layout: &Layout, wanted: SliceFilter<'_>) -> PartitionSlice {
        let mut read = PartitionSlice {
            deletion: self.extras.as_ref().map_or(DeletionTime::LIVE, |rest| rest.deletion),
            ranges: Vec::new(),
            statics: self.extras.as_ref().and_then(|rest| rest.statics.clone()),
            rows: Vec::new(),
            more_after: None,
        };
        if let Some(rest) = self.extras.as_ref().filter(|rest| !rest.ranges.is_empty()) {
            for slice in wanted.slices {
                read.ranges.extend(rest.ranges.find_overlaps(&slice.start, &slice.end));
            }
        }
        match &self.rows {
            PartitionRows::None => {}
            PartitionRows::One(row) => {
                let at = row_position(layout, row);
                let inside = |slice: &Slice| slice.start <= at && at < slice.end;
                let after = wanted
                    .after
                    .is_none_or(|after| if wanted.reversed { &*at < after } else { &*at > after });
                if after && wanted.slices.iter().any(inside) && wanted.max_rows > 0 {
                    read.rows.push(row.clone());
                }
            }
            PartitionRows::Many(rows) => read_many(rows, wanted, &mut read),
        }
        if !layout.dropped_columns.is_empty() {
            for one in read.rows.iter_mut().chain(&mut read.statics) {
                *one = row::purge_dropped(one, &layout.dropped_columns);
            }
        }
        read
    }

    /// Everything it holds, as an update, without what died before that second; `None` if nothing is left.
    pub(crate) fn purge(&self, key: DecoratedKey, gc_before: i64) -> Option<PartitionUpdate> {
        let is_kept = |deletion: DeletionTime| i64::from(deletion.local_time) >= gc_before;
        let mut update = PartitionUpdate::new(key);
        if let Some(rest) = &self.extras {
            if is_kept(rest.deletion) {
                update.deletion = rest.deletion;
            }
            let all = rest.ranges.find_overlaps(&position::first(), &position::last());
            update.ranges = all.into_iter().filter(|range| is_kept(range.deletion)).collect();
            update.statics = rest.statics.as_ref().and_then(|row| row::purge(row, gc_before));
        }
        let rows: Vec<&Row> = match &self.rows {
            PartitionRows::None => Vec::new(),
            PartitionRows::One(row) => vec![row],
            PartitionRows::Many(rows) => rows.values().collect(),
        };
        update.rows = rows.into_iter().filter_map(|row| row::purge(row, gc_before)).collect();
        (!update.is_empty()).then_some(update)
    }
}

fn read_many(rows: &BTreeMap<Position, Row>, wanted: SliceFilter<'_>, read: &mut PartitionSlice) {
    let mut last = None;
    let mut take = |position: &Position, row: &Row| {
        if read.rows.len() == wanted.max_rows {
            return false;
        }
        read.rows.push(row.clone());
        if read.rows.len() == wanted.max_rows {
            last = Some(position.clone());
        }
        true
    };
    if wanted.reversed {
        'slices: for slice in wanted.slices.iter().rev() {
            let end = wanted.after.map_or(&*slice.end, |after| after.min(&*slice.end));
            if *slice.start >= *end {
                continue;
            }
            let inside = (Bound::Included(&*slice.start), Bound::Excluded(end));
            for (position, row) in rows.range::<[u8], _>(inside).rev() {
                if !take(position, row) {
                    break 'slices;
                }
            }
        }
    } else {
        'forward: for slice in wanted.slices {
            let start = match wanted.after {
                Some(after) if after >= &*slice.start => Bound::Excluded(after),
                _ => Bound::Included(&*slice.start),
            };
            if wanted.after.is_some_and(|after| after >= &*slice.end) || slice.is_empty() {
                continue;
            }
            for (position, row) in rows.range::<[u8], _>((start, Bound::Excluded(&*slice.end))) {
                if !take(position, row) {
                    break 'forward;
                }
            }
        }
    }
    read.more_after = last;
}

/// Where a row is.
pub(crate) fn row_position(layout: &Layout, row: &Row) -> Position {
    let mut out = Vec::new();
    position::encode_row(layout, row.clustering(), &mut out);
    out.into()
}

fn row_bytes(row: &Row) -> isize {
    row.as_bytes().len().cast_signed()
}

fn replace(layout: &Layout, old: &mut Row, new: &Row) -> isize {
    let before = row_bytes(old);
    *old = row::merge(layout, old, new);
    row_bytes(old) - before
}

fn prune_counting_bytes(row: &Row, deletion: DeletionTime, growth: &mut isize) -> Option<Row> {
    *growth -= row_bytes(row);
    row::prune(row, deletion).inspect(|left| *growth += row_bytes(left))
}
