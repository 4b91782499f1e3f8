//! [`AccessRecorder`]: records what statements touch, for comparison with their access plans.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Records what statements touch; passed in the parameters of a statement.
#[derive(Debug, Default)]
pub struct AccessRecorder(Mutex<Vec<AccessRecord>>);

/// What a statement touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessRecord {
    /// A SELECT, or a page of it.
    Read(ReadRecord),
    /// An INSERT, UPDATE or DELETE, also one of a batch.
    Write(WriteRecord),
    /// Stored rows were read to compute a write or to evaluate its conditions.
    ReadBeforeWrite,
}

/// What a SELECT touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRecord {
    /// The partitions that it requested.
    pub partitions: PartitionsRecord,
    /// The number of slices of each partition.
    pub slices: usize,
    /// The name of the index that located the rows.
    pub index: Option<String>,
    /// The keys of the partitions that exist, in the order in which they were opened.
    pub opened: Vec<Box<[u8]>>,
    /// The columns by whose restrictions rows or partitions were filtered, as positions among the
    /// table's.
    pub left_out_for: BTreeSet<usize>,
}

/// The partitions that a SELECT requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartitionsRecord {
    /// Partitions named by their keys.
    Named(Vec<Box<[u8]>>),
    /// A range of the ring.
    Range {
        /// Whether it has a lower bound.
        from: bool,
        /// Whether it has an upper bound.
        to: bool,
    },
}

/// What a write touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRecord {
    /// The keys of the partitions.
    pub partitions: Vec<Box<[u8]>>,
    /// What was written of each partition.
    pub target: TargetRecord,
}

/// What a write touched of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetRecord {
    /// The whole partition, its static columns, or its only row.
    Partition,
    /// This many rows.
    Rows(usize),
    /// This many ranges of rows.
    Ranges(usize),
}

impl AccessRecorder {
    /// Returns the records since the last call.
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
