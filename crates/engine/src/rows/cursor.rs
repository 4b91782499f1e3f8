//! Cursors that read rows in growing chunks, so that the cost of a long partition is what is used
//! of it. All chunks of a partition come from the same version of it: a read sees all rows of a
//! batch or none.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;

use storage::{
    DecoratedKey, Memtable, PartitionSlice, PartitionVersion, RangeTombstone, RingRange, Row,
    Slice, SliceFilter,
};

/// The rows of the first chunk unless the reader knows better; every further one has twice as many.
pub(crate) const FIRST_ROWS: usize = 64;
const ROWS_MAX: usize = 4096;
/// The partitions of the first chunk of a scan; every further one has twice as many.
const FIRST_PARTITIONS: usize = 4;
const PARTITIONS_MAX: usize = 64;

/// Which rows of partitions are read, and how.
#[derive(Clone, Debug)]
pub(crate) struct RowRange {
    /// The slices.
    pub(crate) slices: Arc<[Slice]>,
    /// Whether they are read backwards.
    pub(crate) reversed: bool,
    /// The rows of the first chunk.
    pub(crate) first_rows: usize,
}

/// The rows of one partition in order, including dead ones.
#[derive(Debug)]
pub(crate) struct PartitionCursor {
    /// The key of the partition.
    pub key: DecoratedKey,
    /// The range tombstones that overlap the slices, in table order.
    pub ranges: Vec<RangeTombstone>,
    /// Its static row.
    pub statics: Option<Row>,
    range: RowRange,
    rows: VecDeque<Row>,
    rest: Option<PartitionVersion>,
    chunk: usize,
}

impl RowRange {
    /// The whole partition in its order.
    pub(crate) fn all() -> Self {
        Self { slices: Arc::new([Slice::all()]), reversed: false, first_rows: FIRST_ROWS }
    }

    fn filter<'a>(&'a self, after: Option<&'a [u8]>) -> SliceFilter<'a> {
        let Self { slices, reversed, first_rows } = self;
        SliceFilter { slices, reversed: *reversed, after, max_rows: *first_rows }
    }
}

impl PartitionCursor {
    /// Opens a partition; `None` if it does not exist.
    pub(crate) fn open(
        table: &Arc<Memtable>,
        key: DecoratedKey,
        range: RowRange,
        after: Option<&[u8]>,
    ) -> Option<Self> {
        let read = table.read(&key, range.filter(after))?;
        Some(Self::new(key, range, read))
    }

    fn new(key: DecoratedKey, range: RowRange, read: PartitionSlice) -> Self {
        Self {
            key,
            ranges: read.ranges,
            statics: read.statics,
            chunk: range.first_rows,
            range,
            rows: read.rows.into(),
            rest: read.rest,
        }
    }
}

impl Iterator for PartitionCursor {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if let Some(row) = self.rows.pop_front() {
            return Some(row);
        }
        let rest = self.rest.as_mut()?;
        self.chunk = self.chunk.saturating_mul(2).min(ROWS_MAX);
        self.rows = rest.read_more(&self.range.slices, self.range.reversed, self.chunk).into();
        if self.rows.len() < self.chunk {
            self.rest = None;
        }
        self.rows.pop_front()
    }
}

/// The partitions of a table in token order.
#[derive(Debug)]
pub(crate) struct RingCursor {
    table: Arc<Memtable>,
    rows: RowRange,
    range: RingRange,
    partitions: VecDeque<PartitionCursor>,
    chunk: usize,
    done: bool,
}

impl RingCursor {
    /// Opens a range of the ring.
    pub(crate) fn open(table: &Arc<Memtable>, range: RingRange, rows: RowRange) -> Self {
        Self {
            table: Arc::clone(table),
            rows,
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
        let partitions = self.table.scan(&self.range, self.rows.filter(None), self.chunk);
        self.done = partitions.len() < self.chunk;
        self.chunk = self.chunk.saturating_mul(2).min(PARTITIONS_MAX);
        if let Some((last, _)) = partitions.last() {
            self.range.start = Bound::Excluded(last.clone());
        }
        let open = |(key, read)| PartitionCursor::new(key, self.rows.clone(), read);
        self.partitions = partitions.into_iter().map(open).collect();
        self.partitions.pop_front()
    }
}
