//! A simple model of what a table holds: maps of everything that was written, and the rules of reconciliation.
//!
//! Nothing is ever forgotten here; what a read sees is worked out from the rules alone.

use std::collections::BTreeMap;
use std::ops::Bound;

/// The columns outside the key, in the order in which they are asked for.
pub(super) const COLUMNS: [&str; 5] = ["s", "v", "w", "m", "z"];

/// A range of clustering values.
pub(super) type ClusteringRange = (Bound<i32>, Bound<i32>);

/// One part of what a statement writes. Of a static column there is no clustering value.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Liveness { c: i32, times: WriteTimes },
    Cell { c: Option<i32>, column: &'static str, path: Option<i32>, cell: Cell },
    Column { c: Option<i32>, column: &'static str, timestamp: i64 },
    Row { c: i32, timestamp: i64 },
    Range { range: ClusteringRange, timestamp: i64 },
    Partition { timestamp: i64 },
}

/// When something was written and when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WriteTimes {
    pub(super) timestamp: i64,
    /// The TTL, and the second in which it is over.
    pub(super) expires: Option<(i32, i64)>,
}

impl WriteTimes {
    /// In the order of strength: the later, then the expiring, then what ends later, then the shorter TTL.
    fn strength(self) -> (i64, bool, i64, i32) {
        let (ttl, end) = self.expires.unwrap_or_default();
        (self.timestamp, self.expires.is_some(), end, -ttl)
    }

    fn is_over(self, now: i64) -> bool {
        self.expires.is_some_and(|(_, end)| now >= end)
    }
}

/// A cell; without a value, a deletion.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) times: WriteTimes,
    pub(super) value: Option<Vec<u8>>,
}

impl Cell {
    fn is_weaker_than(&self, other: &Self) -> bool {
        let rank = |cell: &Self| {
            let (timestamp, expires, end, ttl) = cell.times.strength();
            let deleted = cell.value.is_none();
            // Deletions and what expires beat what stays; deletions beat both.
            (timestamp, deleted || expires, deleted, end, ttl, cell.value.clone())
        };
        rank(self) < rank(other)
    }
}

#[derive(Clone, Debug, Default)]
struct RowState {
    liveness: Option<WriteTimes>,
    deleted: Option<i64>,
    columns_deleted: BTreeMap<&'static str, i64>,
    cells: BTreeMap<(&'static str, Option<i32>), Cell>,
}

#[derive(Clone, Debug, Default)]
struct PartitionState {
    deleted: Option<i64>,
    ranges: Vec<(ClusteringRange, i64)>,
    statics: RowState,
    rows: BTreeMap<i32, RowState>,
}

/// A cell that a read sees: its path, its value, its timestamp and the seconds left to it.
pub(super) type VisibleCell = (Option<i32>, Vec<u8>, i64, Option<i32>);

/// A row that a read sees; without a clustering value where there are static columns only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VisibleRow {
    pub(super) c: Option<i32>,
    pub(super) cells: BTreeMap<&'static str, Vec<VisibleCell>>,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(super) struct TableModel {
    partitions: BTreeMap<i32, PartitionState>,
}

impl TableModel {
    /// The keys of all partitions that were ever written to.
    pub(super) fn keys(&self) -> impl Iterator<Item = i32> {
        self.partitions.keys().copied()
    }

    /// Writes to a partition.
    pub(super) fn apply(&mut self, key: i32, change: &Change) {
        let partition = self.partitions.entry(key).or_default();
        match change {
            Change::Partition { timestamp } => keep_latest(&mut partition.deleted, *timestamp),
            Change::Range { range, timestamp } => partition.ranges.push((*range, *timestamp)),
            Change::Row { c, timestamp } => {
                keep_latest(&mut partition.row(Some(*c)).deleted, *timestamp);
            }
            Change::Liveness { c, times } => {
                let liveness = &mut partition.row(Some(*c)).liveness;
                if liveness.is_none_or(|old| old.strength() < times.strength()) {
                    *liveness = Some(*times);
                }
            }
            Change::Column { c, column, timestamp } => {
                let deleted = partition.row(*c).columns_deleted.entry(column).or_insert(*timestamp);
                *deleted = (*deleted).max(*timestamp);
            }
            Change::Cell { c, column, path, cell } => {
                let cells = &mut partition.row(*c).cells;
                let old = cells.entry((column, *path)).or_insert_with(|| cell.clone());
                if old.is_weaker_than(cell) {
                    *old = cell.clone();
                }
            }
        }
    }

    /// What a read of a partition sees, in the order of the clustering values.
    pub(super) fn partition(&self, key: i32, now: i64) -> Vec<VisibleRow> {
        let Some(partition) = self.partitions.get(&key) else { return Vec::new() };
        let statics = partition.statics.cells(partition.deleted, now);
        let mut rows = Vec::new();
        for (c, row) in &partition.rows {
            let over = partition.ranges.iter().filter(|(range, _)| {
                use std::ops::RangeBounds;
                range.contains(c)
            });
            let deleted = over
                .map(|(_, timestamp)| *timestamp)
                .chain(partition.deleted)
                .chain(row.deleted)
                .max();
            let mut cells = row.cells(deleted, now);
            let is_live = row.liveness.is_some_and(|times| {
                !times.is_over(now) && deleted.is_none_or(|until| times.timestamp > until)
            });
            if is_live || !cells.is_empty() {
                cells.extend(statics.clone());
                rows.push(VisibleRow { c: Some(*c), cells });
            }
        }
        if rows.is_empty() && !statics.is_empty() {
            rows.push(VisibleRow { c: None, cells: statics });
        }
        rows
    }
}

impl PartitionState {
    fn row(&mut self, c: Option<i32>) -> &mut RowState {
        match c {
            Some(c) => self.rows.entry(c).or_default(),
            None => &mut self.statics,
        }
    }
}

impl RowState {
    /// The cells that are alive.
    fn cells(&self, deleted: Option<i64>, now: i64) -> BTreeMap<&'static str, Vec<VisibleCell>> {
        let mut seen: BTreeMap<&'static str, Vec<VisibleCell>> = BTreeMap::new();
        for ((column, path), cell) in &self.cells {
            let until = self.columns_deleted.get(column).copied().max(deleted);
            let Cell { times, value: Some(value) } = cell else { continue };
            if times.is_over(now) || until.is_some_and(|until| times.timestamp <= until) {
                continue;
            }
            let left = times.expires.map(|(_, end)| i32::try_from(end - now).unwrap_or(i32::MAX));
            seen.entry(column).or_default().push((*path, value.clone(), times.timestamp, left));
        }
        seen
    }
}

fn keep_latest(known: &mut Option<i64>, timestamp: i64) {
    *known = (*known).max(Some(timestamp));
}
