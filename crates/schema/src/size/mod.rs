//! The bytes of rows and partitions on disk in Cassandra 5.0 (format `nb`, before compression).
//!
//! One computation serves two uses: averages of a design ([`row`], [`partition_overhead`]), and the
//! exact bytes of a partition whose writes are known ([`partition`]). All figures are `f64` because
//! averages are; for whole inputs every result is whole. `unfiltered` computes rows, `value`
//! values; `formula` and `limits` have published figures.

pub mod formula;
pub mod limits;
mod unfiltered;
mod value;

#[cfg(test)]
mod tests;

use cql::types::Type;

/// The layout of a partition, as far as it affects its size.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionLayout {
    /// The columns of the partition key.
    pub partition_key: Vec<ColumnLayout>,
    /// The clustering columns.
    pub clustering: Vec<ColumnLayout>,
    /// The static columns.
    pub statics: Vec<ColumnLayout>,
    /// The regular columns that have a value anywhere in the same file.
    pub regulars: Vec<ColumnLayout>,
    /// How rows are written.
    pub written: RowOrigin,
    /// The TTL of rows in seconds, if they expire.
    pub expires: Option<f64>,
    /// The typical time in microseconds between rows and the oldest one of their file.
    pub age_micros: f64,
    /// For counters, the number of replicas that have counted: the value has a shard for each.
    pub counter_shards: f64,
}

/// A column, as far as it affects the size.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnLayout {
    /// The type of its values.
    pub ty: Type,
    /// The bytes of a value, of an element, or of each of key and value in a map; ignored if the
    /// type has a fixed length. For a tuple or user type, all its fields together.
    pub bytes: f64,
    /// The number of elements of a collection.
    pub items: f64,
    /// The state of the column in a row.
    pub stored: CellState,
}

/// The state of a column in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CellState {
    /// A value of the statement that wrote the row; a collection was assigned as a whole.
    #[default]
    Value,
    /// A value of another, later statement.
    Overwritten,
    /// Elements added to a collection (`c = c + ...`).
    Added,
    /// An explicit null: a tombstone.
    Null,
    /// No cell.
    Unset,
}

/// How a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrigin {
    /// By one INSERT.
    Insert,
    /// By one or several UPDATEs: the row has no liveness.
    Update,
    /// It is deleted: a row tombstone.
    Delete,
}

/// The time of a write relative to the oldest one of its file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteAge {
    /// Microseconds between the write timestamps.
    pub micros: f64,
    /// Seconds between the times of deletion or expiry.
    pub seconds: f64,
}

/// When the parts of a partition were written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartitionTimes {
    /// The static row.
    pub statics: WriteAge,
    /// The first row.
    pub first: WriteAge,
    /// The time from each row to the next.
    pub step: WriteAge,
}

/// The bytes of a partition without its rows: key, header, static row, end.
pub fn partition_overhead(layout: &PartitionLayout) -> f64 {
    header(layout, WriteAge::from_micros(layout.age_micros)) + END
}

/// The bytes of one row among similar ones.
pub fn row(layout: &PartitionLayout) -> f64 {
    let age = WriteAge::from_micros(layout.age_micros);
    // A row contains the size of the previous one, which is the same: the fixed point is found from
    // below.
    let mut bytes = 0.0;
    for _ in 0..3 {
        bytes = unfiltered::row(layout, age, bytes);
    }
    bytes
}

/// Cells of one row.
pub fn cells(layout: &PartitionLayout) -> f64 {
    match layout.written {
        RowOrigin::Delete => 0.0,
        RowOrigin::Insert | RowOrigin::Update => {
            layout.regulars.iter().map(unfiltered::cells).sum()
        }
    }
}

/// The exact bytes of a partition with this many rows. The work is proportional to the rows.
pub fn partition(layout: &PartitionLayout, rows: u64, times: PartitionTimes) -> f64 {
    let mut bytes = header(layout, times.statics);
    let mut previous = bytes;
    let mut age = times.first;
    for _ in 0..rows {
        previous = unfiltered::row(layout, age, previous);
        bytes += previous;
        age.micros += times.step.micros;
        age.seconds += times.step.seconds;
    }
    bytes + END
}

/// The byte that ends a partition.
const END: f64 = 1.0;

/// The bytes before the first row: key with its length, deletion time, static row.
fn header(layout: &PartitionLayout, statics: WriteAge) -> f64 {
    2.0 + value::key(&layout.partition_key) + 12.0 + unfiltered::static_row(layout, statics)
}

impl WriteAge {
    /// A time on which both clocks agree.
    pub fn from_micros(micros: f64) -> Self {
        Self { micros, seconds: micros / 1e6 }
    }
}

impl ColumnLayout {
    /// A column that has a value in every row.
    pub fn new(ty: Type, bytes: f64, items: f64) -> Self {
        Self { ty, bytes, items, stored: CellState::Value }
    }
}
