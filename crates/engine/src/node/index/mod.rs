//! Indexes: which rows have a value, for every index of a table.
//!
//! An index only locates candidates. Writes add entries and read nothing; entries that no longer
//! match their row are dropped when a search meets them. Entries are not stored on disk: they are
//! built from the table's rows when they are first needed.

mod analyzer;
mod ascii_fold;
pub(crate) mod entry;
pub(crate) mod target;
pub(crate) mod write_stripes;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use schema::catalog;
use storage::{Memtable, PartitionUpdate, RingRange, Slice, SliceFilter};

use super::handle::TableHandle;

pub(crate) use analyzer::{Analyzer, column_analyzer};

use entry::{IndexEntries, IndexEntry};
use target::IndexTarget;
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
    /// Held while the entries of existing rows are built.
    building: Mutex<()>,
    /// The number of times it was cleared.
    cleared: AtomicU64,
}

/// The entries of an index.
#[derive(Debug, Default)]
pub(crate) struct IndexState {
    pub(crate) entries: IndexEntries,
    /// Whether all rows of the table are in it.
    pub(crate) is_complete: bool,
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
            state: RwLock::default(),
            building: Mutex::default(),
            cleared: AtomicU64::new(0),
        }
    }

    /// Drops all entries. They are built again when they are needed.
    pub(crate) fn clear(&self) {
        self.cleared.fetch_add(1, Ordering::SeqCst);
        *self.write() = IndexState::default();
    }

    /// The entries, which may be incomplete.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, IndexState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, IndexState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds entries for the values that an update writes.
    pub(crate) fn index_update(&self, update: &PartitionUpdate) {
        let Some(target) = &self.target else { return };
        let mut entries = Vec::new();
        target.entries_of_update(update, &mut |entry| entries.push(entry));
        if !entries.is_empty() {
            self.write().entries.extend(entries);
        }
    }

    /// Builds the entries of all rows, unless that is done.
    pub(crate) fn ensure_complete(&self, target: &IndexTarget, table: &Memtable) {
        while !self.read().is_complete {
            let _one_at_a_time = self.building.lock().unwrap_or_else(PoisonError::into_inner);
            if self.read().is_complete {
                return;
            }
            let cleared = self.cleared.load(Ordering::SeqCst);
            self.build(target, table);
            let mut state = self.write();
            state.is_complete = self.cleared.load(Ordering::SeqCst) == cleared;
        }
    }

    fn build(&self, target: &IndexTarget, table: &Memtable) {
        const ROWS: usize = 1024;
        let all = [Slice::all()];
        let mut range = RingRange::ALL;
        loop {
            let filter = SliceFilter { slices: &all, reversed: false, after: None, max_rows: ROWS };
            let Some((key, mut read)) = table.scan(&range, filter, 1).pop() else { return };
            loop {
                let mut entries = Vec::new();
                target.entries_of_read(&key, &read, &mut |entry| entries.push(entry));
                self.write().entries.extend(entries);
                let Some(rest) = &mut read.rest else { break };
                read.rows = rest.read_more(&all, false, ROWS);
                if read.rows.is_empty() {
                    break;
                }
            }
            range.start = std::ops::Bound::Excluded(key);
        }
    }

    /// Drops the entries in the list that no longer match their rows, and keeps the others in the
    /// list. Those of partitions that are being written stay, in the list and in the index: until
    /// the new entries are there, they are what leads searches to the partition.
    ///
    /// A write is in the table before it is in the index. Under the write lock of the entries, a
    /// row either has the value, or its writer has yet to add the entry: no entry is lost.
    pub(crate) fn drop_stale(
        &self,
        target: &IndexTarget,
        table: &Memtable,
        entries: &mut Vec<IndexEntry>,
        is_settled: impl Fn(&IndexEntry) -> bool,
    ) {
        let is_stale = |entry: &IndexEntry| !target.is_current(table, entry);
        if !entries.iter().any(is_stale) {
            return;
        }
        let mut state = self.write();
        entries.retain(|entry| {
            let is_dropped = is_stale(entry) && is_settled(entry);
            if is_dropped {
                state.entries.remove(entry);
            }
            !is_dropped
        });
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
