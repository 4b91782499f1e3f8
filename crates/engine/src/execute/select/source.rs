//! [`PartitionSource`]: the partitions of a SELECT in order, from the end of the previous page.

use std::ops::Bound;
use std::sync::Arc;

use storage::{DecoratedKey, Memtable, Position, RingRange, Slice};

use super::keys::PartitionSelection;
use super::paging::PagingState;
use crate::execute::index::{CandidatePartition, IndexCandidates};
use crate::rows::cursor::{PartitionCursor, RingCursor};

/// The partitions in the order in which they are read.
#[derive(Debug)]
pub(crate) struct PartitionSource {
    table: Arc<Memtable>,
    slices: Arc<[Slice]>,
    reversed: bool,
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
        (slices, reversed): (Arc<[Slice]>, bool),
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
                    PartitionCursor::open(&table, key, Arc::clone(&slices), reversed, Some(after))
                });
                (resumed, resume(&table, partitions, (&slices, reversed), state))
            }
        };
        Self { table, slices, reversed, resumed, rest, is_named, last_named }
    }

    /// The next partition, and whether rows of it were returned before.
    pub(crate) fn next(&mut self) -> Option<(PartitionCursor, bool)> {
        if let Some(resumed) = self.resumed.take() {
            return Some((resumed, true));
        }
        let (table, reversed) = (&self.table, self.reversed);
        match &mut self.rest {
            PartitionQueue::Ring(ring) => ring.next().map(|cursor| (cursor, false)),
            PartitionQueue::Named(keys) => keys.find_map(|key| {
                let slices = Arc::clone(&self.slices);
                Some((PartitionCursor::open(table, key, slices, reversed, None)?, false))
            }),
            PartitionQueue::Found(found, resumed) => loop {
                let partition = found.next_partition()?;
                let given = resumed.take_if(|(own, _)| *own == partition.key);
                let after = given.as_ref().map(|(_, row)| &**row);
                let slices = &self.slices;
                let opened = open_candidates(table, found, partition, (slices, reversed), after);
                if let Some(cursor) = opened {
                    return Some((cursor, given.is_some()));
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
    (slices, reversed): (&Arc<[Slice]>, bool),
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
            PartitionQueue::Ring(
                RingCursor::open(table, range, Arc::clone(slices), reversed).into(),
            )
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

/// Opens the candidates of a partition. All rows come from one version of the partition, and the
/// candidates must be those of that version: if it was written meanwhile, they are read again. If it
/// is written all the time, or they cannot be read again, all rows are read and filtered.
fn open_candidates(
    table: &Arc<Memtable>,
    found: &IndexCandidates,
    mut partition: CandidatePartition,
    (slices, reversed): (&Arc<[Slice]>, bool),
    after: Option<&[u8]>,
) -> Option<PartitionCursor> {
    const ATTEMPTS: usize = 4;
    let open = |key: &DecoratedKey, slices| {
        PartitionCursor::open(table, key.clone(), slices, reversed, after)
    };
    for _ in 0..ATTEMPTS {
        let Some(rows) = &partition.rows else { break };
        let opened = open(&partition.key, restrict_to_rows(slices, rows));
        if found.is_unchanged(&partition) {
            return opened;
        }
        let Some(again) = found.read_again(&partition.key) else { break };
        partition = again;
    }
    open(&partition.key, Arc::clone(slices))
}

/// The slices of the rows that are inside of slices.
fn restrict_to_rows(slices: &[Slice], rows: &[Position]) -> Arc<[Slice]> {
    let inside =
        |row: &&Position| slices.iter().any(|slice| slice.start <= **row && **row < slice.end);
    rows.iter().filter(inside).map(single_row_slice).collect()
}

/// The slice of one row.
fn single_row_slice(row: &Position) -> Slice {
    let mut end = row.to_vec();
    end.push(0);
    Slice { start: row.clone(), end: end.into() }
}
