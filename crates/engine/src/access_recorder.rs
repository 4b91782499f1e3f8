//! What statements touch, taken down for whoever wants to compare it with their access plans.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes down what statements touch: hand it in with the parameters of a statement.
#[derive(Debug, Default)]
pub struct AccessRecorder(Mutex<Vec<AccessRecord>>);

/// What a statement touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessRecord {
    /// A SELECT, or a page of it.
    Read(ReadRecord),
    /// An INSERT, UPDATE or DELETE, also one of a batch.
    Write(WriteRecord),
    /// Stored rows were read to find out what to write, or whether to.
    ReadBeforeWrite,
}

/// What a SELECT touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRecord {
    /// Which partitions it went for.
    pub partitions: PartitionsRecord,
    /// Slices of each partition.
    pub slices: usize,
    /// The index that said where to look.
    pub index: Option<String>,
    /// The partitions that were there, by their keys, in the order in which they were opened.
    pub opened: Vec<Box<[u8]>>,
    /// The columns for which rows or partitions were left out, as positions among the table's.
    pub left_out_for: BTreeSet<usize>,
}

/// Which partitions a SELECT went for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartitionsRecord {
    /// These, by their keys.
    Named(Vec<Box<[u8]>>),
    /// Those of a range of the ring.
    Range {
        /// Whether it has a start.
        from: bool,
        /// Whether it has an end.
        to: bool,
    },
}

/// What a write touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRecord {
    /// The partitions, by their keys.
    pub partitions: Vec<Box<[u8]>>,
    /// What of each.
    pub target: TargetRecord,
}

/// What of a partition a write touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetRecord {
    /// All of it, its static columns, or its only row.
    Partition,
    /// So many rows.
    Rows(usize),
    /// So many ranges of rows.
    Ranges(usize),
}

impl AccessRecorder {
    /// What was taken down since it was asked last.
    pub fn take(&self) -> Vec<AccessRecord> {
        std::mem::take(&mut *self.lock_records())
    }

    fn lock_records(&self) -> MutexGuard<'_, Vec<AccessRecord>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin_read(
        &self,
        partitions: PartitionsRecord,
        slices: usize,
        index: Option<String>,
    ) {
        let (opened, left_out_for) = (Vec::new(), BTreeSet::new());
        let read = ReadRecord { partitions, slices, index, opened, left_out_for };
        self.lock_records().push(AccessRecord::Read(read));
    }

    pub(crate) fn open_partition(&self, key: &[u8]) {
        if let Some(AccessRecord::Read(read)) = self.lock_records().last_mut() {
            read.opened.push(key.into());
        }
    }

    pub(crate) fn record_exclusion(&self, columns: &[usize]) {
        if let Some(AccessRecord::Read(read)) = self.lock_records().last_mut() {
            read.left_out_for.extend(columns);
        }
    }

    pub(crate) fn record_read_before_write(&self) {
        self.lock_records().push(AccessRecord::ReadBeforeWrite);
    }

    pub(crate) fn record_write(&self, partitions: Vec<Box<[u8]>>, target: TargetRecord) {
        let write = WriteRecord { partitions, target };
        self.lock_records().push(AccessRecord::Write(write));
    }
}
