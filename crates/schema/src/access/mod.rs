//! The access path of a bound statement: which partitions, rows and columns it touches, through which index, and what
//! is left to filter. Plain data; the linter, EXPLAIN and the designer read it, the engine runs what it was made from.

mod read;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;

use cql::BatchKind;

pub use read::read;
pub use write::{batch, write};

use crate::bind::Bound;
use crate::bind::restrictions::StatementType;
use crate::catalog::Table;

/// The access path of a bound statement.
pub fn path(bound: &Bound) -> AccessPath {
    match bound {
        Bound::Select(select) => AccessPath::Read(Box::new(read(select))),
        Bound::Write(bound) => AccessPath::Write(Box::new(write(bound))),
        Bound::Batch(bound) => AccessPath::Batch(batch(bound)),
        _ => AccessPath::Nothing,
    }
}

/// How a statement runs.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessPath {
    /// SELECT
    Read(Box<ReadPath>),
    /// INSERT, UPDATE, DELETE
    Write(Box<WritePath>),
    /// BATCH
    Batch(BatchPath),
    /// Schema changes, commands: no rows are touched by their keys.
    Nothing,
}

/// How a SELECT reads.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadPath {
    /// The table or view.
    pub table: Arc<Table>,
    /// Which partitions are read.
    pub partitions: Partitions,
    /// The index that finds the rows, if one is used.
    pub index: Option<IndexUse>,
    /// Which rows of each partition.
    pub rows: ClusteringSlice,
    /// What is read only to be left out.
    pub filtering: Filtering,
    /// The columns read, as positions among the table's: selected, filtered and sorted ones.
    pub columns: Vec<usize>,
    /// The order of the rows within a partition, or of all.
    pub order: ReadOrder,
    /// LIMIT.
    pub limit: Option<Count>,
    /// PER PARTITION LIMIT.
    pub per_partition_limit: Option<Count>,
    /// Whether rows are put together by aggregates or GROUP BY.
    pub aggregates: bool,
    /// SELECT DISTINCT: one row of each partition is looked at.
    pub distinct: bool,
}

/// A number that is known, or that a marker or function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Known from the text.
    Known(usize),
    /// Known when it runs.
    Unknown,
}

/// Which partitions a statement touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partitions {
    /// None: some IN has no values.
    None,
    /// The one that the key names.
    One,
    /// Those that lists of values name; repeated values are counted once.
    Several(Count),
    /// Those whose token lies in a range.
    TokenRange {
        /// Whether the range has a lower end.
        from: bool,
        /// Whether the range has an upper end.
        to: bool,
    },
    /// All of them.
    All,
}

impl Partitions {
    /// Whether the partitions are named by their keys.
    pub fn are_named(self) -> bool {
        matches!(self, Self::None | Self::One | Self::Several(_))
    }
}

/// The indexes that find the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexUse {
    /// As positions among the table's indexes; several only where the implementation intersects them.
    pub indexes: Vec<usize>,
    /// The columns whose restrictions they answer.
    pub columns: Vec<usize>,
    /// Whether they are asked within named partitions only.
    pub within_partition: bool,
}

/// Which rows of a partition are touched, by the clustering columns in key order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusteringSlice {
    /// Columns fixed to one value.
    pub equal: Vec<usize>,
    /// Columns with a list of values.
    pub listed: Vec<ListedColumns>,
    /// The columns with a range, which come last.
    pub range: Option<RangedColumns>,
    /// How many rows there can be in each partition, when the slice names them; `None` for a range of rows.
    pub rows: Option<Count>,
}

impl ClusteringSlice {
    /// Whether it is the whole partition.
    pub fn is_whole_partition(&self) -> bool {
        self.equal.is_empty()
            && self.listed.is_empty()
            && self.range.is_none()
            && self.rows.is_none()
    }
}

/// Columns with a list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedColumns {
    /// One column, or those of a tuple.
    pub columns: Vec<usize>,
    /// How many values; repeated ones are counted once.
    pub values: Count,
}

/// Columns with a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangedColumns {
    /// One column, or those of a tuple.
    pub columns: Vec<usize>,
    /// The lower end, and whether it is included.
    pub from: Option<bool>,
    /// The upper end, and whether it is included.
    pub to: Option<bool>,
}

/// What is read only to be left out again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtering {
    /// Over what.
    pub scope: FilterScope,
    /// The columns that rows are checked for.
    pub columns: Vec<usize>,
}

/// What has to be read to filter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterScope {
    /// Nothing is filtered.
    None,
    /// The slices of the named partitions.
    WithinPartitions,
    /// The rows that an index finds.
    IndexedRows,
    /// The whole table, or the range of tokens.
    Everywhere,
}

/// The order in which rows come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOrder {
    /// As they are stored, partition by partition.
    Stored,
    /// The reverse, within the partition.
    Reversed,
    /// All partitions are read and then sorted.
    Sorted {
        /// Whether partitions are read in reverse.
        reversed: bool,
    },
    /// By distance from a vector.
    Nearest,
}

/// How an INSERT, UPDATE or DELETE writes.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a statement")]
pub struct WritePath {
    /// The table.
    pub table: Arc<Table>,
    /// Which statement it is.
    pub statement: StatementType,
    /// Which partitions are written to.
    pub partitions: Partitions,
    /// What of each partition.
    pub target: WriteTarget,
    /// The rows by their clustering columns.
    pub rows: ClusteringSlice,
    /// What is done.
    pub effect: WriteEffect,
    /// The columns written or deleted, as positions among the table's; none when whole rows go.
    pub columns: Vec<usize>,
    /// Whether there is an IF clause: a lightweight transaction.
    pub conditional: bool,
    /// Whether stored values are read before it writes: conditions, counters, lists by position or value.
    pub reads_first: bool,
    /// `USING TTL`
    pub has_ttl: bool,
    /// `USING TIMESTAMP`
    pub has_timestamp: bool,
}

/// What of a partition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteTarget {
    /// Rows that are named by their whole key; static columns may be among the columns.
    Rows(Count),
    /// Static columns only.
    Statics,
    /// A range of rows.
    Range,
    /// The whole partition.
    Partition,
}

/// What a write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteEffect {
    /// Sets columns; rows come into being.
    Upsert,
    /// Adds to counters.
    Count,
    /// Deletes columns, elements or fields.
    DeleteColumns,
    /// Deletes rows, a range of them or the partition.
    DeleteRows,
}

/// How a batch writes.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchPath {
    /// Which kind.
    pub kind: BatchKind,
    /// Its statements.
    pub statements: Vec<WritePath>,
    /// The tables it writes to, each once.
    pub tables: Vec<Arc<Table>>,
    /// How many partitions it writes to. Tables of a keyspace share a partition when the keys are equal: such writes
    /// travel together.
    pub partitions: Count,
    /// Whether a statement has an IF clause: then the batch is one lightweight transaction.
    pub conditional: bool,
}
