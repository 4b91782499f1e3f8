//! What the generated functions have in common: errors, options, statements, repetitions, order of
//! values, buckets and shards. It is part of the generated code; there is no library behind it.

use std::error::Error;
use std::fmt;
use std::pin::pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::stream::{self, StreamExt, TryStreamExt};
use num_bigint::BigInt;
use scylla::client::session::Session;
use scylla::deserialize::row::{ColumnIterator, DeserializeRow};
use scylla::deserialize::value::{DeserializeValue, MapIterator};
use scylla::deserialize::{DeserializationError, FrameSlice, TypeCheckError};
use scylla::frame::response::result::{CollectionType, ColumnSpec};
use scylla::serialize::SerializationError;
use scylla::serialize::row::{RowSerializationContext, SerializeRow};
use scylla::serialize::value::SerializeValue;
use scylla::serialize::writers::{CellWriter, RowWriter, WrittenCellProof};
use scylla::statement::batch::Batch;
use scylla::statement::prepared::PreparedStatement;
use scylla::value::MaybeUnset;
use tokio::sync::OnceCell;
use tracing::Instrument;

// What the other files use too.
pub(crate) use std::cmp::Ordering;
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::net::IpAddr;
#[allow(unused_imports)]
pub(crate) use std::str::FromStr;
pub(crate) use std::sync::Arc;

pub(crate) use scylla::frame::response::result::ColumnType;
#[allow(unused_imports)]
pub(crate) use scylla::frame::response::result::NativeType;
pub(crate) use scylla::response::PagingState;
pub(crate) use scylla::statement::Consistency;
pub(crate) use scylla::statement::batch::BatchType;
pub(crate) use scylla::value::{
    Counter, CqlDate, CqlDecimal, CqlDuration, CqlTime, CqlTimestamp, CqlTimeuuid, CqlVarint,
};
pub(crate) use uuid::Uuid;

/// The bytes of a statement in a batch besides its values.
const STATEMENT_BYTES: usize = 64;

/// An error of a function.
#[derive(Debug)]
#[non_exhaustive]
pub enum AccessError {
    /// The driver or the server failed at a statement.
    Driver {
        /// The query or write, as the model file names it.
        query: &'static str,
        /// The table of the statement.
        table: &'static str,
        /// The statement.
        cql: &'static str,
        /// The error of the driver.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A write that the constraints of the model do not allow. Nothing was changed.
    ConstraintViolation {
        /// The write.
        query: &'static str,
        /// The constraint, as SQL declares it, or what a statement found.
        constraint: &'static str,
    },
    /// A write that ended after some of its statements were applied, and cannot be undone.
    PartialWrite {
        /// The write.
        query: &'static str,
        /// The statements that were applied.
        applied: Vec<&'static str>,
        /// The error that ended it; `None`: a conditional statement was not applied.
        source: Option<Box<AccessError>>,
    },
    /// A number that does not fit its type.
    OutOfRange {
        /// The query or write.
        query: &'static str,
    },
    /// A null in a column that must not be null.
    UnexpectedNull {
        /// The query or write.
        query: &'static str,
        /// The column.
        column: &'static str,
    },
    /// A position of another query, or one that is not a position.
    InvalidPosition {
        /// The query.
        query: &'static str,
    },
}

/// A number that does not fit its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

impl From<OutOfRange> for AccessError {
    fn from(_: OutOfRange) -> Self {
        Self::OutOfRange { query: "" }
    }
}

impl AccessError {
    /// The error with the name of the function in which it occurred.
    fn in_query(mut self, name: &'static str) -> Self {
        match &mut self {
            Self::Driver { query, .. }
            | Self::ConstraintViolation { query, .. }
            | Self::OutOfRange { query }
            | Self::UnexpectedNull { query, .. }
            | Self::InvalidPosition { query } => *query = name,
            Self::PartialWrite { query, source, .. } => {
                *query = name;
                *source = source.take().map(|source| Box::new(source.in_query(name)));
            }
        }
        self
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver { query, table, cql, source } => {
                write!(f, "{query}: table {table}: {cql}: {source}")
            }
            Self::ConstraintViolation { query, constraint } => {
                write!(f, "{query}: violates {constraint}")
            }
            Self::PartialWrite { query, applied, source } => {
                write!(f, "{query}: only a part was written: {}", applied.join("; "))?;
                source.as_ref().map_or(Ok(()), |source| write!(f, "; then: {source}"))
            }
            Self::OutOfRange { query } => write!(f, "{query}: a number does not fit its type"),
            Self::UnexpectedNull { query, column } => write!(f, "{query}: {column} is null"),
            Self::InvalidPosition { query } => {
                write!(f, "{query}: the position is not one of this query")
            }
        }
    }
}

impl Error for AccessError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Driver { source, .. } => Some(source.as_ref()),
            Self::PartialWrite { source: Some(source), .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

/// The time in microseconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Options of all functions.
#[derive(Clone)]
pub struct Options {
    /// Statements of one call that are in flight at once.
    pub concurrency: usize,
    /// Rows of a page.
    pub page_size: i32,
    /// How long to wait for an answer; `None`: as the session says.
    pub request_timeout: Option<Duration>,
    /// How often a write is tried whose rows another client changes meanwhile.
    pub attempts: u32,
    /// The most statements of one batch.
    pub batch_statements: usize,
    /// About the most bytes of one batch: Cassandra refuses batches above 50 KiB.
    pub batch_bytes: usize,
    /// The clock, which tests may replace.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Self {
        let clock = || {
            let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX)
        };
        Self {
            concurrency: 50,
            page_size: 5000,
            request_timeout: None,
            attempts: 3,
            batch_statements: 100,
            batch_bytes: 40 * 1024,
            clock: Arc::new(clock),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("concurrency", &self.concurrency)
            .field("page_size", &self.page_size)
            .field("request_timeout", &self.request_timeout)
            .field("attempts", &self.attempts)
            .field("batch_statements", &self.batch_statements)
            .field("batch_bytes", &self.batch_bytes)
            .finish_non_exhaustive()
    }
}

/// A statement.
#[derive(Debug)]
pub struct StatementText {
    /// Its position among the statements.
    pub at: usize,
    /// Its text.
    pub cql: &'static str,
    /// Its table.
    pub table: &'static str,
    /// The consistency level.
    pub consistency: Consistency,
    /// Whether it may be sent again when its fate is unknown.
    pub idempotent: bool,
}

impl StatementText {
    fn fail(&self, source: impl Error + Send + Sync + 'static) -> AccessError {
        let source = Box::new(source);
        AccessError::Driver { query: "", table: self.table, cql: self.cql, source }
    }
}

/// A value of a statement that writes.
pub type Cell = Box<dyn SerializeValue + Send + Sync>;

/// The value of a counter.
pub fn to_counter(value: Option<i64>) -> Option<Counter> {
    value.map(Counter)
}

/// The number of a counter.
pub fn from_counter(value: Option<Counter>) -> Option<i64> {
    value.map(|counter| counter.0)
}

/// A value in the bytes of CQL; `None` for null.
pub fn to_bytes(
    ty: &ColumnType<'_>,
    value: &dyn SerializeValue,
) -> Result<Option<Vec<u8>>, SerializationError> {
    let mut buffer = Vec::new();
    value.serialize(ty, CellWriter::new(&mut buffer))?;
    // The length comes first; it is negative for null.
    let (length, bytes) = buffer.split_at(buffer.len().min(4));
    Ok((length.first().is_some_and(|first| *first < 0x80)).then(|| bytes.to_vec()))
}

/// The values of a statement, serialised already.
struct RawRow(Vec<u8>);

impl RawRow {
    fn new(prepared: &PreparedStatement, cells: &[Cell]) -> Result<Self, SerializationError> {
        let mut buffer = Vec::with_capacity(32 * cells.len());
        for (spec, cell) in prepared.get_variable_col_specs().iter().zip(cells) {
            cell.serialize(spec.typ(), CellWriter::new(&mut buffer))?;
        }
        Ok(Self(buffer))
    }
}

impl SerializeRow for RawRow {
    fn serialize(
        &self,
        _: &RowSerializationContext<'_>,
        writer: &mut RowWriter<'_>,
    ) -> Result<(), SerializationError> {
        let mut rest = self.0.as_slice();
        while let Some((length, bytes)) = rest.split_first_chunk::<4>() {
            let cell = writer.make_cell_writer();
            rest = bytes;
            match (usize::try_from(i32::from_be_bytes(*length)), length) {
                (Ok(length), _) => {
                    let (value, after) = bytes.split_at(length.min(bytes.len()));
                    cell.set_value(value).map_err(SerializationError::new)?;
                    rest = after;
                }
                (Err(_), [0xff, 0xff, 0xff, 0xfe]) => _ = cell.set_unset(),
                (Err(_), _) => _ = cell.set_null(),
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A statement that writes, with its values.
pub struct BoundText {
    /// The statement.
    pub text: &'static StatementText,
    /// Its values.
    pub cells: Vec<Cell>,
    /// Whether one of them is null.
    pub has_null: bool,
}

impl BoundText {
    /// A statement without its values.
    pub fn new(text: &'static StatementText) -> Self {
        Self { text, cells: Vec::with_capacity(8), has_null: false }
    }

    /// Adds a value.
    pub fn add<T: SerializeValue + Send + Sync + 'static>(&mut self, value: Option<T>) {
        self.has_null |= value.is_none();
        self.cells.push(Box::new(value));
    }

    /// Adds a value that writes nothing where it is null.
    pub fn add_or_unset<T: SerializeValue + Send + Sync + 'static>(&mut self, value: Option<T>) {
        self.has_null |= value.is_none();
        self.cells.push(Box::new(MaybeUnset::from_option(value)));
    }
}

/// The values of a statement that reads.
#[derive(Default)]
pub struct CellList {
    cells: Vec<Cell>,
    has_null: bool,
}

impl CellList {
    /// Adds a value.
    pub fn add<T: SerializeValue + Send + Sync + 'static>(&mut self, value: Option<T>) {
        self.has_null |= value.is_none();
        self.cells.push(Box::new(value));
    }

    /// The values; `None` where one is null.
    pub fn into_complete(self) -> Option<Vec<Cell>> {
        (!self.has_null).then_some(self.cells)
    }
}

