//! Indexes: which rows have a value, for every index of a table.
//!
//! An index only locates candidates. Writes add entries and read nothing; entries that no longer
//! match their row are dropped when a search meets them. Entries are not stored on disk: they are
//! built from the table's rows when they are first needed.

mod analyzer;
mod ascii_fold;
mod build;
pub(crate) mod entry;
pub(crate) mod target;
pub(crate) mod write_stripes;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use schema::catalog;
use storage::{DerivedMemory, Memtable, PartitionUpdate};

use super::handle::TableHandle;

pub(crate) use analyzer::{Analyzer, column_analyzer};
pub(crate) use build::BuildContext;

use build::{BuildProgress, BuildQueue};
use entry::{IndexEntries, IndexEntry};
use target::{EntryState, IndexTarget};
use write_stripes::WriteStripes;

/// An index with its entries.
#[derive(Debug)]
pub(crate) struct IndexHandle {
    /// Its definition in the schema.
    pub(crate) definition: catalog::Index,
    /// Which part of a row is indexed; `None` if it has no entries, and searches read all rows.
    pub(crate) target: Option<IndexTarget>,
    /// The normalisation of text, if any.
    pub(crate) analyzer: Option<Analyzer>,
    /// The writes of the table, for searches beside them.
    pub(crate) writes: WriteStripes,
    state: RwLock<IndexState>,
    /// Who builds the entries of existing rows.
    pub(crate) builds: BuildQueue,
}

/// The entries of an index.
#[derive(Debug)]
pub(crate) struct IndexState {
    pub(crate) entries: IndexEntries,
    /// Whether all rows of the table are in it.
    pub(crate) is_complete: bool,
    /// How far the entries of existing rows were built.
    progress: BuildProgress,
    /// The number of times it was cleared.
    generation: u64,
    /// The memory, in bytes, with which a build did not succeed.
    needs_above: Option<u64>,
}

impl IndexState {
    fn new(memory: &Arc<DerivedMemory>, generation: u64) -> Self {
        Self {
            entries: IndexEntries::new(Arc::clone(memory)),
            is_complete: false,
            progress: BuildProgress::default(),
            generation,
            needs_above: None,
        }
    }

    /// Drops all entries; a build under way starts again.
    fn restart(&mut self) {
        *self = Self::new(self.entries.memory(), self.generation + 1);
    }
}

impl IndexHandle {
    fn new(table: &TableHandle, definition: &catalog::Index) -> Self {
        let column = table.definition.column_index(&definition.column);
        let analyzer = Analyzer::for_index(definition);
        Self {
            target: column
                .and_then(|column| IndexTarget::for_index(table, column, definition, analyzer)),
            analyzer,
            definition: definition.clone(),
            writes: WriteStripes::default(),
            state: RwLock::new(IndexState::new(table.rows.measure_derived_memory(), 0)),
            builds: BuildQueue::default(),
        }
    }

    /// Drops all entries. They are built again when they are needed.
    pub(crate) fn clear(&self) {
        self.write().restart();
    }

    /// The memory that its entries occupy, in bytes; an estimate.
    pub(crate) fn byte_size(&self) -> u64 {
        self.read().entries.byte_size()
    }

    /// The entries, which may be incomplete.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, IndexState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, IndexState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds entries for the values that an update writes; returns the bytes by which it grew.
    pub(crate) fn index_update(&self, update: &PartitionUpdate) -> u64 {
        let Some(target) = &self.target else { return 0 };
        let mut entries = Vec::new();
        target.entries_of_update(update, &mut |entry| entries.push(entry));
        if entries.is_empty() {
            return 0;
        }
        let mut state = self.write();
        // A further build starts with the first row.
        if state.needs_above.is_some() { 0 } else { state.entries.extend(entries) }
    }

    /// The memory that the entries of a large update need, in bytes; 0 for a small one. Each entry of
    /// a collection has the key of its partition.
    pub(crate) fn estimate_growth(&self, update: &PartitionUpdate) -> u64 {
        const SMALL: usize = 64 << 10;
        /// The bytes of the smallest cell.
        const CELL: usize = 4;
        let Some(target) = &self.target else { return 0 };
        let rows = update.rows.iter().chain(&update.statics);
        let cells = rows.map(|row| row.as_bytes().len()).sum::<usize>() / CELL;
        if cells.saturating_mul(update.key.as_bytes().len()) < SMALL {
            return 0;
        }
        let mut bytes = 0;
        target.entries_of_update(update, &mut |entry| bytes += entry.byte_size());
        bytes
    }

    /// Drops the entries in the list that no longer match their rows, and keeps the others in the
    /// list. Those of partitions that are being written stay, in the list and in the index: until
    /// the new entries are there, they are what leads searches to the partition. Returns those
    /// whose rows are in deleted ranges; like the server, the index keeps them unless it has an
    /// entry of a later row of the partition.
    ///
    /// A write is in the table before it is in the index. Under the write lock of the entries, a
    /// row either has the value, or its writer has yet to add the entry: no entry is lost.
    pub(crate) fn drop_stale(
        &self,
        target: &IndexTarget,
        table: &Memtable,
        entries: &mut Vec<IndexEntry>,
        is_settled: impl Fn(&IndexEntry) -> bool,
    ) -> Vec<IndexEntry> {
        if entries.iter().all(|entry| target.is_current(table, entry)) {
            return Vec::new();
        }
        let mut state = self.write();
        let (mut kept, mut covered) = (Vec::with_capacity(entries.len()), Vec::new());
        for entry in std::mem::take(entries).into_iter().rev() {
            let is_followed = |kept: &[IndexEntry]| {
                kept.last().is_some_and(|later| later.partition() == entry.partition())
            };
            match target.find_state(table, &entry) {
                EntryState::Stale if is_settled(&entry) => state.entries.remove(&entry),
                EntryState::InDeletedRange if is_settled(&entry) => {
                    if is_followed(&kept) {
                        state.entries.remove(&entry);
                    }
                    covered.push(entry);
                }
                _ => kept.push(entry),
            }
        }
        kept.reverse();
        covered.reverse();
        *entries = kept;
        covered
    }
}

/// The index handles of a table; those of the old handle are reused if they did not change.
pub(crate) fn build_handles(
    table: &TableHandle,
    old: Option<&TableHandle>,
) -> Vec<Arc<IndexHandle>> {
    let known = |definition: &catalog::Index| {
        old?.indexes.iter().find(|index| index.definition == *definition).cloned()
    };
    let make = |definition: &catalog::Index| {
        known(definition).unwrap_or_else(|| Arc::new(IndexHandle::new(table, definition)))
    };
    table.definition.indexes.iter().map(make).collect()
}
