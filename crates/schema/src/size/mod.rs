//! Bytes of rows and partitions, computed as Cassandra 5.0 writes them to disk (format `nb`, before compression).
//!
//! One computation serves both uses: averages of a design that is still on paper ([`row`], [`partition_overhead`]), and the
//! exact bytes of a partition whose writes are known ([`partition`]). All figures are `f64` because averages are; for
//! whole inputs every result is whole.

pub mod formula;
pub mod limits;
mod unfiltered;
mod value;

#[cfg(test)]
mod tests;

use cql::types::Type;

/// What a partition of a table is made of, as far as its bytes go.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionLayout {
    /// The partition key's columns.
    pub partition_key: Vec<ColumnLayout>,
    /// The clustering columns.
    pub clustering: Vec<ColumnLayout>,
    /// The static columns.
    pub statics: Vec<ColumnLayout>,
    /// The other columns: those that anything in the same file has a value for.
    pub regulars: Vec<ColumnLayout>,
    /// How rows are written.
    pub written: RowOrigin,
    /// Seconds after which rows expire, if they do.
    pub expires: Option<f64>,
    /// Microseconds that rows lie apart in time from the oldest of their file, typically.
    pub age_micros: f64,
    /// Replicas that have counted, for counters: each keeps a number of its own in the value.
    pub counter_shards: f64,
}

/// One column, as far as its bytes go.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnLayout {
    /// Its type.
    pub ty: Type,
    /// Bytes of a value, of an element, or of each of key and value in a map; where those have a fixed length, that is
    /// taken. Of a tuple or user type: all its fields together.
    pub bytes: f64,
    /// Elements, for a collection.
    pub items: f64,
    /// What a row has in this column.
    pub stored: CellState,
}

/// What a row has in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CellState {
    /// A value, set by the statement that wrote the row; a collection was assigned as a whole.
    #[default]
    Value,
    /// A value that another, later statement set.
    Overwritten,
    /// Elements added to a collection (`c = c + ...`).
    Added,
    /// An explicit null: a tombstone.
    Null,
    /// Nothing.
    Unset,
}

/// How a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrigin {
    /// By one INSERT.
    Insert,
    /// By UPDATEs, one or several: the row has no liveness of its own.
    Update,
    /// It is deleted: a row tombstone.
    Delete,
}

/// When something was written, counted from the oldest of its file.
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
    /// From each row to the next.
    pub step: WriteAge,
}

/// Bytes of a partition without its rows: key, header, static row, end.
pub fn partition_overhead(layout: &PartitionLayout) -> f64 {
    header(layout, WriteAge::from_micros(layout.age_micros)) + END
}

/// Bytes of one row among others like it.
pub fn row(layout: &PartitionLayout) -> f64 {
    let age = WriteAge::from_micros(layout.age_micros);
    // A row holds the length of the one before it: the same length, found from below.
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

/// Bytes of a partition of so many rows, to the byte. The work grows with the rows.
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

/// Bytes before the first row: key with its length, deletion time, static row.
fn header(layout: &PartitionLayout, statics: WriteAge) -> f64 {
    2.0 + value::key(&layout.partition_key) + 12.0 + unfiltered::static_row(layout, statics)
}

impl WriteAge {
    /// An age that both clocks agree on.
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
