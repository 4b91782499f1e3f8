//! A partition in memory. Nothing in it is covered by its own deletions: what a deletion covers goes when it comes, or
//! does not get in.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::deletion::Deletion;
use crate::layout::Layout;
use crate::position::{self, PartitionKey, Position, Slice};
use crate::ranges::{RangeDeletion, Ranges};
use crate::row::{self, Row};
use crate::update::PartitionUpdate;

/// A partition. Most have one row and nothing else: those are small.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    rows: Rows,
    rest: Option<Box<Rest>>,
}

#[derive(Debug, Default)]
enum Rows {
    #[default]
    None,
    One(Row),
    Many(BTreeMap<Position, Row>),
}

/// What only some partitions have.
#[derive(Debug)]
struct Rest {
    deletion: Deletion,
    ranges: Ranges,
    statics: Option<Row>,
}

/// Which rows of a partition are read.
#[derive(Clone, Copy, Debug)]
pub struct RowsWanted<'a> {
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
pub struct PartitionRead {
    /// Its deletion.
    pub deletion: Deletion,
    /// Range deletions that reach into the slices, in the order of the table.
    pub ranges: Vec<RangeDeletion>,
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

    fn rest(&mut self) -> &mut Rest {
        self.rest.get_or_insert_with(|| {
            Box::new(Rest { deletion: Deletion::LIVE, ranges: Ranges::default(), statics: None })
        })
    }

    fn delete(&mut self, deletion: Deletion) -> isize {
        let rest = self.rest();
        if !deletion.supersedes(rest.deletion) {
            return 0;
        }
        rest.deletion = deletion;
        rest.ranges.retain(|range| range.supersedes(deletion));
        let mut growth = size_of::<Rest>().cast_signed();
        if let Some(statics) = rest.statics.take() {
            growth -= bytes_of(&statics);
            rest.statics = row::prune(&statics, deletion).inspect(|row| growth += bytes_of(row));
        }
        match &mut self.rows {
            Rows::None => {}
            Rows::One(row) => match prune_counted(row, deletion, &mut growth) {
                Some(left) => *row = left,
                None => self.rows = Rows::None,
            },
            Rows::Many(rows) => rows.retain(|position, row| {
                let kept = prune_counted(row, deletion, &mut growth);
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

    fn delete_range(&mut self, layout: &Layout, range: &RangeDeletion) -> isize {
        let rest = self.rest();
        if !range.deletion.supersedes(rest.deletion) || range.start >= range.end {
            return 0;
        }
        rest.ranges.add(range);
        let mut growth = (range.start.len() + range.end.len() + 64).cast_signed();
        match &mut self.rows {
            Rows::None => {}
            Rows::One(row) => {
                let at = position_of(layout, row);
                if range.start <= at && at < range.end {
                    match prune_counted(row, range.deletion, &mut growth) {
                        Some(left) => *row = left,
                        None => self.rows = Rows::None,
                    }
                }
            }
            Rows::Many(rows) => {
                let mut gone = Vec::new();
                let inside = (Bound::Included(&*range.start), Bound::Excluded(&*range.end));
                for (position, row) in rows.range_mut::<[u8], _>(inside) {
                    match prune_counted(row, range.deletion, &mut growth) {
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
        let rest = self.rest();
        let Some(new) = row::prune(row, rest.deletion) else { return 0 };
        let before = rest.statics.as_ref().map_or(0, bytes_of);
        let merged = match &rest.statics {
            Some(old) => row::merge(layout, old, &new),
            None => new,
        };
        let growth = bytes_of(&merged) - before;
        rest.statics = Some(merged);
        growth
    }

    fn put(&mut self, layout: &Layout, new: &Row) -> isize {
        let at = position_of(layout, new);
        let outside = self
            .rest
            .as_ref()
            .map_or(Deletion::LIVE, |rest| rest.deletion.or_stronger(rest.ranges.covering(&at)));
        let new = if outside.is_live() {
            new.clone()
        } else if let Some(left) = row::prune(new, outside) {
            left
        } else {
            return 0;
        };
        match &mut self.rows {
            Rows::None => {
                let growth = bytes_of(&new);
                self.rows = Rows::One(new);
                growth
            }
            Rows::One(old) => {
                let place = position_of(layout, old);
                if place == at {
                    return replace(layout, old, &new);
                }
                let growth = bytes_of(&new) + (at.len() + place.len()).cast_signed();
                let rows = BTreeMap::from([(place, old.clone()), (at, new)]);
                self.rows = Rows::Many(rows);
                growth
            }
            Rows::Many(rows) => {
                if let Some(old) = rows.get_mut(&at) {
                    return replace(layout, old, &new);
                }
                let growth = bytes_of(&new) + at.len().cast_signed();
                rows.insert(at, new);
                growth
            }
        }
    }

    /// Reads rows; the static row and the deletions come with every read.
    pub(crate) fn read(&self, layout: &Layout, wanted: RowsWanted<'_>) -> PartitionRead {
        let mut read = PartitionRead {
            deletion: self.rest.as_ref().map_or(Deletion::LIVE, |rest| rest.deletion),
            ranges: Vec::new(),
            statics: self.rest.as_ref().and_then(|rest| rest.statics.clone()),
            rows: Vec::new(),
            more_after: None,
        };
        if let Some(rest) = self.rest.as_ref().filter(|rest| !rest.ranges.is_empty()) {
            for slice in wanted.slices {
                read.ranges.extend(rest.ranges.within(&slice.start, &slice.end));
            }
        }
        match &self.rows {
            Rows::None => {}
            Rows::One(row) => {
                let at = position_of(layout, row);
                let inside = |slice: &Slice| slice.start <= at && at < slice.end;
                let after = wanted
                    .after
                    .is_none_or(|after| if wanted.reversed { &*at < after } else { &*at > after });
                if after && wanted.slices.iter().any(inside) && wanted.max_rows > 0 {
                    read.rows.push(row.clone());
                }
            }
            Rows::Many(rows) => read_many(rows, wanted, &mut read),
        }
        if !layout.hidden.is_empty() {
            for one in read.rows.iter_mut().chain(&mut read.statics) {
                *one = row::without_hidden(one, &layout.hidden);
            }
        }
        read
    }

    /// Everything it holds, as an update, without what died before that second; `None` if nothing is left.
    pub(crate) fn purged(&self, key: PartitionKey, gc_before: i64) -> Option<PartitionUpdate> {
        let is_kept = |deletion: Deletion| i64::from(deletion.local_time) >= gc_before;
        let mut update = PartitionUpdate::new(key);
        if let Some(rest) = &self.rest {
            if is_kept(rest.deletion) {
                update.deletion = rest.deletion;
            }
            let all = rest.ranges.within(&position::first(), &position::last());
            update.ranges = all.into_iter().filter(|range| is_kept(range.deletion)).collect();
            update.statics = rest.statics.as_ref().and_then(|row| row::purge(row, gc_before));
        }
        let rows: Vec<&Row> = match &self.rows {
            Rows::None => Vec::new(),
            Rows::One(row) => vec![row],
            Rows::Many(rows) => rows.values().collect(),
        };
        update.rows = rows.into_iter().filter_map(|row| row::purge(row, gc_before)).collect();
        (!update.is_empty()).then_some(update)
    }
}

fn read_many(rows: &BTreeMap<Position, Row>, wanted: RowsWanted<'_>, read: &mut PartitionRead) {
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
pub(crate) fn position_of(layout: &Layout, row: &Row) -> Position {
    let mut out = Vec::new();
    position::of_row(layout, row.clustering(), &mut out);
    out.into()
}

fn bytes_of(row: &Row) -> isize {
    row.as_bytes().len().cast_signed()
}

fn replace(layout: &Layout, old: &mut Row, new: &Row) -> isize {
    let before = bytes_of(old);
    *old = row::merge(layout, old, new);
    bytes_of(old) - before
}

fn prune_counted(row: &Row, deletion: Deletion, growth: &mut isize) -> Option<Row> {
    *growth -= bytes_of(row);
    row::prune(row, deletion).inspect(|left| *growth += bytes_of(left))
}
