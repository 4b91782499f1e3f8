//! What the generated functions have in common: errors, options, statements, repetitions, order of
//! values, buckets and shards. It is part of the generated code; there is no library behind it.

use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::stream::{self, StreamExt, TryStreamExt};
use num_bigint::BigInt;
use scylla::client::session::Session;
use scylla::deserialize::row::{ColumnIterator, DeserializeRow};
use scylla::deserialize::value::{DeserializeValue, MapIterator};
use scylla::deserialize::{DeserializationError, FrameSlice, TypeCheckError};
use scylla::frame::response::result::{CollectionType, ColumnSpec};
use scylla::serialize::SerializationError;
use scylla::serialize::row::SerializeRow;
use scylla::serialize::value::SerializeValue;
use scylla::serialize::writers::{CellWriter, WrittenCellProof};
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

/// A value that is serialised already.
struct RawCell(Vec<u8>);

impl RawCell {
    fn new(ty: &ColumnType<'_>, value: &dyn SerializeValue) -> Result<Self, SerializationError> {
        let mut buffer = Vec::new();
        value.serialize(ty, CellWriter::new(&mut buffer))?;
        Ok(Self(buffer))
    }
}

impl SerializeValue for RawCell {
    fn serialize<'b>(
        &self,
        _: &ColumnType<'_>,
        writer: CellWriter<'b>,
    ) -> Result<WrittenCellProof<'b>, SerializationError> {
        match self.0.split_first_chunk::<4>() {
            Some((length, bytes)) if i32::from_be_bytes(*length) >= 0 => {
                writer.set_value(bytes).map_err(SerializationError::new)
            }
            Some((length, _)) if i32::from_be_bytes(*length) == -2 => Ok(writer.set_unset()),
            _ => Ok(writer.set_null()),
        }
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
        Self { text, cells: Vec::new(), has_null: false }
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

/// What all functions use.
#[derive(Debug)]
pub struct Core {
    /// The session.
    pub session: Arc<Session>,
    /// The options.
    pub options: Options,
    prepared: Box<[OnceCell<PreparedStatement>]>,
}

/// The rows of a page, and where the next one begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// The position of the next page; `None` after the last one.
    pub position: Option<String>,
}

impl<R> Page<R> {
    /// No rows.
    pub fn empty() -> Self {
        Self { rows: Vec::new(), position: None }
    }
}

impl Core {
    /// Statements are prepared when they are needed first.
    pub fn new(session: Arc<Session>, options: Options, statements: usize) -> Self {
        let prepared = (0..statements).map(|_| OnceCell::new()).collect();
        Self { session, options, prepared }
    }

    /// The time in microseconds since 1970.
    pub fn now(&self) -> i64 {
        (self.options.clock)()
    }

    async fn prepare(&self, text: &StatementText) -> Result<&PreparedStatement, AccessError> {
        let prepare = async || {
            let prepared = self.session.prepare(text.cql).await;
            let mut prepared = prepared.map_err(|error| text.fail(error))?;
            prepared.set_consistency(text.consistency);
            prepared.set_is_idempotent(text.idempotent);
            prepared.set_page_size(self.options.page_size.max(1));
            if self.options.request_timeout.is_some() {
                prepared.set_request_timeout(self.options.request_timeout);
            }
            Ok(prepared)
        };
        self.prepared[text.at].get_or_try_init(prepare).await
    }

    /// All rows of a statement.
    pub async fn fetch<R>(
        &self,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
    ) -> Result<Vec<R>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let mut rows = Vec::new();
        let mut state = Some(PagingState::start());
        while let Some(from) = state {
            state = self.fetch_rows(text, &values, from, None, &mut rows).await?;
        }
        Ok(rows)
    }

    /// The first row of a statement.
    pub async fn fetch_one<R>(
        &self,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
    ) -> Result<Option<R>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let mut rows = Vec::new();
        let mut state = Some(PagingState::start());
        while let Some(from) = state.filter(|_| rows.is_empty()) {
            state = self.fetch_rows(text, &values, from, None, &mut rows).await?;
        }
        Ok(rows.into_iter().next())
    }

    /// Adds the rows of a page; the state after it, if there is more.
    async fn fetch_rows<R>(
        &self,
        text: &'static StatementText,
        values: &(impl SerializeRow + Sync),
        from: PagingState,
        page_size: Option<i32>,
        rows: &mut Vec<R>,
    ) -> Result<Option<PagingState>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let sized;
        let mut prepared = self.prepare(text).await?;
        if let Some(page_size) = page_size {
            let mut statement = prepared.clone();
            statement.set_page_size(page_size.max(1));
            sized = statement;
            prepared = &sized;
        }
        let span = tracing::debug_span!("statement", table = text.table, cql = text.cql);
        let work = self.session.execute_single_page(prepared, values, from);
        let answer = work.instrument(span).await.map_err(|error| text.fail(error));
        let (answer, next) = answer?;
        let answer = answer.into_rows_result().map_err(|error| text.fail(error))?;
        rows.reserve(answer.rows_num());
        for row in answer.rows::<R>().map_err(|error| text.fail(error))? {
            rows.push(row.map_err(|error| text.fail(error))?);
        }
        Ok(next.into_paging_control_flow().continue_value())
    }

    /// Sends a statement that writes; whether it was applied.
    async fn execute(&self, bound: &BoundText) -> Result<bool, AccessError> {
        let text = bound.text;
        let prepared = self.prepare(text).await?;
        let span = tracing::debug_span!("statement", table = text.table, cql = text.cql);
        let work = self.session.execute_unpaged(prepared, &bound.cells);
        let answer = work.instrument(span).await.map_err(|error| text.fail(error))?;
        if !answer.is_rows() {
            return Ok(true);
        }
        let answer = answer.into_rows_result().map_err(|error| text.fail(error))?;
        let row = answer.maybe_first_row::<AppliedRow>().map_err(|error| text.fail(error))?;
        Ok(row.is_none_or(|row| row.0))
    }

    /// Sends a batch.
    async fn execute_batch(
        &self,
        kind: BatchType,
        part: Vec<(&'static StatementText, Vec<RawCell>)>,
    ) -> Result<(), AccessError> {
        let Some(text) = part.first().map(|(text, _)| *text) else { return Ok(()) };
        let mut batch = Batch::new(kind);
        batch.set_consistency(text.consistency);
        batch.set_is_idempotent(part.iter().all(|(text, _)| text.idempotent));
        if self.options.request_timeout.is_some() {
            batch.set_request_timeout(self.options.request_timeout);
        }
        let mut values = Vec::with_capacity(part.len());
        for (text, cells) in part {
            batch.append_statement(self.prepare(text).await?.clone());
            values.push(cells);
        }
        let span = tracing::debug_span!("batch", table = text.table, statements = values.len());
        let work = self.session.batch(&batch, values);
        work.instrument(span).await.map_err(|error| text.fail(error))?;
        Ok(())
    }
}

/// The first column of the answer to a conditional statement.
struct AppliedRow(bool);

impl<'f, 'm> DeserializeRow<'f, 'm> for AppliedRow {
    fn type_check(_: &[ColumnSpec<'_>]) -> Result<(), TypeCheckError> {
        Ok(())
    }

    fn deserialize(mut row: ColumnIterator<'f, 'm>) -> Result<Self, DeserializationError> {
        let first = row.next().transpose()?;
        let applied = first.and_then(|column| column.slice).map(|slice| slice.as_slice() != [0]);
        Ok(Self(applied.unwrap_or(true)))
    }
}

/// Runs the body of a function, and reports it.
pub async fn observe<T>(
    name: &'static str,
    work: impl Future<Output = Result<T, AccessError>>,
) -> Result<T, AccessError> {
    let span = tracing::debug_span!("query", name);
    let started = Instant::now();
    let result = work.instrument(span.clone()).await.map_err(|error| error.in_query(name));
    let micros = started.elapsed().as_micros();
    match &result {
        Ok(_) => tracing::debug!(parent: &span, query = name, micros, "done"),
        Err(error) => tracing::error!(parent: &span, query = name, micros, %error, "failed"),
    }
    result
}

/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// A condition did not hold: nothing was changed, or it was undone.
    Refused,
    /// What it was computed from was changed by another client, and it was undone.
    Outdated,
    /// A constraint does not allow it: nothing was changed, or it was undone.
    Violation(&'static str),
    /// A condition did not hold after statements that cannot be undone.
    Interrupted,
}

/// What a write has done so far.
#[derive(Default)]
pub struct WriteState {
    applied: Vec<&'static str>,
    undo: Vec<Option<BoundText>>,
    is_done: bool,
    is_refused: bool,
}

impl WriteState {
    /// Sends a statement; whether it was applied.
    pub async fn send(
        &mut self,
        core: &Core,
        bound: BoundText,
        inverse: Option<BoundText>,
    ) -> Result<bool, AccessError> {
        let is_applied = core.execute(&bound).await?;
        if is_applied {
            self.note(bound.text.cql, inverse);
        }
        Ok(is_applied)
    }

    /// Sends a statement after which the write goes on, whether it was applied or not.
    pub async fn send_always(
        &mut self,
        core: &Core,
        bound: BoundText,
        inverse: Option<BoundText>,
    ) -> Result<(), AccessError> {
        let is_applied = self.send(core, bound, inverse).await?;
        if !is_applied {
            self.is_done = true;
            self.undo.push(None);
        }
        Ok(())
    }

    /// Notes what was done, and how it is undone.
    pub fn note(&mut self, what: &'static str, inverse: Option<BoundText>) {
        self.is_done = true;
        self.applied.push(what);
        self.undo.push(inverse);
    }

    /// Notes what another write has done that was interrupted.
    pub fn adopt(&mut self, other: Self) {
        self.applied.extend(other.applied);
    }

    /// Notes that another write was refused.
    pub fn note_refusal(&mut self) {
        self.is_refused = true;
    }

    /// Sends statements in batches.
    pub async fn send_batch(
        &mut self,
        core: &Core,
        kind: BatchType,
        bounds: Vec<BoundText>,
    ) -> Result<(), AccessError> {
        let mut part = Vec::new();
        let mut bytes = 0;
        for bound in bounds {
            let text = bound.text;
            let prepared = core.prepare(text).await?;
            let specs = prepared.get_variable_col_specs();
            let cells = specs.iter().zip(&bound.cells);
            let cells: Result<Vec<_>, _> =
                cells.map(|(spec, cell)| RawCell::new(spec.typ(), cell)).collect();
            let cells = cells.map_err(|error| text.fail(error))?;
            let size = STATEMENT_BYTES + cells.iter().map(|cell| cell.0.len()).sum::<usize>();
            let options = &core.options;
            let is_full =
                part.len() == options.batch_statements || bytes + size > options.batch_bytes;
            if is_full && !part.is_empty() {
                self.send_part(core, kind, std::mem::take(&mut part)).await?;
                bytes = 0;
            }
            bytes += size;
            part.push((text, cells));
        }
        self.send_part(core, kind, part).await
    }

    async fn send_part(
        &mut self,
        core: &Core,
        kind: BatchType,
        mut part: Vec<(&'static StatementText, Vec<RawCell>)>,
    ) -> Result<(), AccessError> {
        let texts: Vec<_> = part.iter().map(|(text, _)| text.cql).collect();
        if part.len() == 1 {
            let (text, cells) = part.remove(0);
            let cells = cells.into_iter().map(|cell| Box::new(cell) as Cell).collect();
            core.execute(&BoundText { text, cells, has_null: false }).await?;
        } else {
            core.execute_batch(kind, part).await?;
        }
        for text in texts {
            self.note(text, None);
        }
        Ok(())
    }

    /// Undoes what was done, the last first, after which the write has this outcome.
    pub async fn undo(&mut self, core: &Core, outcome: Outcome) -> Result<Outcome, AccessError> {
        let is_undone = self.undo.iter().all(Option::is_some);
        while let Some(inverse) = self.undo.pop() {
            if let Some(inverse) = inverse {
                core.execute(&inverse).await?;
            }
            if is_undone {
                self.applied.pop();
            }
        }
        Ok(if is_undone { outcome } else { Outcome::Interrupted })
    }

    /// The outcome of a write that ran to its end.
    pub fn finish(&self) -> Outcome {
        if self.is_refused && !self.is_done { Outcome::Refused } else { Outcome::Applied }
    }

    /// An error that ended the write: it is a partial write if something was done before.
    pub fn interrupt(&mut self, error: AccessError) -> AccessError {
        let mut applied = std::mem::take(&mut self.applied);
        if applied.is_empty() {
            return error;
        }
        let source = match error {
            AccessError::PartialWrite { applied: more, source, .. } => {
                applied.extend(more);
                source
            }
            error => Some(Box::new(error)),
        };
        AccessError::PartialWrite { query: "", applied, source }
    }

    /// Whether the write was applied; the error of any other outcome than a refusal.
    pub fn conclude(&mut self, outcome: Outcome) -> Result<bool, AccessError> {
        match outcome {
            Outcome::Applied => Ok(true),
            Outcome::Refused | Outcome::Outdated => Ok(false),
            Outcome::Violation(constraint) => {
                Err(AccessError::ConstraintViolation { query: "", constraint })
            }
            Outcome::Interrupted => {
                let applied = std::mem::take(&mut self.applied);
                Err(AccessError::PartialWrite { query: "", applied, source: None })
            }
        }
    }
}

/// Runs all turns, some of them at once; the results in the order of the turns.
pub async fn run_all<I, T, F>(
    concurrency: usize,
    turns: I,
    run: impl FnMut(I::Item) -> F,
) -> Result<Vec<T>, AccessError>
where
    I: IntoIterator,
    F: Future<Output = Result<T, AccessError>>,
{
    stream::iter(turns).map(run).buffered(concurrency.max(1)).try_collect().await
}

/// How a walk over buckets goes.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// From the newest to the oldest.
    pub newest_first: bool,
    /// The rows after which it stops; `None`: it visits all buckets.
    pub limit: Option<usize>,
    /// Buckets that are asked at once where it may stop.
    pub ahead: usize,
    /// Statements in flight at once.
    pub concurrency: usize,
}

/// Walks over the buckets from `from` (where it is not known, down to the oldest one) to `to`.
/// The rows of each bucket are appended to the streams of the same position.
pub async fn walk_buckets<R, F>(
    walk: Walk,
    from: Option<i64>,
    to: i64,
    oldest: impl Future<Output = Result<Option<i64>, AccessError>>,
    read: impl Fn(i64) -> F,
) -> Result<Vec<Vec<R>>, AccessError>
where
    F: Future<Output = Result<Vec<Vec<R>>, AccessError>>,
{
    let mut streams: Vec<Vec<R>> = Vec::new();
    let (mut from, mut to) = (from, to);
    if from.is_none() && walk.newest_first && walk.limit.is_some() {
        // The newest bucket may have enough rows: the oldest is asked for only if it has not.
        append_streams(&mut streams, read(to).await?);
        if has_enough(&streams, walk.limit) {
            return Ok(streams);
        }
        to = to.saturating_sub(1);
    }
    if from.is_none() {
        from = oldest.await?;
    }
    let Some(mut from) = from else { return Ok(streams) };
    let most = match walk.limit {
        Some(_) => i64::try_from(walk.ahead.max(1)).unwrap_or(i64::MAX),
        None => i64::MAX,
    };
    while from <= to {
        let count = to.saturating_sub(from).saturating_add(1).min(most);
        let part = (0..count).map(|at| if walk.newest_first { to - at } else { from + at });
        for found in run_all(walk.concurrency, part, &read).await? {
            append_streams(&mut streams, found);
        }
        if has_enough(&streams, walk.limit) {
            break;
        }
        if walk.newest_first {
            to = to.saturating_sub(count);
        } else {
            from = from.saturating_add(count);
        }
    }
    Ok(streams)
}

fn has_enough<R>(streams: &[Vec<R>], limit: Option<usize>) -> bool {
    limit.is_some_and(|limit| streams.iter().map(Vec::len).sum::<usize>() >= limit)
}

fn append_streams<R>(streams: &mut Vec<Vec<R>>, next: Vec<Vec<R>>) {
    for (at, stream) in next.into_iter().enumerate() {
        match streams.get_mut(at) {
            Some(before) => before.extend(stream),
            None => streams.push(stream),
        }
    }
}

/// All rows of the streams, one stream after the other.
pub fn join_streams<R>(streams: Vec<Vec<R>>) -> Vec<R> {
    let mut streams = streams.into_iter();
    let mut all = streams.next().unwrap_or_default();
    for stream in streams {
        all.extend(stream);
    }
    all
}

/// Merges sorted streams. Of equal rows, that of the first stream comes first.
pub fn merge_streams<R>(streams: Vec<Vec<R>>, order: impl Fn(&R, &R) -> Ordering) -> Vec<R> {
    let mut streams: Vec<_> = streams.into_iter().map(|it| it.into_iter().peekable()).collect();
    let mut all = Vec::new();
    loop {
        let mut least: Option<usize> = None;
        for at in 0..streams.len() {
            let (before, after) = streams.split_at_mut(at);
            let Some(head) = after.first_mut().and_then(|stream| stream.peek()) else { continue };
            let best = least.and_then(|least| before.get_mut(least)).and_then(|it| it.peek());
            if best.is_none_or(|best| order(head, best).is_lt()) {
                least = Some(at);
            }
        }
        let next = least.and_then(|least| streams.get_mut(least)).and_then(Iterator::next);
        let Some(next) = next else { return all };
        all.push(next);
    }
}

/// Values that are not null, each once.
pub fn distinct<T: CqlOrder + Clone>(values: impl IntoIterator<Item = Option<T>>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    let values = values.into_iter().flatten();
    values.filter(|value| seen.insert(Ordered(value.clone()))).collect()
}

/// A value in the order of CQL.
struct Ordered<T>(T);

impl<T: CqlOrder> PartialEq for Ordered<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.compare(&other.0).is_eq()
    }
}

impl<T: CqlOrder> Eq for Ordered<T> {}

impl<T: CqlOrder> PartialOrd for Ordered<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: CqlOrder> Ord for Ordered<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(&other.0)
    }
}

/// Rows by groups, in the order of the first row of each group.
pub struct Groups<K, R> {
    positions: BTreeMap<Ordered<K>, usize>,
    groups: Vec<Vec<R>>,
}

impl<K: CqlOrder, R> Groups<K, R> {
    /// No groups.
    pub fn new() -> Self {
        Self { positions: BTreeMap::new(), groups: Vec::new() }
    }

    /// Adds a row to the group of this key.
    pub fn add(&mut self, key: K, row: R) {
        let next = self.groups.len();
        let at = *self.positions.entry(Ordered(key)).or_insert(next);
        match self.groups.get_mut(at) {
            Some(group) => group.push(row),
            None => self.groups.push(vec![row]),
        }
    }

    /// The rows of each group.
    pub fn into_rows(self) -> Vec<Vec<R>> {
        self.groups
    }
}

impl<K: CqlOrder, R> Default for Groups<K, R> {
    fn default() -> Self {
        Self::new()
    }
}

/// LIMIT, where it is a parameter.
pub fn to_limit(rows: impl Into<i64>) -> Option<usize> {
    usize::try_from(rows.into()).ok()
}

/// A value that must not be null.
pub fn require<T>(value: Option<T>, column: &'static str) -> Result<T, AccessError> {
    value.ok_or(AccessError::UnexpectedNull { query: "", column })
}

/// The order of CQL, with null as the greatest value.
pub trait CqlOrder {
    /// Compares two values.
    fn compare(&self, other: &Self) -> Ordering;
}

macro_rules! order_as_rust_does {
    ($($ty:ty),*) => {
        $(impl CqlOrder for $ty {
            fn compare(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        })*
    };
}

order_as_rust_does!(bool, u8, i8, i16, i32, i64, String, CqlTimestamp, CqlTimeuuid, ());

impl CqlOrder for CqlDate {
    fn compare(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl CqlOrder for CqlTime {
    fn compare(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl CqlOrder for CqlDuration {
    fn compare(&self, other: &Self) -> Ordering {
        let parts = |it: &Self| (it.months, it.days, it.nanoseconds);
        parts(self).cmp(&parts(other))
    }
}

impl CqlOrder for f64 {
    fn compare(&self, other: &Self) -> Ordering {
        // NaN is the greatest and equals itself; zeros of both signs are equal.
        self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }
}

impl CqlOrder for f32 {
    fn compare(&self, other: &Self) -> Ordering {
        f64::from(*self).compare(&f64::from(*other))
    }
}

impl CqlOrder for Uuid {
    fn compare(&self, other: &Self) -> Ordering {
        // As the server does: by version, those of version 1 by their time.
        let key = |id: &Self| {
            let (high, low) = id.as_u64_pair();
            let time = (high << 48) | ((high & 0xffff_0000) << 16) | (high >> 32);
            let version = (high >> 12) & 0xf;
            (version, if version == 1 { time } else { high }, low)
        };
        key(self).cmp(&key(other))
    }
}

impl CqlOrder for IpAddr {
    fn compare(&self, other: &Self) -> Ordering {
        let bytes = |it: &Self| match it {
            Self::V4(address) => address.octets().to_vec(),
            Self::V6(address) => address.octets().to_vec(),
        };
        bytes(self).cmp(&bytes(other))
    }
}

impl<T: CqlOrder> CqlOrder for Option<T> {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Some(one), Some(other)) => one.compare(other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        }
    }
}

/// The first parts that differ decide, else the numbers of parts.
fn compare_parts<'p, T: CqlOrder + 'p>(
    one: impl ExactSizeIterator<Item = &'p T>,
    other: impl ExactSizeIterator<Item = &'p T>,
) -> Ordering {
    let lengths = one.len().cmp(&other.len());
    let parts = one.zip(other).map(|(one, other)| one.compare(other));
    parts.fold(Ordering::Equal, Ordering::then).then(lengths)
}

impl<T: CqlOrder> CqlOrder for Vec<T> {
    fn compare(&self, other: &Self) -> Ordering {
        compare_parts(self.iter(), other.iter())
    }
}

impl<T: CqlOrder> CqlOrder for BTreeSet<T> {
    fn compare(&self, other: &Self) -> Ordering {
        compare_parts(self.iter(), other.iter())
    }
}

impl<K: CqlOrder, V: CqlOrder> CqlOrder for BTreeMap<K, V> {
    fn compare(&self, other: &Self) -> Ordering {
        let keys = compare_parts(self.keys(), other.keys());
        keys.then_with(|| compare_parts(self.values(), other.values()))
    }
}

macro_rules! order_tuple {
    ($($part:ident $at:tt),+) => {
        impl<$($part: CqlOrder),+> CqlOrder for ($($part,)+) {
            fn compare(&self, other: &Self) -> Ordering {
                let order = Ordering::Equal;
                $(let order = order.then_with(|| self.$at.compare(&other.$at));)+
                order
            }
        }
    };
}

order_tuple!(A 0);
order_tuple!(A 0, B 1);
order_tuple!(A 0, B 1, C 2);
order_tuple!(A 0, B 1, C 2, D 3);
order_tuple!(A 0, B 1, C 2, D 3, E 4);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);

/// The comparison of two values; null where one of them is null.
pub fn compare<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> Option<Ordering> {
    Some(one?.compare(other?))
}

/// Whether two values differ; null equals null.
pub fn differ<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.compare(other).is_ne(),
        (one, other) => one.is_some() != other.is_some(),
    }
}

/// Whether two values are equal, and neither is null.
pub fn equals<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_eq)
}

/// Whether two values are not equal, and neither is null.
pub fn is_other<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_ne)
}

/// Whether a value is less than another one.
pub fn is_less<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_lt)
}

/// Whether a value is less than another one, or equal.
pub fn is_at_most<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_le)
}

/// Whether a value is greater than another one.
pub fn is_greater<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_gt)
}

/// Whether a value is greater than another one, or equal.
pub fn is_at_least<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_ge)
}

/// The order of two values, with null as the greatest.
pub fn order_values<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> Ordering {
    compare(one, other).unwrap_or_else(|| one.is_none().cmp(&other.is_none()))
}

/// Compares the parts of two rows: the first ones that differ decide; null where one is null.
pub fn compare_rows(parts: &[Option<Ordering>]) -> Option<Ordering> {
    for part in parts {
        match part {
            Some(Ordering::Equal) => {}
            decided => return *decided,
        }
    }
    Some(Ordering::Equal)
}

/// An array: its elements, in order.
pub trait Elements<T> {
    /// The elements.
    fn to_elements(&self) -> Vec<T>;
    /// An array of these elements.
    fn from_elements(elements: Vec<T>) -> Self;
}

impl<T: Clone> Elements<T> for Vec<T> {
    fn to_elements(&self) -> Vec<T> {
        self.clone()
    }

    fn from_elements(elements: Vec<T>) -> Self {
        elements
    }
}

impl<T: Clone + Ord> Elements<T> for BTreeSet<T> {
    fn to_elements(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }

    fn from_elements(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

/// The elements of an array, each once; none of null.
pub fn distinct_elements<A: Elements<T>, T: CqlOrder + Clone>(array: Option<&A>) -> Vec<T> {
    let elements = array.map(A::to_elements).unwrap_or_default();
    distinct(elements.into_iter().map(Some))
}

/// Whether an array holds an element; not where one is null.
pub fn holds<A: Elements<T>, T: CqlOrder>(array: Option<&A>, element: Option<&T>) -> bool {
    let (Some(array), Some(element)) = (array, element) else { return false };
    array.to_elements().iter().any(|one| one.compare(element).is_eq())
}

/// An array of one element.
pub fn to_singleton<A: Elements<T>, T>(element: Option<T>) -> Option<A> {
    element.map(|element| A::from_elements(vec![element]))
}

/// An array of all elements; null without any.
pub fn collect_elements<A: Elements<T>, T>(elements: Vec<T>) -> Option<A> {
    (!elements.is_empty()).then(|| A::from_elements(elements))
}

/// An array with an element at its end.
pub fn append<A: Elements<T>, T>(array: Option<A>, element: Option<T>) -> Option<A> {
    let mut elements = array.map(|array| array.to_elements()).unwrap_or_default();
    elements.extend(element);
    Some(A::from_elements(elements))
}

/// An array without the elements that equal a value.
pub fn remove<A: Elements<T>, T: CqlOrder>(array: Option<A>, element: Option<T>) -> Option<A> {
    let (array, Some(element)) = (array.as_ref()?, &element) else { return array };
    let mut elements = array.to_elements();
    elements.retain(|one| one.compare(element).is_ne());
    Some(A::from_elements(elements))
}

/// The elements of an array in another form of array.
pub fn convert_elements<A: Elements<T>, B: Elements<T>, T>(array: Option<A>) -> Option<B> {
    array.map(|array| B::from_elements(array.to_elements()))
}

/// SQL's AND.
pub fn and(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// SQL's OR.
pub fn or(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// SQL's NOT.
pub fn not(value: Option<bool>) -> Option<bool> {
    value.map(|truth| !truth)
}

/// Whether a check is met: it is not where it cannot be computed.
pub fn is_met(check: impl FnOnce() -> Result<Option<bool>, OutOfRange>) -> bool {
    check().is_ok_and(|truth| truth != Some(false))
}

/// The least (or greatest) of two values; the other one where one is null.
pub fn choose<T: CqlOrder>(one: Option<T>, other: Option<T>, wanted: Ordering) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) if other.compare(&one) == wanted => Some(other),
        (Some(one), _) => Some(one),
        (None, other) => other,
    }
}

/// Numbers that are added, subtracted and multiplied.
pub trait Number: Sized {
    /// The sum, if it fits.
    fn add(&self, other: &Self) -> Option<Self>;
    /// The difference, if it fits.
    fn subtract(&self, other: &Self) -> Option<Self>;
    /// The product, if it fits.
    fn multiply(&self, other: &Self) -> Option<Self>;
    /// The absolute value, if it fits.
    fn absolute(&self) -> Option<Self>;
    /// The number as a double.
    fn to_double(&self) -> f64;
}

macro_rules! count_whole_numbers {
    ($($ty:ty),*) => {
        $(impl Number for $ty {
            fn add(&self, other: &Self) -> Option<Self> {
                self.checked_add(*other)
            }

            fn subtract(&self, other: &Self) -> Option<Self> {
                self.checked_sub(*other)
            }

            fn multiply(&self, other: &Self) -> Option<Self> {
                self.checked_mul(*other)
            }

            fn absolute(&self) -> Option<Self> {
                self.checked_abs()
            }

            fn to_double(&self) -> f64 {
                *self as f64
            }
        })*
    };
}

macro_rules! count_fractions {
    ($($ty:ty),*) => {
        $(impl Number for $ty {
            fn add(&self, other: &Self) -> Option<Self> {
                Some(self + other)
            }

            fn subtract(&self, other: &Self) -> Option<Self> {
                Some(self - other)
            }

            fn multiply(&self, other: &Self) -> Option<Self> {
                Some(self * other)
            }

            fn absolute(&self) -> Option<Self> {
                Some(self.abs())
            }

            fn to_double(&self) -> f64 {
                (*self).into()
            }
        })*
    };
}

count_whole_numbers!(i8, i16, i32, i64);
count_fractions!(f32, f64);

/// A result of two numbers; null where one is null.
type Computed<T> = Result<Option<T>, OutOfRange>;

fn compute<T>(one: Option<T>, other: Option<T>, operation: fn(&T, &T) -> Option<T>) -> Computed<T> {
    let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
    operation(&one, &other).map(Some).ok_or(OutOfRange)
}

/// The sum of two numbers.
pub fn add<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    compute(one, other, T::add)
}

/// The difference of two numbers.
pub fn subtract<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    compute(one, other, T::subtract)
}

/// The product of two numbers.
pub fn multiply<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    compute(one, other, T::multiply)
}

/// The absolute value of a number.
pub fn absolute<T: Number>(value: Option<T>) -> Computed<T> {
    value.map(|value| value.absolute().ok_or(OutOfRange)).transpose()
}

/// The sum of two numbers, of which a null one does not count.
pub fn total<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    match (one, other) {
        (Some(one), Some(other)) => one.add(&other).map(Some).ok_or(OutOfRange),
        (one, other) => Ok(one.or(other)),
    }
}

/// A count that is one more if something was found.
pub fn count(before: Option<i64>, is_found: bool) -> Option<i64> {
    before.map(|before| before + i64::from(is_found))
}

/// A sum divided by a count; null over no rows.
pub fn average(sum: Option<f64>, count: Option<i64>) -> Option<f64> {
    let count = count.filter(|count| *count != 0)?;
    sum.map(|sum| sum / count as f64)
}

/// A number as a double.
pub fn to_double<T: Number>(value: Option<T>) -> Option<f64> {
    value.map(|value| value.to_double())
}

/// A double as a float.
pub fn to_float(value: Option<f64>) -> Option<f32> {
    value.map(|value| value as f32)
}

/// A whole number of another width.
pub fn resize<T, U: TryFrom<T>>(value: Option<T>) -> Computed<U> {
    value.map(U::try_from).transpose().map_err(|_| OutOfRange)
}

/// A whole number of a greater width.
pub fn widen<T, U: From<T>>(value: Option<T>) -> Option<U> {
    value.map(U::from)
}

/// Two texts, one after the other.
pub fn concatenate(one: Option<String>, other: Option<String>) -> Option<String> {
    Some(one? + &other?)
}

/// Whether a text begins with another one.
pub fn starts_with(text: Option<&String>, start: Option<&String>) -> bool {
    let (Some(text), Some(start)) = (text, start) else { return false };
    text.starts_with(start.as_str())
}

/// A text in lower case.
pub fn to_lower(text: Option<String>) -> Option<String> {
    text.map(|text| text.to_lowercase())
}

/// A text in upper case.
pub fn to_upper(text: Option<String>) -> Option<String> {
    text.map(|text| text.to_uppercase())
}

/// A text without spaces at its ends.
pub fn trim(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim_matches(' ').to_owned())
}

/// A number or truth value as text.
pub fn to_text<T: fmt::Display>(value: Option<T>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The number of characters of a text.
pub fn to_length(text: Option<String>) -> Option<i32> {
    text.map(|text| i32::try_from(text.chars().count()).unwrap_or(i32::MAX))
}

/// The first characters of a text.
pub fn to_prefix(text: Option<String>, length: usize) -> Option<String> {
    text.map(|text| text.chars().take(length).collect())
}

/// The least text that is greater than every text with this prefix.
pub fn to_prefix_end(prefix: Option<String>) -> Option<String> {
    let mut characters: Vec<char> = prefix?.chars().collect();
    while let Some(last) = characters.pop() {
        // The next character that is no surrogate.
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    Some("\u{10ffff}".repeat(4))
}

const HOUR_MILLIS: i64 = 3_600_000;
const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;
/// The number of 1970-01-01 among the days of CQL.
const EPOCH_DAY: i64 = 1 << 31;
/// 1970 began on a Thursday: the Monday of its week is three days before.
const DAYS_SINCE_MONDAY: i64 = 3;
/// Milliseconds between the start of the Gregorian calendar, from which time-based ids count, and
/// 1970.
const GREGORIAN_MILLIS: i64 = 12_219_292_800_000;
/// 2^52, from which write timestamps of buckets are counted.
const BUCKET_WINS: i64 = 1 << 52;

/// The width of a bucket. Buckets of time are counted from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Hours.
    Hours(i64),
    /// Days.
    Days(i64),
    /// Weeks from Monday.
    Weeks(i64),
    /// Months.
    Months(i64),
    /// A range of integers.
    Range(i64),
}

/// Values that fall into buckets.
pub trait Bucketed {
    /// Milliseconds since 1970, or the number itself.
    fn to_position(&self) -> i64;
}

impl Bucketed for CqlTimestamp {
    fn to_position(&self) -> i64 {
        self.0
    }
}

impl Bucketed for CqlDate {
    fn to_position(&self) -> i64 {
        (i64::from(self.0) - EPOCH_DAY) * DAY_MILLIS
    }
}

impl Bucketed for Uuid {
    fn to_position(&self) -> i64 {
        let (high, _) = self.as_u64_pair();
        let ticks = (high >> 32) | ((high & 0xffff_0000) << 16) | ((high & 0x0fff) << 48);
        (ticks / 10_000) as i64 - GREGORIAN_MILLIS
    }
}

impl Bucketed for CqlTimeuuid {
    fn to_position(&self) -> i64 {
        Uuid::from(*self).to_position()
    }
}

macro_rules! bucket_whole_numbers {
    ($($ty:ty),*) => {
        $(impl Bucketed for $ty {
            fn to_position(&self) -> i64 {
                (*self).into()
            }
        })*
    };
}

bucket_whole_numbers!(i8, i16, i32, i64);

/// The value of a bucket's column.
pub trait BucketStart {
    /// The value of the bucket with this number.
    fn from_number(width: Width, number: i64) -> Self;
    /// The number of the bucket with this value.
    fn to_number(&self, width: Width) -> i64;
}

impl BucketStart for CqlTimestamp {
    fn from_number(width: Width, number: i64) -> Self {
        Self(width.to_start(number))
    }

    fn to_number(&self, width: Width) -> i64 {
        width.to_number(self.to_position())
    }
}

impl BucketStart for CqlDate {
    fn from_number(width: Width, number: i64) -> Self {
        to_date(width.to_start(number))
    }

    fn to_number(&self, width: Width) -> i64 {
        width.to_number(self.to_position())
    }
}

impl BucketStart for i64 {
    fn from_number(_: Width, number: i64) -> Self {
        number
    }

    fn to_number(&self, _: Width) -> i64 {
        *self
    }
}

/// The day of a time.
fn to_date(millis: i64) -> CqlDate {
    let day = millis.div_euclid(DAY_MILLIS).saturating_add(EPOCH_DAY);
    CqlDate(u32::try_from(day.max(0)).unwrap_or(u32::MAX))
}

/// The year and the month (from 0) of a day, and the day in it (from 0), in the proleptic Gregorian
/// calendar.
fn to_calendar(day: i64) -> (i64, i64, i64) {
    // Years begin in March here, so that the leap day is the last.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5;
    let (month, next) = if month < 10 { (month + 2, 0) } else { (month - 10, 1) };
    (era * 400 + year + next, month, of_month)
}

/// The first day of a month, which is counted from January 1970.
fn to_first_day(months: i64) -> i64 {
    let (year, month) = (months.div_euclid(12).saturating_add(1970), months.rem_euclid(12));
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5;
    let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    era.saturating_mul(146_097).saturating_add(days - 719_468)
}

impl Width {
    /// The number of the bucket of a position.
    pub fn to_number(self, position: i64) -> i64 {
        let days = position.div_euclid(DAY_MILLIS);
        let (units, count) = match self {
            Self::Range(width) => (position, width),
            Self::Hours(count) => (position.div_euclid(HOUR_MILLIS), count),
            Self::Days(count) => (days, count),
            Self::Weeks(count) => ((days + DAYS_SINCE_MONDAY).div_euclid(7), count),
            Self::Months(count) => {
                let (year, month, _) = to_calendar(days);
                ((year - 1970) * 12 + month, count)
            }
        };
        units.div_euclid(count.max(1))
    }

    /// Where a bucket starts: milliseconds since 1970, or its number.
    fn to_start(self, number: i64) -> i64 {
        let days = match self {
            Self::Range(_) => return number,
            Self::Hours(count) => return number.saturating_mul(count).saturating_mul(HOUR_MILLIS),
            Self::Days(count) => number.saturating_mul(count),
            Self::Weeks(count) => {
                number.saturating_mul(count).saturating_mul(7).saturating_sub(DAYS_SINCE_MONDAY)
            }
            Self::Months(count) => to_first_day(number.saturating_mul(count)),
        };
        days.saturating_mul(DAY_MILLIS)
    }
}

/// The bucket in which a value falls.
pub fn to_bucket<T: Bucketed, B: BucketStart>(value: Option<T>, width: Width) -> Option<B> {
    value.map(|value| B::from_number(width, width.to_number(value.to_position())))
}

/// The number of the bucket in which a value falls.
pub fn bucket_number<T: Bucketed>(value: Option<&T>, width: Width) -> Option<i64> {
    value.map(|value| width.to_number(value.to_position()))
}

/// The number of a bucket that is recorded.
pub fn recorded_number<B: BucketStart>(value: Option<B>, width: Width) -> Option<i64> {
    value.map(|value| value.to_number(width))
}

/// The number of the bucket of a time in microseconds.
pub fn bucket_at(micros: i64, before_millis: i64, width: Width) -> i64 {
    width.to_number(micros.div_euclid(1000).saturating_sub(before_millis))
}

/// The buckets from one to another; none where one is not known.
pub fn bucket_range(from: Option<i64>, to: Option<i64>) -> impl Iterator<Item = i64> {
    from.zip(to).into_iter().flat_map(|(from, to)| from..=to)
}

/// A write timestamp with which the row of an older bucket wins.
pub fn oldest_wins<T: Bucketed>(bucket: Option<T>) -> Option<i64> {
    bucket.map(|bucket| BUCKET_WINS.saturating_sub(bucket.to_position()))
}

/// A write timestamp with which the row of a newer bucket wins.
pub fn newest_wins<T: Bucketed>(bucket: Option<T>) -> Option<i64> {
    bucket.map(|bucket| BUCKET_WINS.saturating_add(bucket.to_position()))
}

/// A time as its day.
pub fn timestamp_to_date(value: Option<CqlTimestamp>) -> Option<CqlDate> {
    value.map(|value| to_date(value.0))
}

/// A duration.
pub fn to_duration(months: i32, days: i32, nanoseconds: i64) -> CqlDuration {
    CqlDuration { months, days, nanoseconds }
}

/// A value from which a shard is made, and its type.
pub type ShardPart<'v> = (&'v (dyn SerializeValue + Sync), ColumnType<'static>);

/// The shard of a key among `count`; null where a value is null.
pub fn to_shard(values: &[ShardPart<'_>], count: i64) -> Option<i32> {
    let mut parts = Vec::with_capacity(values.len());
    for (value, ty) in values {
        parts.push(to_bytes(ty, *value).ok()??);
    }
    let is_key = parts.iter().all(|part| u16::try_from(part.len()).is_ok());
    let mut key = Vec::new();
    for part in &parts {
        if is_key && parts.len() > 1 {
            key.extend((part.len() as u16).to_be_bytes());
            key.extend(part);
            key.push(0);
        } else {
            key.extend(part);
        }
    }
    i32::try_from(to_token(&key).rem_euclid(count.max(1))).ok()
}

/// The token of a partition key: Murmur3 as Cassandra computes it.
pub fn to_token(key: &[u8]) -> i64 {
    if key.is_empty() {
        return i64::MIN;
    }
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let mut blocks = key.chunks_exact(16);
    for block in &mut blocks {
        let (low, high) = block.split_at(8);
        h1 ^= scramble(to_word(low), MIX1, 31, MIX2);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= scramble(to_word(high), MIX2, 33, MIX1);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let tail = blocks.remainder();
    let (low, high) = tail.split_at(tail.len().min(8));
    h2 ^= scramble(to_signed_word(high), MIX2, 33, MIX1);
    h1 ^= scramble(to_signed_word(low), MIX1, 31, MIX2);
    h1 ^= key.len() as u64;
    h2 ^= key.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    let token = finish_hash(h1).wrapping_add(finish_hash(h2)) as i64;
    if token == i64::MIN { i64::MAX } else { token }
}

const MIX1: u64 = 0x87c3_7b91_1142_53d5;
const MIX2: u64 = 0x4cf5_ad43_2745_937f;

fn scramble(word: u64, before: u64, bits: u32, after: u64) -> u64 {
    word.wrapping_mul(before).rotate_left(bits).wrapping_mul(after)
}

fn to_word(bytes: &[u8]) -> u64 {
    bytes.iter().enumerate().fold(0, |word, (at, byte)| word | u64::from(*byte) << (8 * at))
}

/// The bytes after the last whole block: Cassandra takes them as signed numbers.
fn to_signed_word(bytes: &[u8]) -> u64 {
    let signed = bytes.iter().map(|byte| i64::from(*byte as i8) as u64);
    signed.enumerate().fold(0, |word, (at, byte)| word ^ byte << (8 * at))
}

fn finish_hash(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// A time, and values that are made from it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    millis: i64,
    /// Ticks of 100 ns in the millisecond.
    ticks: i64,
}

impl Moment {
    /// A time in microseconds since 1970.
    pub fn new(micros: i64) -> Self {
        Self { millis: micros.div_euclid(1000), ticks: micros.rem_euclid(1000) * 10 }
    }

    /// A later time. The day of a month that is too short is its last one.
    pub fn plus(self, months: i32, days: i32, millis: i64) -> Self {
        let (day, time) = (self.millis.div_euclid(DAY_MILLIS), self.millis.rem_euclid(DAY_MILLIS));
        let (year, month, of_month) = to_calendar(day);
        let first = (year - 1970) * 12 + month + i64::from(months);
        let length = to_first_day(first + 1) - to_first_day(first);
        let day = to_first_day(first) + of_month.min(length - 1) + i64::from(days);
        let millis = day.saturating_mul(DAY_MILLIS).saturating_add(time).saturating_add(millis);
        Self { millis, ..self }
    }

    /// As `timestamp`.
    pub fn to_timestamp(self) -> CqlTimestamp {
        CqlTimestamp(self.millis)
    }

    /// As `date`.
    pub fn to_date(self) -> CqlDate {
        to_date(self.millis)
    }

    /// As `time`.
    pub fn to_time(self) -> CqlTime {
        CqlTime(self.millis.rem_euclid(DAY_MILLIS) * 1_000_000 + self.ticks * 100)
    }

    /// A new time-based id.
    pub fn to_timeuuid(self) -> CqlTimeuuid {
        let ticks = (self.millis.saturating_add(GREGORIAN_MILLIS).saturating_mul(10_000)
            + self.ticks) as u64;
        let high = (ticks << 32) | ((ticks >> 16) & 0xffff_0000) | 0x1000 | ((ticks >> 48) & 0xfff);
        let (_, random) = Uuid::new_v4().as_u64_pair();
        CqlTimeuuid::from_u64_pair(high, random)
    }
}

/// A position in the pages of a query, as text: its name, the bucket and the state of the driver.
pub fn write_position(query: &str, bucket: Option<i64>, state: Option<&[u8]>) -> String {
    let bucket = bucket.map(|bucket| bucket.to_string()).unwrap_or_default();
    let state: String =
        state.unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("1.{query}.{bucket}.{state}")
}

/// The bucket and the state of a position.
pub fn read_position(
    query: &'static str,
    position: &str,
) -> Result<(Option<i64>, PagingState), AccessError> {
    parse_position(query, position).ok_or(AccessError::InvalidPosition { query })
}

fn parse_position(query: &str, position: &str) -> Option<(Option<i64>, PagingState)> {
    let rest = position.strip_prefix("1.")?.strip_prefix(query)?.strip_prefix('.')?;
    let (bucket, state) = rest.split_once('.')?;
    let bucket = if bucket.is_empty() { None } else { Some(bucket.parse().ok()?) };
    if state.is_empty() {
        return Some((bucket, PagingState::start()));
    }
    let digits: Option<Vec<u8>> =
        state.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    let bytes: Vec<u8> = digits?.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    Some((bucket, PagingState::new_from_raw_bytes(bytes)))
}

impl Core {
    /// A page of a statement, and the position after it.
    pub async fn fetch_page<R>(
        &self,
        query: &'static str,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
        page_size: i32,
        position: Option<&str>,
    ) -> Result<Page<R>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let from = match position {
            Some(position) => read_position(query, position)?.1,
            None => PagingState::start(),
        };
        let mut rows = Vec::new();
        let next = self.fetch_rows(text, &values, from, Some(page_size), &mut rows).await?;
        let position = next.map(|next| {
            let state = next.as_bytes_slice().map(|bytes| bytes.as_ref());
            write_position(query, None, state)
        });
        Ok(Page { rows, position })
    }

    /// A part of a page: rows of a statement from a state on, and the state after them.
    pub async fn fetch_part<R>(
        &self,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
        from: PagingState,
        page_size: i32,
        rows: &mut Vec<R>,
    ) -> Result<Option<PagingState>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        self.fetch_rows(text, &values, from, Some(page_size), rows).await
    }
}

/// The buckets of a query that is paged.
#[derive(Clone, Copy, Debug)]
pub struct BucketRange {
    /// The oldest.
    pub from: i64,
    /// The newest.
    pub to: i64,
    /// From the newest to the oldest.
    pub newest_first: bool,
}

/// A page of a query that walks over buckets. A position is that of a bucket and in it.
pub async fn page_buckets<R, F>(
    query: &'static str,
    range: BucketRange,
    page_size: i32,
    position: Option<&str>,
    read: impl Fn(i64, PagingState, i32) -> F,
) -> Result<Page<R>, AccessError>
where
    F: Future<Output = Result<(Vec<R>, Option<PagingState>), AccessError>>,
{
    let first = if range.newest_first { range.to } else { range.from };
    let (bucket, mut state) = match position {
        Some(position) => read_position(query, position)?,
        None => (Some(first), PagingState::start()),
    };
    let mut number = bucket.ok_or(AccessError::InvalidPosition { query })?;
    let mut rows = Vec::new();
    while range.from <= number && number <= range.to {
        let missing = page_size.saturating_sub(i32::try_from(rows.len()).unwrap_or(i32::MAX));
        if missing <= 0 {
            let position = Some(write_position(query, Some(number), None));
            return Ok(Page { rows, position });
        }
        let (found, next) = read(number, state, missing).await?;
        rows.extend(found);
        if let Some(next) = next {
            let state = next.as_bytes_slice().map(|bytes| bytes.as_ref());
            let position = Some(write_position(query, Some(number), state));
            return Ok(Page { rows, position });
        }
        state = PagingState::start();
        number =
            if range.newest_first { number.saturating_sub(1) } else { number.saturating_add(1) };
    }
    Ok(Page { rows, position: None })
}

/// A map whose keys have no order in Rust, as pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CqlPairs<K, V>(pub Vec<(K, V)>);

impl<K: CqlOrder, V: CqlOrder> CqlOrder for CqlPairs<K, V> {
    fn compare(&self, other: &Self) -> Ordering {
        compare_parts(self.0.iter(), other.0.iter())
    }
}

impl<K: SerializeValue, V: SerializeValue> SerializeValue for CqlPairs<K, V> {
    fn serialize<'b>(
        &self,
        ty: &ColumnType<'_>,
        writer: CellWriter<'b>,
    ) -> Result<WrittenCellProof<'b>, SerializationError> {
        let ColumnType::Collection { typ: CollectionType::Map(key, value), .. } = ty else {
            return Err(SerializationError::new(NoMap));
        };
        let count = i32::try_from(self.0.len()).map_err(SerializationError::new)?;
        let mut builder = writer.into_value_builder();
        builder.append_bytes(&count.to_be_bytes());
        for pair in &self.0 {
            pair.0.serialize(key, builder.make_sub_writer())?;
            pair.1.serialize(value, builder.make_sub_writer())?;
        }
        builder.finish().map_err(SerializationError::new)
    }
}

impl<'f, 'm, K, V> DeserializeValue<'f, 'm> for CqlPairs<K, V>
where
    K: DeserializeValue<'f, 'm>,
    V: DeserializeValue<'f, 'm>,
{
    fn type_check(ty: &ColumnType<'_>) -> Result<(), TypeCheckError> {
        MapIterator::<'f, 'm, K, V>::type_check(ty)
    }

    fn deserialize(
        ty: &'m ColumnType<'m>,
        value: Option<FrameSlice<'f>>,
    ) -> Result<Self, DeserializationError> {
        let pairs: Result<_, _> = MapIterator::<'f, 'm, K, V>::deserialize(ty, value)?.collect();
        pairs.map(Self)
    }
}

/// The column is not a map.
#[derive(Debug)]
struct NoMap;

impl fmt::Display for NoMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the column is not a map")
    }
}

impl Error for NoMap {}

impl CqlOrder for CqlVarint {
    fn compare(&self, other: &Self) -> Ordering {
        to_big(self).cmp(&to_big(other))
    }
}

impl CqlOrder for CqlDecimal {
    fn compare(&self, other: &Self) -> Ordering {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let scale = one.scale.max(other.scale);
        one.rescale(scale).cmp(&other.rescale(scale))
    }
}

fn to_big(value: &CqlVarint) -> BigInt {
    BigInt::from_signed_bytes_be(value.as_signed_bytes_be_slice())
}

fn from_big(value: &BigInt) -> CqlVarint {
    CqlVarint::from_signed_bytes_be(value.to_signed_bytes_be())
}

/// `unscaled` x 10^-`scale`.
struct BigDecimal {
    unscaled: BigInt,
    scale: i64,
}

impl BigDecimal {
    fn new(value: &CqlDecimal) -> Self {
        let (unscaled, scale) = value.as_signed_be_bytes_slice_and_exponent();
        Self { unscaled: BigInt::from_signed_bytes_be(unscaled), scale: scale.into() }
    }

    /// The digits at another scale, which is not smaller.
    fn rescale(&self, scale: i64) -> BigInt {
        let power = u32::try_from(scale - self.scale).unwrap_or_default();
        &self.unscaled * BigInt::from(10).pow(power)
    }

    /// Without zeros at the end.
    fn to_cql(&self) -> Option<CqlDecimal> {
        let (mut unscaled, mut scale) = (self.unscaled.clone(), self.scale);
        let ten = BigInt::from(10);
        while scale > 0 && (&unscaled % &ten) == BigInt::ZERO {
            unscaled /= &ten;
            scale -= 1;
        }
        let scale = i32::try_from(scale).ok()?;
        let bytes = unscaled.to_signed_bytes_be();
        Some(CqlDecimal::from_signed_be_bytes_and_exponent(bytes, scale))
    }

    /// With so many digits after the point, halves away from zero.
    fn round(self, digits: u32) -> Self {
        let scale = i64::from(digits);
        if self.scale <= scale {
            return self;
        }
        let unit = BigInt::from(10).pow(u32::try_from(self.scale - scale).unwrap_or_default());
        let half: BigInt = &unit / 2;
        let moved =
            if self.unscaled < BigInt::ZERO { self.unscaled - half } else { self.unscaled + half };
        Self { unscaled: moved / unit, scale }
    }
}

impl Number for CqlDecimal {
    fn add(&self, other: &Self) -> Option<Self> {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let scale = one.scale.max(other.scale);
        BigDecimal { unscaled: one.rescale(scale) + other.rescale(scale), scale }.to_cql()
    }

    fn subtract(&self, other: &Self) -> Option<Self> {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let scale = one.scale.max(other.scale);
        BigDecimal { unscaled: one.rescale(scale) - other.rescale(scale), scale }.to_cql()
    }

    fn multiply(&self, other: &Self) -> Option<Self> {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let unscaled = one.unscaled * other.unscaled;
        BigDecimal { unscaled, scale: one.scale + other.scale }.to_cql()
    }

    fn absolute(&self) -> Option<Self> {
        let value = BigDecimal::new(self);
        let unscaled = value.unscaled.magnitude().clone().into();
        BigDecimal { unscaled, scale: value.scale }.to_cql()
    }

    fn to_double(&self) -> f64 {
        let value = BigDecimal::new(self);
        format!("{}e{}", value.unscaled, -value.scale).parse().unwrap_or(f64::NAN)
    }
}

impl Number for CqlVarint {
    fn add(&self, other: &Self) -> Option<Self> {
        Some(from_big(&(to_big(self) + to_big(other))))
    }

    fn subtract(&self, other: &Self) -> Option<Self> {
        Some(from_big(&(to_big(self) - to_big(other))))
    }

    fn multiply(&self, other: &Self) -> Option<Self> {
        Some(from_big(&(to_big(self) * to_big(other))))
    }

    fn absolute(&self) -> Option<Self> {
        Some(from_big(&to_big(self).magnitude().clone().into()))
    }

    fn to_double(&self) -> f64 {
        to_big(self).to_string().parse().unwrap_or(f64::NAN)
    }
}

/// A decimal of digits, perhaps with a point and an exponent.
pub fn parse_decimal(text: &str) -> Option<CqlDecimal> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let unscaled: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    let bytes = unscaled.to_signed_bytes_be();
    Some(CqlDecimal::from_signed_be_bytes_and_exponent(bytes, scale))
}

/// A `varint` of digits.
pub fn parse_varint(text: &str) -> Option<CqlVarint> {
    text.parse().ok().map(|value| from_big(&value))
}

/// A whole number as `varint`.
pub fn to_varint<T: Into<BigInt>>(value: Option<T>) -> Option<CqlVarint> {
    value.map(|value| from_big(&value.into()))
}

/// A `varint` as a number of 64 bits.
pub fn from_varint(value: Option<CqlVarint>) -> Computed<i64> {
    value.map(|value| i64::try_from(to_big(&value))).transpose().map_err(|_| OutOfRange)
}

/// A whole number as `decimal`.
pub fn to_decimal<T: Into<BigInt>>(value: Option<T>) -> Option<CqlDecimal> {
    let unscaled = value?.into().to_signed_bytes_be();
    Some(CqlDecimal::from_signed_be_bytes_and_exponent(unscaled, 0))
}

/// A `varint` as `decimal`.
pub fn varint_to_decimal(value: Option<CqlVarint>) -> Option<CqlDecimal> {
    let unscaled = value?.into_signed_bytes_be();
    Some(CqlDecimal::from_signed_be_bytes_and_exponent(unscaled, 0))
}

/// A fraction as `decimal`, in its shortest digits.
pub fn double_to_decimal(value: Option<f64>) -> Option<CqlDecimal> {
    parse_decimal(&value?.to_string())
}

/// A decimal as a whole number, halves away from zero.
pub fn decimal_to_whole(value: Option<CqlDecimal>) -> Computed<i64> {
    let Some(value) = value else { return Ok(None) };
    let rounded = BigDecimal::new(&value).round(0);
    i64::try_from(rounded.rescale(0)).map(Some).map_err(|_| OutOfRange)
}

/// A decimal, rounded to so many digits after the point, halves away from zero.
pub fn round(value: Option<CqlDecimal>, digits: u32) -> Option<CqlDecimal> {
    BigDecimal::new(&value?).round(digits).to_cql()
}

/// A decimal without an exponent, as text.
pub fn decimal_to_text(value: Option<CqlDecimal>) -> Option<String> {
    let value = BigDecimal::new(&value?);
    let unscaled = value.rescale(value.scale.max(0));
    let sign = if unscaled < BigInt::ZERO { "-" } else { "" };
    let scale = usize::try_from(value.scale).unwrap_or_default();
    let digits = format!("{:0>width$}", unscaled.magnitude().to_string(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let point = if scale == 0 { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}"))
}
