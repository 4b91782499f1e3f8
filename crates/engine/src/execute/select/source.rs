//! [`PartitionSource`]: the partitions of a SELECT in order, from the end of the previous page.

use std::ops::Bound;
use std::sync::Arc;

use storage::{DecoratedKey, Memtable, Position, RangeTombstone, RingRange, Slice, SliceFilter};

use super::keys::PartitionSelection;
use super::paging::PagingState;
use crate::error::Result;
use crate::execute::Execution;
use crate::execute::index::{CandidatePartition, IndexCandidates};
use crate::rows::cursor::{PartitionCursor, RingCursor, RowRange};

/// The time limit is checked after this many keys without a partition.
const KEYS_PER_CHECK: usize = 1024;

/// The partitions in the order in which they are read.
#[derive(Debug)]
pub(crate) struct PartitionSource {
    table: Arc<Memtable>,
    rows: RowRange,
    resumed: Option<PartitionCursor>,
    rest: PartitionQueue,
    is_named: bool,
    last_named: Option<DecoratedKey>,
}

#[derive(Debug)]
enum PartitionQueue {
    Named(std::vec::IntoIter<DecoratedKey>),
    Ring(Box<RingCursor>),
    /// The candidates of an index search, and the row up to which a partition was returned before.
    Found(Box<IndexCandidates>, Option<(DecoratedKey, Position)>),
}

impl PartitionSource {
    /// Opens partitions from the start or after a row; with an index search, only its candidates.
    pub(crate) fn open(
        table: Arc<Memtable>,
        partitions: PartitionSelection,
        found: Option<IndexCandidates>,
        rows: RowRange,
        state: Option<&PagingState>,
    ) -> Self {
        let is_named = matches!(partitions, PartitionSelection::Named(_));
        let last_named = match &partitions {
            PartitionSelection::Named(keys) => keys.last().cloned(),
            PartitionSelection::Range(_) => None,
        };
        let (resumed, rest) = match (found, partitions) {
            (Some(found), PartitionSelection::Range(range)) => {
                (None, resume_candidates(found, range, state))
            }
            (Some(found), PartitionSelection::Named(keys)) if keys.len() == 1 => {
                (None, resume_candidates(found, RingRange::ALL, state))
            }
            (_, partitions) => {
                let resumed = state.and_then(|state| {
                    let after = state.row.as_deref()?;
                    let key = state.key.clone();
                    PartitionCursor::open(&table, key, rows.clone(), Some(after))
                });
                (resumed, resume(&table, partitions, &rows, state))
            }
        };
        Self { table, rows, resumed, rest, is_named, last_named }
    }

    /// The next partition, and whether rows of it were returned before.
    pub(crate) fn next(
        &mut self,
        execution: &Execution<'_>,
    ) -> Result<Option<(PartitionCursor, bool)>> {
        if let Some(resumed) = self.resumed.take() {
            return Ok(Some((resumed, true)));
        }
        let (table, rows) = (&self.table, &self.rows);
        match &mut self.rest {
            PartitionQueue::Ring(ring) => Ok(ring.next().map(|cursor| (cursor, false))),
            PartitionQueue::Named(keys) => {
                for (absent, key) in keys.enumerate() {
                    if absent % KEYS_PER_CHECK == KEYS_PER_CHECK - 1 {
                        execution.check_time()?;
                    }
                    if let Some(cursor) = PartitionCursor::open(table, key, rows.clone(), None) {
                        return Ok(Some((cursor, false)));
                    }
                }
                Ok(None)
            }
            PartitionQueue::Found(found, resumed) => loop {
                let Some(partition) = found.next_partition(execution)? else { return Ok(None) };
                let given = resumed.take_if(|(own, _)| *own == partition.key);
                let after = given.as_ref().map(|(_, row)| &**row);
                let rows = CandidateRows { table, range: rows, after };
                if let Some(cursor) = rows.open(execution, found, partition)? {
                    return Ok(Some((cursor, given.is_some())));
                }
            },
        }
    }

    /// Whether partitions are named, rather than a range of the ring.
    pub(crate) fn is_named(&self) -> bool {
        self.is_named
    }

    /// Whether partitions are named and this is the last of them.
    pub(crate) fn is_last_named(&self, key: &DecoratedKey) -> bool {
        self.last_named.as_ref() == Some(key)
    }
}

fn resume(
    table: &Arc<Memtable>,
    partitions: PartitionSelection,
    rows: &RowRange,
    state: Option<&PagingState>,
) -> PartitionQueue {
    match partitions {
        PartitionSelection::Named(mut keys) => {
            if let Some(state) = state {
                let done = keys.iter().position(|key| *key == state.key);
                keys.drain(..done.map_or(keys.len(), |at| at + 1));
            }
            PartitionQueue::Named(keys.into_iter())
        }
        PartitionSelection::Range(mut range) => {
            if let Some(state) = state {
                range.start = Bound::Excluded(state.key.clone());
            }
            PartitionQueue::Ring(RingCursor::open(table, range, rows.clone()).into())
        }
    }
}

fn resume_candidates(
    mut found: IndexCandidates,
    mut range: RingRange,
    state: Option<&PagingState>,
) -> PartitionQueue {
    let mut resumed = None;
    match state {
        None => found.restrict(range),
        Some(state) => {
            range.start = match &state.row {
                None => Bound::Excluded(state.key.clone()),
                Some(_) => Bound::Included(state.key.clone()),
            };
            found.restrict(range);
            if let Some(row) = &state.row {
                found.resume(&state.key, row);
                resumed = Some((state.key.clone(), row.clone()));
            }
        }
    }
    PartitionQueue::Found(Box::new(found), resumed)
}

/// Which rows of a partition are read if they are candidates.
struct CandidateRows<'a> {
    table: &'a Arc<Memtable>,
    range: &'a RowRange,
    /// The row after which the read starts.
    after: Option<&'a [u8]>,
}

impl CandidateRows<'_> {
    /// Opens the candidates of a partition. All rows come from one version of the partition, and
    /// the candidates must be those of that version: if it was written meanwhile, they are read
    /// again. If it is written all the time, or they cannot be read again, all rows are read and
    /// filtered.
    fn open(
        &self,
        execution: &Execution<'_>,
        found: &IndexCandidates,
        mut partition: CandidatePartition,
    ) -> Result<Option<PartitionCursor>> {
        const ATTEMPTS: usize = 4;
        let open = |key: &DecoratedKey, slices| {
            let range = RowRange { slices, ..self.range.clone() };
            PartitionCursor::open(self.table, key.clone(), range, self.after)
        };
        for _ in 0..ATTEMPTS {
            let Some(rows) = &partition.rows else { break };
            let mut opened = open(&partition.key, restrict_to_rows(&self.range.slices, rows));
            if let Some(cursor) = opened.as_mut().filter(|_| !partition.deleted.is_empty()) {
                cursor.ranges = self.read_ranges(&partition.key, rows, &partition.deleted);
            }
            if found.is_unchanged(&partition) {
                return Ok(opened);
            }
            let Some(again) = found.read_again(execution, &partition.key)? else { break };
            partition = again;
        }
        Ok(open(&partition.key, Arc::clone(&self.range.slices)))
    }
}

impl CandidateRows<'_> {
    /// The range tombstones at rows and at rows that they have deleted.
    fn read_ranges(
        &self,
        key: &DecoratedKey,
        rows: &[Position],
        deleted: &[Position],
    ) -> Vec<RangeTombstone> {
        let mut all: Vec<Position> = rows.iter().chain(deleted).cloned().collect();
        all.sort_unstable();
        let slices = restrict_to_rows(&self.range.slices, &all);
        let filter = SliceFilter { slices: &slices, reversed: false, after: None, max_rows: 0 };
        self.table.read(key, filter).map(|read| read.ranges).unwrap_or_default()
    }
}

/// The slices of the rows that are inside of slices, which are disjoint and in order.
fn restrict_to_rows(slices: &[Slice], rows: &[Position]) -> Arc<[Slice]> {
    let is_inside = |row: &&Position| {
        let next = slices.partition_point(|slice| slice.start <= **row);
        let slice = next.checked_sub(1).and_then(|at| slices.get(at));
        slice.is_some_and(|slice| **row < slice.end)
    };
    rows.iter().filter(is_inside).map(single_row_slice).collect()
}

/// The slice of one row.
fn single_row_slice(row: &Position) -> Slice {
    let mut end = row.to_vec();
    end.push(0);
    Slice { start: row.clone(), end: end.into() }
}
