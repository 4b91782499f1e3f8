//! Prepared statements, and the loops in which they are sent.

use serde::{Deserialize, Serialize};

use super::{DataType, Expression, Field};

/// A prepared statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Its text, with `?` for each value.
    pub cql: String,
    /// The table.
    pub table: String,
    /// What the values are for, in order.
    pub markers: Vec<Field>,
    /// The columns that a SELECT returns.
    pub columns: Vec<Field>,
    /// Whether it may be sent again when its fate is unknown.
    pub idempotent: bool,
    /// Whether it has an IF, so that its first column is `[applied]`.
    pub conditional: bool,
    /// The consistency level, in CQL's spelling.
    pub consistency: String,
}

/// A SELECT, sent once or at each turn of its repetitions. It is not sent where one of its values is
/// null, and then returns no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fetch {
    /// The statement.
    pub statement: Statement,
    /// What it is repeated over, outermost first.
    pub repetitions: Vec<Repetition>,
    /// The values of its markers.
    pub values: Vec<Expression>,
    /// The steps over whose rows it is repeated, in the order of the repetitions: a row remembers
    /// the rows of these under which it was read.
    pub parents: Vec<usize>,
    /// Where it returns no row, it counts as one row of nulls: at each turn of its first
    /// repetition, if that is over rows, else once.
    pub optional: bool,
}

/// What a statement is repeated over. Turns run in parallel, except for walks that may stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repetition {
    /// Values, without nulls, each once (equality as in [`super::ComparisonOperator`]).
    Values(Vec<Expression>, DataType),
    /// The elements of an array, without nulls, each once.
    Elements(Expression, DataType),
    /// The numbers from 0 to the count less one, as `int`.
    Shards(u32),
    /// Buckets.
    Buckets(Box<Walk>),
    /// The rows that an earlier step returned.
    Rows(usize),
}

/// A walk over buckets. Its turn has the type of [`BucketWidth::data_type`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// The width of the buckets.
    pub width: BucketWidth,
    /// From the newest to the oldest, or in the opposite direction.
    pub newest_first: bool,
    /// The lowest value wanted; `None`: down to the retention or the oldest bucket there is.
    pub from: Option<Expression>,
    /// The highest value wanted; `None`: up to now, or to the newest bucket there is.
    pub to: Option<Expression>,
    /// Milliseconds of the retention: buckets that end before are not read.
    pub retention_ms: Option<i64>,
    /// The step that reads the recorded ends of the buckets, at the same turn of the repetitions
    /// around the walk; no row: there are no buckets. It runs only when an end is not known otherwise.
    pub ends: Option<usize>,
    /// The column of that step with the oldest bucket.
    pub oldest_column: Option<String>,
    /// The column with the newest bucket. With it, the ends are read before the first bucket.
    pub newest_column: Option<String>,
    /// Whether it may stop as soon as it has the rows of the LIMIT (one, where there is none).
    pub stops_at_limit: bool,
    /// Buckets that are asked at once in a walk that may stop; it stops after all of them.
    pub ahead: u16,
}

/// The width of a bucket. Buckets of time are counted from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BucketWidth {
    /// Hours, as the `timestamp` of their start.
    Hours(u16),
    /// Days, as the `date` of the first.
    Days(u16),
    /// Weeks from Monday (the first begins on 1969-12-29), as the `date` of the first Monday.
    Weeks(u16),
    /// Months, as the `date` of their first day.
    Months(u16),
    /// A range of integers: value / width, rounded down, as a `bigint`.
    Range(u64),
}

impl BucketWidth {
    /// The type of the bucket's column.
    pub const fn data_type(self) -> DataType {
        match self {
            Self::Hours(_) => DataType::Timestamp,
            Self::Days(_) | Self::Weeks(_) | Self::Months(_) => DataType::Date,
            Self::Range(_) => DataType::Bigint,
        }
    }
}

/// The kind of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names of CQL")]
pub enum BatchType {
    Logged,
    Unlogged,
    Counter,
}

/// What the comment of a function says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documentation {
    /// The SQL that it stands for.
    pub sql: String,
    /// Partitions and rows read, or rows written, in a sentence.
    pub effort: String,
    /// The tables with their keys and the reasons of each key column.
    pub keys: Vec<String>,
    /// What must hold before a write.
    pub preconditions: Vec<String>,
    /// Further remarks of the plan.
    pub remarks: Vec<String>,
}
