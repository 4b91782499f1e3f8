//! Entries of an index: a value, and where it is. Ordered by value, then in the order of the ring and of rows.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;

use storage::PartitionKey;

const TOKEN_BYTES: usize = 8;

/// An entry, in one run of bytes.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    bytes: Box<[u8]>,
    term_end: u32,
    partition_end: u32,
}

impl Entry {
    /// The value's bytes in its order, the partition, the row in it (none for the whole partition).
    pub(super) fn new(term: &[u8], partition: &[u8], position: &[u8]) -> Self {
        let ends = (term.len(), term.len() + partition.len());
        Self {
            bytes: [term, partition, position].concat().into(),
            term_end: u32::try_from(ends.0).unwrap_or(u32::MAX),
            partition_end: u32::try_from(ends.1).unwrap_or(u32::MAX),
        }
    }

    /// The value.
    pub(super) fn term(&self) -> &[u8] {
        self.bytes.get(..self.term_end as usize).unwrap_or_default()
    }

    /// Token and key of the partition.
    pub(super) fn partition(&self) -> &[u8] {
        self.bytes.get(self.term_end as usize..self.partition_end as usize).unwrap_or_default()
    }

    /// The row.
    pub(super) fn position(&self) -> &[u8] {
        self.bytes.get(self.partition_end as usize..).unwrap_or_default()
    }

    /// Partition and row.
    pub(super) fn place(&self) -> (&[u8], &[u8]) {
        (self.partition(), self.position())
    }

    /// The partition.
    pub(super) fn key(&self) -> PartitionKey {
        PartitionKey::new(self.partition().get(TOKEN_BYTES..).unwrap_or_default())
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.term().cmp(other.term()).then_with(|| self.place().cmp(&other.place()))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// The entries of an index.
#[derive(Debug, Default)]
pub(super) struct Entries(BTreeSet<Entry>);

impl Entries {
    pub(super) fn extend(&mut self, entries: Vec<Entry>) {
        self.0.extend(entries);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn remove(&mut self, entry: &Entry) {
        self.0.remove(entry);
    }

    /// Entries of one value from a place on.
    pub(super) fn of_term<'a>(
        &'a self,
        term: &'a [u8],
        from: Bound<&'a Entry>,
    ) -> impl Iterator<Item = &'a Entry> {
        self.0.range((from, Bound::Unbounded)).take_while(move |entry| entry.term() == term)
    }

    /// Entries of a range of values.
    pub(super) fn between<'a>(
        &'a self,
        start: &'a Bound<Vec<u8>>,
        end: &'a Bound<Vec<u8>>,
    ) -> impl Iterator<Item = &'a Entry> {
        let from = match start {
            Bound::Included(term) | Bound::Excluded(term) => {
                Bound::Included(Entry::new(term, &[], &[]))
            }
            Bound::Unbounded => Bound::Unbounded,
        };
        let excluded =
            move |entry: &&Entry| matches!(start, Bound::Excluded(term) if entry.term() == &**term);
        let inside = move |entry: &&Entry| match end {
            Bound::Included(term) => entry.term() <= &**term,
            Bound::Excluded(term) => entry.term() < &**term,
            Bound::Unbounded => true,
        };
        self.0.range((from, Bound::Unbounded)).skip_while(excluded).take_while(inside)
    }
}
