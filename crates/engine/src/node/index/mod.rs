//! Indexes: which rows have a value, for every index of a table.
//!
//! An index only ever says where to look. Writes add entries and read nothing; a row that changed since leaves entries
//! behind that are found out, and forgotten, when a search meets them. So entries need not be stored: they are made of
//! the table's rows when they are asked for first.

mod analyzer;
mod ascii_fold;
pub(crate) mod entry;
pub(crate) mod target;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use schema::catalog;
use storage::{Memtable, PartitionUpdate, RingRange, Slice, SliceFilter};

use super::handle::TableHandle;

pub(crate) use analyzer::{Analyzer, column_analyzer};

use entry::{IndexEntries, IndexEntry};
use target::IndexTarget;

/// An index with its entries.
#[derive(Debug)]
pub(crate) struct IndexHandle {
    /// What the schema says of it.
    pub(crate) definition: catalog::Index,
    /// What of a row goes into it; `None` if it keeps no entries, and searches look at all rows.
    pub(crate) target: Option<IndexTarget>,
    /// What its options make of text, if anything.
    pub(crate) analyzer: Option<Analyzer>,
    state: RwLock<IndexState>,
    /// Held by the one who makes the entries of a table that has rows already.
    building: Mutex<()>,
    /// How often it was cleared.
    cleared: AtomicU64,
}

/// What an index holds.
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
            state: RwLock::default(),
            building: Mutex::default(),
            cleared: AtomicU64::new(0),
        }
    }

    /// Forgets all entries. Those of rows that are written meanwhile are made anew when they are asked for.
    pub(crate) fn clear(&self) {
        self.cleared.fetch_add(1, Ordering::SeqCst);
        *self.write() = IndexState::default();
    }

    /// The entries, which may not be all of them yet.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, IndexState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, IndexState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the values that an update writes.
    pub(crate) fn index_update(&self, update: &PartitionUpdate) {
        let Some(target) = &self.target else { return };
        let mut found = Vec::new();
        target.entries_of_update(update, &mut |entry| found.push(entry));
        if !found.is_empty() {
            self.write().entries.extend(found);
        }
    }

    /// Sees to it that all rows of the table are in it.
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
            let wanted = SliceFilter { slices: &all, reversed: false, after: None, max_rows: ROWS };
            let Some((key, mut read)) = table.scan(&range, wanted, 1).pop() else { return };
            loop {
                let mut found = Vec::new();
                target.entries_of_read(&key, &read, &mut |entry| found.push(entry));
                self.write().entries.extend(found);
                let Some(after) = read.more_after.take() else { break };
                let wanted = SliceFilter { after: Some(&after), ..wanted };
                let Some(next) = table.read(&key, wanted) else { break };
                read = next;
            }
            range.start = std::ops::Bound::Excluded(key);
        }
    }

    /// Forgets those of the entries that their rows do not have any more, and keeps the others in the list.
    ///
    /// A write is in the table before it is here: a row that is looked at while nobody may add entries either has the
    /// value, or whoever writes it will add its entry again.
    pub(crate) fn drop_stale(
        &self,
        target: &IndexTarget,
        table: &Memtable,
        entries: &mut Vec<IndexEntry>,
    ) {
        let is_stale = |entry: &IndexEntry| !target.is_current(table, entry);
        if !entries.iter().any(is_stale) {
            return;
        }
        let mut state = self.write();
        entries.retain(|entry| {
            let stale = is_stale(entry);
            if stale {
                state.entries.remove(entry);
            }
            !stale
        });
    }
}

/// The indexes of a table: those of its old handle where they are the same.
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
