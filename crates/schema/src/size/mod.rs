//! The bytes of rows and partitions on disk in Cassandra 5.0 (format `nb`, before compression).
//!
//! One computation serves two uses: averages of a design ([`row`], [`partition_overhead`]), and the
//! exact bytes of a partition whose writes are known ([`partition`]). All figures are `f64` because
//! averages are; for whole inputs every exact result is whole. `unfiltered` computes rows, `value`
//! values, `number` the variable-length numbers; `formula` and `limits` have published figures.
//!
//! A file stores times as differences from its oldest write, in as few bytes as the difference
//! needs. The bytes of a row therefore depend on the time over which the writes of its file are
//! spread ([`PartitionLayout::span`]): 3 bytes a timestamp for writes within two seconds, 7 for
//! writes over years.

pub mod formula;
pub mod limits;
mod number;
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
    /// Whether the file has tombstones beside those of the columns here: expiry times are stored as
    /// differences from the oldest deletion.
    pub beside_tombstones: bool,
    /// The time from the oldest to the newest write of the file; writes are spread over it evenly.
    pub span: WriteAge,
    /// For counters, the number of replicas that have counted: the value has a shard for each.
    pub counter_shards: f64,
}

/// A column, as far as it affects the size.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnLayout {
    /// The type of its values.
    pub ty: Type,
    /// The bytes of a value, or of an element; ignored if the type has a fixed length. For a tuple
    /// or user type all its fields together, for a map key and value together, without the lengths
    /// in front of them.
    pub bytes: f64,
    /// The number of elements that a collection was assigned.
    pub items: f64,
    /// The number of elements that later statements added to it (`c = c + ...`).
    pub added: f64,
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

/// The time of a write relative to the oldest one of its file. Write timestamps are set by clients
/// and the times of deletion by nodes, so the two may differ.
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
    let header = header(layout, TimeRange::whole(layout.span));
    // The first row contains the size of the header instead of that of a row.
    header + number::vint(header) - number::vint(row(layout)) + END
}

/// The bytes of one row among similar ones, on average over the times of writes.
pub fn row(layout: &PartitionLayout) -> f64 {
    // A row contains the size of the previous one, which is the same: the fixed point is found from
    // below.
    let mut bytes = 0.0;
    for _ in 0..3 {
        bytes = unfiltered::row(layout, TimeRange::whole(layout.span), bytes);
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
    let mut bytes = header(layout, TimeRange::from_age(times.statics));
    let mut previous = bytes;
    let mut age = times.first;
    for _ in 0..rows {
        previous = unfiltered::row(layout, TimeRange::from_age(age), previous);
        bytes += previous;
        age.micros += times.step.micros;
        age.seconds += times.step.seconds;
    }
    bytes + END
}

/// The byte that ends a partition.
const END: f64 = 1.0;

/// The bytes before the first row: key with its length, deletion time, static row.
fn header(layout: &PartitionLayout, statics: TimeRange) -> f64 {
    2.0 + value::key(&layout.partition_key) + 12.0 + unfiltered::static_row(layout, statics)
}

/// The times between which writes are spread evenly.
#[derive(Clone, Copy, Debug)]
struct TimeRange {
    first: WriteAge,
    last: WriteAge,
}

impl TimeRange {
    /// A single time.
    const fn from_age(age: WriteAge) -> Self {
        Self { first: age, last: age }
    }

    /// The whole span of a file.
    const fn whole(span: WriteAge) -> Self {
        Self { first: WriteAge { micros: 0.0, seconds: 0.0 }, last: span }
    }
}

impl WriteAge {
    /// A time on which both clocks agree.
    pub fn from_seconds(seconds: f64) -> Self {
        Self { micros: seconds * 1e6, seconds }
    }
}

impl ColumnLayout {
    /// A column that has a value in every row.
    pub fn new(ty: Type, bytes: f64, items: f64) -> Self {
        Self { ty, bytes, items, added: 0.0, stored: CellState::Value }
    }
}
