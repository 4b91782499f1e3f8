//! [`IndexCandidates`]: the rows that an index search gives, read in chunks of entries.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;

use storage::{DecoratedKey, Memtable, Position, RingRange};

use super::search::IndexPredicate;
use crate::error::Result;
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::node::index::IndexHandle;
use crate::node::index::entry::IndexEntry;
use crate::node::index::target::IndexTarget;
use crate::node::index::write_stripes::SettledWrites;

/// The number of entries that are read at once, between two checks of the time limit.
const CHUNK: usize = 256;
/// The maximum number of entries that are sorted; with more, all rows are read instead.
const SORTED_MAX: usize = 65_536;

/// A row or partition to look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexHit {
    /// All rows of a partition.
    Partition(DecoratedKey),
    /// One row.
    Row(DecoratedKey, Position),
    /// A row in a deleted range, of which the tombstone is counted.
    DeletedRow(DecoratedKey, Position),
}

impl IndexHit {
    fn from_entry(entry: &IndexEntry) -> Self {
        match entry.position() {
            [] => Self::Partition(entry.key()),
            position => Self::Row(entry.key(), position.into()),
        }
    }

    /// Its partition.
    pub(crate) fn partition(&self) -> &DecoratedKey {
        match self {
            Self::Partition(key) | Self::Row(key, _) | Self::DeletedRow(key, _) => key,
        }
    }
}

/// The candidates of a search, in the order of the ring and of rows. They need not match: the row
/// filter decides.
#[derive(Debug)]
pub(crate) struct IndexCandidates {
    index: Arc<IndexHandle>,
    table: Arc<Memtable>,
    /// The value whose entries are read in chunks; `None` if all candidates were found at once.
    term: Option<Vec<u8>>,
    /// Whether all entries of the value were read.
    is_exhausted: bool,
    /// The writes before the entries of the candidates in `found` were read.
    writes: SettledWrites,
    after: Bound<IndexEntry>,
    range: RingRange,
    found: VecDeque<IndexHit>,
}

impl IndexCandidates {
    /// `None` if there are too many candidates to sort.
    pub(super) fn new(
        execution: &Execution<'_>,
        handle: &TableHandle,
        index: Arc<IndexHandle>,
        predicate: IndexPredicate,
        range: RingRange,
    ) -> Result<Option<Self>> {
        let table = Arc::clone(&handle.rows);
        let writes = index.writes.read();
        let mut candidates = Self {
            index,
            table,
            term: None,
            is_exhausted: false,
            writes,
            after: Bound::Unbounded,
            range: RingRange::ALL,
            found: VecDeque::new(),
        };
        match predicate {
            IndexPredicate::Nothing => {}
            IndexPredicate::Term(term) => candidates.term = Some(term),
            IndexPredicate::Between(start, end) => {
                if !candidates.collect_sorted(execution, &start, &end)? {
                    return Ok(None);
                }
            }
        }
        candidates.restrict(range);
        Ok(Some(candidates))
    }

    /// Returns whether all candidates were found.
    fn collect_sorted(
        &mut self,
        execution: &Execution<'_>,
        start: &Bound<Vec<u8>>,
        end: &Bound<Vec<u8>>,
    ) -> Result<bool> {
        let state = self.index.read();
        let between = state.entries.iter_range(start, end).take(SORTED_MAX + 1);
        let mut left: Vec<IndexEntry> = between.cloned().collect();
        drop(state);
        let Some(target) = self.index.target.as_ref().filter(|_| left.len() <= SORTED_MAX) else {
            return Ok(false);
        };
        let is_settled =
            |entry: &IndexEntry| self.index.writes.is_unchanged(&self.writes, entry.partition());
        let mut entries = Vec::with_capacity(left.len());
        while !left.is_empty() {
            execution.check_time()?;
            let mut chunk = left.split_off(left.len().saturating_sub(CHUNK));
            let _ = self.index.drop_stale(target, &self.table, &mut chunk, is_settled);
            entries.append(&mut chunk);
        }
        entries.sort_by(|a, b| a.location().cmp(&b.location()));
        entries.dedup_by(|a, b| a.location() == b.location());
        self.found = entries.iter().map(IndexHit::from_entry).collect();
        Ok(true)
    }

    /// The name of the index that is searched.
    pub(crate) fn index_name(&self) -> &str {
        &self.index.definition.name
    }

    /// Restricts the candidates to a range of the ring.
    pub(crate) fn restrict(&mut self, range: RingRange) {
        let range = intersect(std::mem::replace(&mut self.range, RingRange::ALL), range);
        self.found.retain(|hit| contains(&range, hit.partition()));
        if let Some(term) = &self.term {
            let start = match &range.start {
                Bound::Included(key) | Bound::Excluded(key) => key.as_bytes(),
                Bound::Unbounded => &[],
            };
            self.after = Bound::Included(IndexEntry::new(term, start, &[]));
        }
        self.range = range;
    }

    /// Skips the candidates up to a row of a partition.
    pub(crate) fn resume(&mut self, key: &DecoratedKey, after: &[u8]) {
        let is_before = |hit: &IndexHit| match hit {
            IndexHit::Partition(own) => own < key,
            IndexHit::Row(own, position) | IndexHit::DeletedRow(own, position) => {
                (own, &**position) <= (key, after)
            }
        };
        while self.found.front().is_some_and(is_before) {
            self.found.pop_front();
        }
        if let Some(term) = &self.term {
            let place = if self.index.target.as_ref().is_some_and(IndexTarget::is_partition_level) {
                Bound::Included(IndexEntry::new(term, key.as_bytes(), &[]))
            } else {
                Bound::Excluded(IndexEntry::new(term, key.as_bytes(), after))
            };
            self.after = place;
        }
    }

    /// Reads the next chunk of entries; returns whether there are candidates.
    fn refill(&mut self, execution: &Execution<'_>) -> Result<bool> {
        let index = Arc::clone(&self.index);
        let Some(target) = &index.target else { return Ok(false) };
        while self.found.is_empty() && !self.is_exhausted {
            let Some(term) = &self.term else { return Ok(false) };
            execution.check_time()?;
            self.writes = index.writes.read();
            let state = index.read();
            let next = state.entries.iter_term(term, self.after.as_ref()).take(CHUNK);
            let mut entries: Vec<IndexEntry> = next.cloned().collect();
            drop(state);
            match entries.last() {
                Some(last) if entries.len() == CHUNK && !is_beyond(&self.range, last) => {
                    self.after = Bound::Excluded(last.clone());
                }
                _ => self.is_exhausted = true,
            }
            let is_settled =
                |entry: &IndexEntry| index.writes.is_unchanged(&self.writes, entry.partition());
            let deleted = index.drop_stale(target, &self.table, &mut entries, is_settled);
            let deleted = deleted
                .iter()
                .map(|entry| (entry, IndexHit::DeletedRow(entry.key(), entry.position().into())));
            let hits = entries.iter().map(|entry| (entry, IndexHit::from_entry(entry)));
            let mut hits: Vec<_> = hits.chain(deleted).collect();
            hits.sort_by_key(|(entry, _)| *entry);
            let hits = hits.into_iter().map(|(_, hit)| hit);
            self.found.extend(hits.filter(|hit| contains(&self.range, hit.partition())));
        }
        Ok(!self.found.is_empty())
    }

    /// The next partition with candidates.
    pub(crate) fn next_partition(
        &mut self,
        execution: &Execution<'_>,
    ) -> Result<Option<CandidatePartition>> {
        self.refill(execution)?;
        let Some(key) = self.found.front().map(|hit| hit.partition().clone()) else {
            return Ok(None);
        };
        let writes = self.writes.clone();
        let (mut rows, mut deleted) = (Some(Vec::new()), Vec::new());
        while self.refill(execution)?
            && self.found.front().is_some_and(|hit| *hit.partition() == key)
            && let Some(hit) = self.found.pop_front()
        {
            match hit {
                IndexHit::Row(_, position) => {
                    if let Some(rows) = &mut rows {
                        rows.push(position);
                    }
                }
                IndexHit::DeletedRow(_, position) => deleted.push(position),
                IndexHit::Partition(_) => rows = None,
            }
        }
        Ok(Some(CandidatePartition { key, rows, deleted, writes }))
    }

    /// Whether no write has changed which rows of a partition are candidates, nor these rows. To be
    /// asked after the rows were read.
    pub(crate) fn is_unchanged(&self, partition: &CandidatePartition) -> bool {
        self.index.writes.is_unchanged(&partition.writes, partition.key.as_bytes())
    }

    /// The candidates of a partition as they are now, also those before a row at which the search
    /// resumed; `None` if only a new search could find them. A write between two chunks is noticed
    /// like one after the last.
    pub(crate) fn read_again(
        &self,
        execution: &Execution<'_>,
        key: &DecoratedKey,
    ) -> Result<Option<CandidatePartition>> {
        let Some(term) = &self.term else { return Ok(None) };
        let writes = self.index.writes.read();
        let mut after = Bound::Included(IndexEntry::new(term, key.as_bytes(), &[]));
        let mut rows: Vec<Position> = Vec::new();
        loop {
            execution.check_time()?;
            let state = self.index.read();
            let entries = state.entries.iter_term(term, after.as_ref());
            let entries = entries.take_while(|entry| entry.partition() == key.as_bytes());
            let chunk: Vec<IndexEntry> = entries.take(CHUNK).cloned().collect();
            drop(state);
            rows.extend(chunk.iter().map(|entry| Position::from(entry.position())));
            let Some(last) = chunk.into_iter().nth(CHUNK - 1) else {
                let (key, rows, deleted) = (key.clone(), Some(rows), Vec::new());
                return Ok(Some(CandidatePartition { key, rows, deleted, writes }));
            };
            after = Bound::Excluded(last);
        }
    }
}

/// The candidates of one partition.
#[derive(Debug)]
pub(crate) struct CandidatePartition {
    pub(crate) key: DecoratedKey,
    /// The positions of rows; `None` if all rows are candidates.
    pub(crate) rows: Option<Vec<Position>>,
    /// The positions of rows in deleted ranges.
    pub(crate) deleted: Vec<Position>,
    /// The writes before the entries were read.
    writes: SettledWrites,
}

/// The intersection of two ranges.
fn intersect(a: RingRange, b: RingRange) -> RingRange {
    let key = |bound: &Bound<DecoratedKey>| match bound {
        Bound::Included(key) => Some((key.clone(), false)),
        Bound::Excluded(key) => Some((key.clone(), true)),
        Bound::Unbounded => None,
    };
    let start = if key(&a.start) > key(&b.start) { a.start } else { b.start };
    let end = match (key(&a.end), key(&b.end)) {
        (None, _) => b.end,
        (Some(_), None) => a.end,
        (Some((one, is_excluded)), Some((other, _))) => {
            if one < other || (one == other && is_excluded) { a.end } else { b.end }
        }
    };
    RingRange { start, end }
}

fn contains(range: &RingRange, key: &DecoratedKey) -> bool {
    std::ops::RangeBounds::contains(&(range.start.as_ref(), range.end.as_ref()), key)
}

/// Whether an entry, and so all later ones of its value, are beyond the end of a range.
fn is_beyond(range: &RingRange, entry: &IndexEntry) -> bool {
    match &range.end {
        Bound::Included(end) => entry.partition() > end.as_bytes(),
        Bound::Excluded(end) => entry.partition() >= end.as_bytes(),
        Bound::Unbounded => false,
    }
}
