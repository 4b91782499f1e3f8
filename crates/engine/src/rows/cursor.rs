//! Reading rows of a table a few at a time, so that a long partition costs what is taken of it.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;

use storage::{
    DecoratedKey, Memtable, PartitionSlice, Position, RangeTombstone, RingRange, Row, Slice,
    SliceFilter,
};

/// Rows that are read first; every further read takes twice as many.
const FIRST_ROWS: usize = 64;
const ROWS_MAX: usize = 4096;
/// Partitions that a scan looks at first; every further look takes twice as many.
const FIRST_PARTITIONS: usize = 4;
const PARTITIONS_MAX: usize = 64;

/// The rows of one partition, in order; dead ones too.
#[derive(Debug)]
pub(crate) struct PartitionCursor {
    /// Which partition.
    pub key: DecoratedKey,
    /// Range deletions that reach into the slices, in the order of the table.
    pub ranges: Vec<RangeTombstone>,
    /// Its static row.
    pub statics: Option<Row>,
    table: Arc<Memtable>,
    slices: Arc<[Slice]>,
    reversed: bool,
    rows: VecDeque<Row>,
    after: Option<Position>,
    chunk: usize,
}

impl PartitionCursor {
    /// Opens a partition; `None` if there is none.
    pub(crate) fn open(
        table: &Arc<Memtable>,
        key: DecoratedKey,
        slices: Arc<[Slice]>,
        reversed: bool,
        after: Option<&[u8]>,
    ) -> Option<Self> {
        let wanted = SliceFilter { slices: &slices, reversed, after, max_rows: FIRST_ROWS };
        let read = table.read(&key, wanted)?;
        Some(Self::new(table, key, slices, reversed, read))
    }

    fn new(
        table: &Arc<Memtable>,
        key: DecoratedKey,
        slices: Arc<[Slice]>,
        reversed: bool,
        read: PartitionSlice,
    ) -> Self {
        Self {
            key,
            ranges: read.ranges,
            statics: read.statics,
            table: Arc::clone(table),
            slices,
            reversed,
            rows: read.rows.into(),
            after: read.more_after,
            chunk: FIRST_ROWS,
        }
    }
}

impl Iterator for PartitionCursor {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if let Some(row) = self.rows.pop_front() {
            return Some(row);
        }
        let after = self.after.take()?;
        self.chunk = self.chunk.saturating_mul(2).min(ROWS_MAX);
        let wanted = SliceFilter {
            slices: &self.slices,
            reversed: self.reversed,
            after: Some(&after),
            max_rows: self.chunk,
        };
        let read = self.table.read(&self.key, wanted)?;
        self.rows = read.rows.into();
        self.after = read.more_after;
        self.rows.pop_front()
    }
}

/// Partitions of a table in the order of the ring.
#[derive(Debug)]
pub(crate) struct RingCursor {
    table: Arc<Memtable>,
    slices: Arc<[Slice]>,
    reversed: bool,
    range: RingRange,
    partitions: VecDeque<PartitionCursor>,
    chunk: usize,
    done: bool,
}

impl RingCursor {
    /// Opens a range of the ring.
    pub(crate) fn open(
        table: &Arc<Memtable>,
        range: RingRange,
        slices: Arc<[Slice]>,
        reversed: bool,
    ) -> Self {
        Self {
            table: Arc::clone(table),
            slices,
            reversed,
            range,
            partitions: VecDeque::new(),
            chunk: FIRST_PARTITIONS,
            done: false,
        }
    }
}

impl Iterator for RingCursor {
    type Item = PartitionCursor;

    fn next(&mut self) -> Option<PartitionCursor> {
        if let Some(partition) = self.partitions.pop_front() {
            return Some(partition);
        }
        if self.done {
            return None;
        }
        let wanted = SliceFilter {
            slices: &self.slices,
            reversed: self.reversed,
            after: None,
            max_rows: FIRST_ROWS,
        };
        let found = self.table.scan(&self.range, wanted, self.chunk);
        self.done = found.len() < self.chunk;
        self.chunk = self.chunk.saturating_mul(2).min(PARTITIONS_MAX);
        if let Some((last, _)) = found.last() {
            self.range.start = Bound::Excluded(last.clone());
        }
        let open = |(key, read)| {
            PartitionCursor::new(&self.table, key, Arc::clone(&self.slices), self.reversed, read)
        };
        self.partitions = found.into_iter().map(open).collect();
        self.partitions.pop_front()
    }
}
