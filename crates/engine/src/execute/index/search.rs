//! Index searches: which rows a SELECT has to look at.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;

use schema::Refusal;
use schema::access::IndexUse;
use schema::bind::restrictions::{
    ContainsRestriction, Restriction, RestrictionKind, Restrictions, SliceBound,
};
use schema::bind::term::BoundTerm;
use schema::bind::write::composite_size;
use schema::catalog::{IndexClass, IndexPart};
use schema::refusal::ValueReason;
use storage::{DecoratedKey, Memtable, Position, RingRange};

use crate::error::Result;
use crate::node::handle::TableHandle;
use crate::node::index::IndexHandle;
use crate::node::index::entry::IndexEntry;
use crate::node::index::target::IndexTarget;
use crate::node::index::write_stripes::SettledWrites;

/// The number of entries that are read at once.
const CHUNK: usize = 256;
/// The limit up to which entries are counted to find the index with the fewest.
const COUNT_MAX: usize = 1024;
/// The maximum number of entries that are sorted; with more, all rows are read instead.
const SORTED_MAX: usize = 65_536;

/// A row or partition to look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexHit {
    /// All rows of a partition.
    Partition(DecoratedKey),
    /// One row.
    Row(DecoratedKey, Position),
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
            Self::Partition(key) | Self::Row(key, _) => key,
        }
    }
}

/// The lookup in an index.
#[derive(Debug)]
enum IndexPredicate {
    /// A lookup that no entry can match.
    Nothing,
    Term(Vec<u8>),
    Between(Bound<Vec<u8>>, Bound<Vec<u8>>),
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

/// Runs the search of the plan with the fewest entries; `None` if all rows must be read.
pub(crate) fn search(
    handle: &TableHandle,
    plan: &IndexUse,
    restrictions: &Restrictions,
    range: RingRange,
) -> Result<Option<IndexCandidates>> {
    let mut best: Option<(usize, Arc<IndexHandle>, IndexPredicate)> = None;
    for search in &plan.searches {
        let Some(index) = handle.indexes.get(search.index) else { continue };
        let Some(target) = &index.target else { continue };
        let Some(restriction) = restrictions.get(search.restriction) else { continue };
        let Some(mut predicate) = index_predicate(handle, index, target, restriction) else {
            continue;
        };
        let is_built_in = index.definition.class == IndexClass::Legacy;
        if is_built_in {
            check_expression(index, restriction)?;
        }
        if plan.loses_statics && target.is_static() && is_built_in {
            predicate = IndexPredicate::Nothing;
        }
        index.ensure_complete(target, &handle.rows);
        let count = count_entries(index, &predicate);
        if best.as_ref().is_none_or(|(fewest, ..)| count < *fewest) {
            best = Some((count, Arc::clone(index), predicate));
        }
    }
    let Some((_, index, predicate)) = best else { return Ok(None) };
    Ok(IndexCandidates::new(handle, index, predicate, range))
}

/// Refuses values that a built-in index cannot hold; entries are composites of key and value.
fn check_expression(index: &IndexHandle, restriction: &Restriction) -> Result<()> {
    const MAX_VALUE: usize = 65_535;
    let length = match &restriction.kind {
        RestrictionKind::Contains(contains) if index.definition.part == IndexPart::Entries => {
            let entry = contains.entries.first();
            let entry =
                entry.and_then(|(key, value)| Some((constant_value(key)?, constant_value(value)?)));
            entry.map_or(Ok(0), |(key, value)| composite_size(key, value, restriction.span))?
        }
        _ => restriction
            .terms()
            .into_iter()
            .filter_map(constant_value)
            .map(<[u8]>::len)
            .max()
            .unwrap_or(0),
    };
    if length > MAX_VALUE {
        let refusal = Refusal::new(ValueReason::IndexExpression, restriction.span);
        return Err(Box::new(refusal).into());
    }
    Ok(())
}

fn count_entries(index: &IndexHandle, predicate: &IndexPredicate) -> usize {
    let state = index.read();
    match predicate {
        IndexPredicate::Nothing => 0,
        IndexPredicate::Term(term) => {
            let first = IndexEntry::new(term, &[], &[]);
            state.entries.iter_term(term, Bound::Included(&first)).take(COUNT_MAX).count()
        }
        // One more than for a single value, whose entries need no sorting.
        IndexPredicate::Between(start, end) => {
            state.entries.iter_range(start, end).take(COUNT_MAX).count() + 1
        }
    }
}

/// The lookup of a restriction; `None` if it is not known before rows are read.
fn index_predicate(
    handle: &TableHandle,
    index: &IndexHandle,
    target: &IndexTarget,
    restriction: &Restriction,
) -> Option<IndexPredicate> {
    let column = handle.definition.column_index(&index.definition.column)?;
    let at = restriction.columns.iter().position(|one| *one == column)?;
    let of_term =
        |term: Option<Vec<u8>>| term.map_or(IndexPredicate::Nothing, IndexPredicate::Term);
    match &restriction.kind {
        RestrictionKind::Equal(operand) => {
            constant_value(operand.terms().get(at)?).map(|value| of_term(target.encode_term(value)))
        }
        RestrictionKind::Slice(slice) if index.definition.class == IndexClass::Sai => {
            let start = encode_bound(target, slice.start.as_ref(), at)?;
            Some(IndexPredicate::Between(start, encode_bound(target, slice.end.as_ref(), at)?))
        }
        RestrictionKind::Contains(contains) => contains_predicate(index, target, contains),
        _ => None,
    }
}

fn encode_bound(
    target: &IndexTarget,
    bound: Option<&SliceBound>,
    at: usize,
) -> Option<Bound<Vec<u8>>> {
    let Some(bound) = bound else { return Some(Bound::Unbounded) };
    let term = target.encode_term(constant_value(bound.value.terms().get(at)?)?)?;
    Some(if bound.inclusive { Bound::Included(term) } else { Bound::Excluded(term) })
}

/// The lookup of CONTAINS, CONTAINS KEY or an entry.
fn contains_predicate(
    index: &IndexHandle,
    target: &IndexTarget,
    contains: &ContainsRestriction,
) -> Option<IndexPredicate> {
    let of_term =
        |term: Option<Vec<u8>>| term.map_or(IndexPredicate::Nothing, IndexPredicate::Term);
    match index.definition.part {
        IndexPart::Entries => {
            let (key, value) = contains.entries.first()?;
            Some(of_term(target.encode_entry_term(constant_value(key)?, constant_value(value)?)))
        }
        IndexPart::Keys => {
            constant_value(contains.keys.first()?).map(|key| of_term(target.encode_term(key)))
        }
        // The elements of a set are its keys as well.
        _ => {
            let element = contains.values.first().or(contains.keys.first())?;
            constant_value(element).map(|element| of_term(target.encode_term(element)))
        }
    }
}

fn constant_value(term: &BoundTerm) -> Option<&[u8]> {
    if let BoundTerm::Value(Some(value)) = term { Some(value) } else { None }
}

impl IndexCandidates {
    /// `None` if there are too many candidates to sort.
    fn new(
        handle: &TableHandle,
        index: Arc<IndexHandle>,
        predicate: IndexPredicate,
        range: RingRange,
    ) -> Option<Self> {
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
            IndexPredicate::Between(start, end) => candidates.collect_sorted(&start, &end)?,
        }
        candidates.restrict(range);
        Some(candidates)
    }

    fn collect_sorted(&mut self, start: &Bound<Vec<u8>>, end: &Bound<Vec<u8>>) -> Option<()> {
        let state = self.index.read();
        let between = state.entries.iter_range(start, end).take(SORTED_MAX + 1);
        let mut entries: Vec<IndexEntry> = between.cloned().collect();
        drop(state);
        if entries.len() > SORTED_MAX {
            return None;
        }
        let target = self.index.target.as_ref()?;
        let is_settled =
            |entry: &IndexEntry| self.index.writes.is_unchanged(&self.writes, entry.partition());
        self.index.drop_stale(target, &self.table, &mut entries, is_settled);
        entries.sort_by(|a, b| a.location().cmp(&b.location()));
        entries.dedup_by(|a, b| a.location() == b.location());
        self.found = entries.iter().map(IndexHit::from_entry).collect();
        Some(())
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
            IndexHit::Row(own, position) => (own, &**position) <= (key, after),
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

    /// Reads the next chunk of entries.
    fn refill(&mut self) -> Option<()> {
        let index = Arc::clone(&self.index);
        let target = index.target.as_ref()?;
        while self.found.is_empty() && !self.is_exhausted {
            let term = self.term.as_ref()?;
            self.writes = index.writes.read();
            let state = index.read();
            let next = state.entries.iter_term(term, self.after.as_ref()).take(CHUNK);
            let mut entries: Vec<IndexEntry> = next.cloned().collect();
            drop(state);
            match entries.last() {
                Some(last) if entries.len() == CHUNK => self.after = Bound::Excluded(last.clone()),
                _ => self.is_exhausted = true,
            }
            let is_settled =
                |entry: &IndexEntry| index.writes.is_unchanged(&self.writes, entry.partition());
            index.drop_stale(target, &self.table, &mut entries, is_settled);
            let hits = entries.iter().map(IndexHit::from_entry);
            self.found.extend(hits.filter(|hit| contains(&self.range, hit.partition())));
        }
        (!self.found.is_empty()).then_some(())
    }

    /// The next partition with candidates.
    pub(crate) fn next_partition(&mut self) -> Option<CandidatePartition> {
        self.refill()?;
        let key = self.found.front()?.partition().clone();
        let writes = self.writes.clone();
        let mut rows = Some(Vec::new());
        while self.refill().is_some()
            && self.found.front().is_some_and(|hit| *hit.partition() == key)
        {
            match self.found.pop_front()? {
                IndexHit::Row(_, position) => {
                    if let Some(rows) = &mut rows {
                        rows.push(position);
                    }
                }
                IndexHit::Partition(_) => rows = None,
            }
        }
        Some(CandidatePartition { key, rows, writes })
    }

    /// Whether no write has changed which rows of a partition are candidates, nor these rows. To be
    /// asked after the rows were read.
    pub(crate) fn is_unchanged(&self, partition: &CandidatePartition) -> bool {
        self.index.writes.is_unchanged(&partition.writes, partition.key.as_bytes())
    }

    /// The candidates of a partition as they are now, also those before a row at which the search
    /// resumed; `None` if only a new search could find them.
    pub(crate) fn read_again(&self, key: &DecoratedKey) -> Option<CandidatePartition> {
        let term = self.term.as_ref()?;
        let writes = self.index.writes.read();
        let first = IndexEntry::new(term, key.as_bytes(), &[]);
        let state = self.index.read();
        let entries = state.entries.iter_term(term, Bound::Included(&first));
        let entries = entries.take_while(|entry| entry.partition() == key.as_bytes());
        let rows = entries.map(|entry| entry.position().into()).collect();
        Some(CandidatePartition { key: key.clone(), rows: Some(rows), writes })
    }
}

/// The candidates of one partition.
#[derive(Debug)]
pub(crate) struct CandidatePartition {
    pub(crate) key: DecoratedKey,
    /// The positions of rows; `None` if all rows are candidates.
    pub(crate) rows: Option<Vec<Position>>,
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
