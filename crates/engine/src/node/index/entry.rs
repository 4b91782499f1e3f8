//! [`IndexEntries`]: the entries of an index, a value with its location, ordered by value, then by
//! token and row.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use storage::{DecoratedKey, DerivedMemory};

const TOKEN_BYTES: usize = 8;

/// An entry, packed into one allocation.
#[derive(Clone, Debug)]
pub(crate) struct IndexEntry {
    bytes: Box<[u8]>,
    term_end: u32,
    partition_end: u32,
}

impl IndexEntry {
    /// An entry of an encoded value, a partition, and a row in it (empty for the whole partition).
    pub(crate) fn new(term: &[u8], partition: &[u8], position: &[u8]) -> Self {
        let ends = (term.len(), term.len() + partition.len());
        Self {
            bytes: [term, partition, position].concat().into(),
            term_end: u32::try_from(ends.0).unwrap_or(u32::MAX),
            partition_end: u32::try_from(ends.1).unwrap_or(u32::MAX),
        }
    }

    /// The encoded value.
    pub(crate) fn term(&self) -> &[u8] {
        self.bytes.get(..self.term_end as usize).unwrap_or_default()
    }

    /// Token and key of the partition.
    pub(crate) fn partition(&self) -> &[u8] {
        self.bytes.get(self.term_end as usize..self.partition_end as usize).unwrap_or_default()
    }

    /// The position of the row.
    pub(crate) fn position(&self) -> &[u8] {
        self.bytes.get(self.partition_end as usize..).unwrap_or_default()
    }

    /// The partition and the row.
    pub(crate) fn location(&self) -> (&[u8], &[u8]) {
        (self.partition(), self.position())
    }

    /// Its memory in a set, in bytes; an estimate.
    pub(crate) fn byte_size(&self) -> u64 {
        (storage::allocation_bytes(self.bytes.len()) + SET_SHARE) as u64
    }

    /// The partition key.
    pub(crate) fn key(&self) -> DecoratedKey {
        DecoratedKey::new(self.partition().get(TOKEN_BYTES..).unwrap_or_default())
    }
}

impl Ord for IndexEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.term().cmp(other.term()).then_with(|| self.location().cmp(&other.location()))
    }
}

impl PartialOrd for IndexEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for IndexEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for IndexEntry {}

/// The bytes of an entry in a set besides its own allocation: nodes have room for 11 entries, and
/// are filled by two thirds if the entries come in random order.
const SET_SHARE: usize = size_of::<IndexEntry>() * 3 / 2 + 8;

/// The entries of an index. Their memory is counted as derived from the table.
#[derive(Debug)]
pub(crate) struct IndexEntries {
    set: BTreeSet<IndexEntry>,
    bytes: u64,
    memory: Arc<DerivedMemory>,
}

impl Drop for IndexEntries {
    fn drop(&mut self) {
        self.memory.shrink(self.bytes);
    }
}

impl IndexEntries {
    /// No entries.
    pub(crate) fn new(memory: Arc<DerivedMemory>) -> Self {
        Self { set: BTreeSet::new(), bytes: 0, memory }
    }

    /// What their memory is counted in.
    pub(crate) fn memory(&self) -> &Arc<DerivedMemory> {
        &self.memory
    }

    /// Adds entries; returns the bytes by which they grew.
    pub(crate) fn extend(&mut self, entries: Vec<IndexEntry>) -> u64 {
        let mut growth = 0;
        for entry in entries {
            let bytes = entry.byte_size();
            if self.set.insert(entry) {
                growth += bytes;
            }
        }
        self.bytes += growth;
        self.memory.grow(growth);
        growth
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.set.len()
    }

    /// The memory of all entries, in bytes; an estimate.
    pub(crate) fn byte_size(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn remove(&mut self, entry: &IndexEntry) {
        if self.set.remove(entry) {
            let bytes = entry.byte_size();
            self.bytes = self.bytes.saturating_sub(bytes);
            self.memory.shrink(bytes);
        }
    }

    /// The entries of one value from a location on.
    pub(crate) fn iter_term<'a>(
        &'a self,
        term: &'a [u8],
        from: Bound<&'a IndexEntry>,
    ) -> impl Iterator<Item = &'a IndexEntry> {
        self.set.range((from, Bound::Unbounded)).take_while(move |entry| entry.term() == term)
    }

    /// Entries of a range of values.
    pub(crate) fn iter_range<'a>(
        &'a self,
        start: &'a Bound<Vec<u8>>,
        end: &'a Bound<Vec<u8>>,
    ) -> impl Iterator<Item = &'a IndexEntry> {
        let from = match start {
            Bound::Included(term) | Bound::Excluded(term) => {
                Bound::Included(IndexEntry::new(term, &[], &[]))
            }
            Bound::Unbounded => Bound::Unbounded,
        };
        let excluded = move |entry: &&IndexEntry| matches!(start, Bound::Excluded(term) if entry.term() == &**term);
        let inside = move |entry: &&IndexEntry| match end {
            Bound::Included(term) => entry.term() <= &**term,
            Bound::Excluded(term) => entry.term() < &**term,
            Bound::Unbounded => true,
        };
        self.set.range((from, Bound::Unbounded)).skip_while(excluded).take_while(inside)
    }
}
