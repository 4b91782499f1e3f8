//! QUERY, PREPARE, EXECUTE and BATCH: runs the statements on the engine and encodes the results.

use std::borrow::Cow;
use std::sync::Arc;

use cql::StatementId;
use engine::{BatchPart, ErrorDetail, ExecutionResult, RequestGovernor, ResultMessage, Session};
use wire::{
    Batch, ErrorKind, ErrorMessage, MarkerValues, PreparedResult, QueryOptions, RequestHead,
    Response, ResponseHead, ResultMetadata, RowsHead, StatementRef, encode_rows,
};

use super::prepared_statements::{CachedStatement, column_block};
use super::queue_turn::QueueTurn;
use super::statement_log::StatementWatch;
use super::{ServerState, translation, use_warning};

type Result<T> = std::result::Result<T, ErrorMessage>;

/// Runs the statement of one request in the session of its client. Errors in the request itself
/// are returned, and answered by the caller.
pub(super) struct StatementHandler<'a> {
    pub(super) session: &'a mut Session,
    pub(super) head: &'a RequestHead<'a>,
    pub(super) governor: &'a dyn RequestGovernor,
    pub(super) turn: &'a QueueTurn<'a>,
}

impl StatementHandler<'_> {
    /// Prepares a statement and appends the response.
    pub(super) fn prepare(&mut self, text: &str, keyspace: Option<&str>) -> Result<()> {
        let prepared = self
            .run_in_keyspace(keyspace, |session| session.prepare(text))?
            .map_err(translation::error)?;
        let id = prepared.id();
        let warning =
            use_warning::for_preparation(self.turn.connection, keyspace.is_some(), &prepared);
        let columns = match translation::columns(&prepared.columns) {
            none if none.is_empty() => ResultMetadata::NONE,
            columns => ResultMetadata::Given(columns),
        };
        let (markers, key_markers) =
            (translation::columns(&prepared.markers), prepared.partition_key.clone());
        let cached = self.server().prepared.insert(id, prepared, self.session.role())?;
        let metadata_id = cached.metadata_id().to_vec();
        let response =
            PreparedResult { id: id.0.to_vec(), metadata_id, markers, key_markers, columns };
        let mut head = ResponseHead::new(self.head.version, self.head.stream);
        head.warnings = warning.into_iter().collect();
        Response::Prepared(response).encode(&head, self.turn.responses().buffer(&head, None));
        Ok(())
    }

    /// Runs a statement and appends the response.
    pub(super) fn query(&mut self, text: &str, options: QueryOptions<'_>) -> Result<()> {
        check_page_size(&options)?;
        let (known, keyspace) = (KnownColumns::new(&options), options.keyspace);
        let parameters = translation::parameters(options, self.head.tracing, self.governor);
        let watch = StatementWatch::start(self.server().limits.slow_time);
        let result = self.run_in_keyspace(keyspace, |session| session.query(text, &parameters))?;
        watch.log(text, &result);
        if let Ok(ExecutionResult { outcome: ResultMessage::Keyspace(_), .. }) = &result {
            self.turn.connection.set_session(self.session.clone());
        }
        self.append(result, None, known);
        Ok(())
    }

    /// Runs a prepared statement and appends the response.
    pub(super) fn execute(
        &mut self,
        id: &[u8],
        found: Option<Arc<CachedStatement>>,
        options: QueryOptions<'_>,
    ) -> Result<()> {
        let statement = self.rebind(id, found)?;
        check_page_size(&options)?;
        let known = KnownColumns::new(&options);
        let parameters = translation::parameters(options, self.head.tracing, self.governor);
        let watch = StatementWatch::start_for(&statement.prepared, self.server().limits.slow_time);
        let mut result = self.session.execute(&statement.prepared, &parameters);
        watch.log(&statement.prepared.text, &result);
        if result.as_ref().is_err_and(|error| matches!(error.detail, ErrorDetail::Unprepared(_))) {
            // The schema changed after the statement was looked up.
            self.server().prepared.remove(id);
            return Err(ErrorMessage::for_unprepared(id));
        }
        if let Ok(result) = &mut result {
            let keyspace = self.session.keyspace();
            let warning =
                use_warning::for_execution(self.turn.connection, keyspace, &statement.prepared);
            result.warnings.extend(warning);
        }
        self.append(result, Some(&statement), known);
        Ok(())
    }

    /// Runs a batch and appends the response.
    pub(super) fn batch(&mut self, batch: Batch<'_>) -> Result<()> {
        let kind = batch.kind;
        let mut prepared = Vec::with_capacity(batch.statements.len());
        for statement in &batch.statements {
            prepared.push(match statement.text {
                StatementRef::Text(_) => None,
                StatementRef::Prepared(id) => Some(self.find(id)?),
            });
        }
        let mut parts = Vec::with_capacity(batch.statements.len());
        for (statement, prepared) in batch.statements.into_iter().zip(&prepared) {
            let part = match (statement.text, prepared) {
                (StatementRef::Text(text), _) => BatchPart::Text(text),
                (StatementRef::Prepared(_), Some(cached)) => BatchPart::Prepared(&cached.prepared),
                (StatementRef::Prepared(id), None) => return Err(ErrorMessage::for_unprepared(id)),
            };
            parts.push((part, MarkerValues::from_positional(statement.values)));
        }
        let keyspace = batch.options.keyspace;
        let parameters = translation::parameters(batch.options, self.head.tracing, self.governor);
        let watch = StatementWatch::start(self.server().limits.slow_time);
        let result =
            self.run_in_keyspace(keyspace, |session| session.batch(kind, &parts, &parameters))?;
        watch.log("BATCH", &result);
        self.append(result, None, KnownColumns::default());
        Ok(())
    }

    /// Uses the session, or a copy of it in the keyspace that the request names.
    fn run_in_keyspace<T>(
        &mut self,
        keyspace: Option<&str>,
        run: impl FnOnce(&mut Session) -> T,
    ) -> Result<T> {
        let Some(keyspace) = keyspace else { return Ok(run(self.session)) };
        if !self.session.has_keyspace(keyspace) {
            let message = format!("Keyspace '{keyspace}' does not exist");
            return Err(ErrorMessage::new(ErrorKind::Invalid, message));
        }
        let mut session = self.session.clone();
        session.set_keyspace(keyspace);
        Ok(run(&mut session))
    }

    /// The prepared statement of an id, bound to the current schema. One that no longer fits is
    /// answered as unprepared: the client prepares it again, and then gets the error.
    fn find(&self, id: &[u8]) -> Result<Arc<CachedStatement>> {
        self.rebind(id, self.server().prepared.find(id))
    }

    fn rebind(
        &self,
        id: &[u8],
        found: Option<Arc<CachedStatement>>,
    ) -> Result<Arc<CachedStatement>> {
        let unknown = || ErrorMessage::for_unprepared(id);
        let statement = found.ok_or_else(unknown)?;
        match self.session.rebind_if_stale(&statement.prepared) {
            Ok(None) => Ok(statement),
            Ok(Some(renewed)) => {
                let id = StatementId(id.try_into().map_err(|_| unknown())?);
                self.server().prepared.insert(id, renewed, statement.role())
            }
            Err(_) => {
                self.server().prepared.remove(id);
                Err(unknown())
            }
        }
    }

    fn server(&self) -> &ServerState {
        self.turn.connection.server()
    }

    fn append(
        &mut self,
        result: engine::Result<ExecutionResult>,
        statement: Option<&CachedStatement>,
        known: KnownColumns<'_>,
    ) {
        match result {
            Ok(result) => self.append_result(&result, statement, known),
            Err(mut error) => {
                let (version, stream) = (self.head.version, self.head.stream);
                let warnings = std::mem::take(&mut error.warnings).into();
                let tracing = error.trace_id;
                let head = ResponseHead { version, stream, tracing, warnings };
                let mut responses = self.turn.responses();
                let out = responses.buffer(&head, None);
                Response::Error(translation::error(error)).encode(&head, out);
            }
        }
    }

    fn append_result(
        &mut self,
        result: &ExecutionResult,
        statement: Option<&CachedStatement>,
        known: KnownColumns<'_>,
    ) {
        let head = ResponseHead {
            version: self.head.version,
            stream: self.head.stream,
            tracing: result.trace_id,
            warnings: Cow::Borrowed(&result.warnings),
        };
        let mut responses = self.turn.responses();
        let out = responses.buffer(&head, result.unacknowledged);
        match &result.outcome {
            ResultMessage::Void => Response::Void.encode(&head, out),
            ResultMessage::Keyspace(keyspace) => {
                Response::SetKeyspace(keyspace.clone().into()).encode(&head, out);
            }
            ResultMessage::Rows(rows) => append_rows(&head, rows, statement, known, out),
            ResultMessage::Schema(change) => {
                Response::SchemaChange(change.clone()).encode(&head, out);
            }
        }
    }
}

/// What the client knows of the columns of a result.
#[derive(Clone, Copy, Default)]
struct KnownColumns<'a> {
    /// Whether it asks to leave them out.
    skip: bool,
    /// Their id; in EXECUTE from version 5 on.
    metadata_id: Option<&'a [u8]>,
}

impl<'a> KnownColumns<'a> {
    fn new(options: &QueryOptions<'a>) -> Self {
        Self { skip: options.skip_metadata, metadata_id: options.metadata_id }
    }
}

/// Appends a result with rows. A client that already has the columns of a prepared statement can
/// skip them, and one that has others gets their new id; those of a conditional write are known only
/// after it ran, and have no id.
fn append_rows(
    head: &ResponseHead<'_>,
    rows: &engine::ResultSet,
    statement: Option<&CachedStatement>,
    known: KnownColumns<'_>,
    out: &mut Vec<u8>,
) {
    let paging_state = rows.paging_state.as_deref();
    let count = rows.count;
    let unchanged = statement.filter(|statement| *statement.prepared.columns == *rows.columns);
    if let Some(statement) = unchanged {
        let columns = statement.block(head.version);
        let metadata_id = known
            .metadata_id
            .is_some_and(|id| id != statement.metadata_id())
            .then_some(&statement.metadata_id()[..]);
        let skip_columns = known.skip && metadata_id.is_none();
        let rows_head = RowsHead { columns, skip_columns, paging_state, metadata_id, count };
        encode_rows(head, &rows_head, &rows.values, out);
    } else {
        let columns = &column_block(head.version, &rows.columns);
        let skip_columns = known.skip && statement.is_none();
        let rows_head = RowsHead { columns, skip_columns, paging_state, metadata_id: None, count };
        encode_rows(head, &rows_head, &rows.values, out);
    }
}

fn check_page_size(options: &QueryOptions<'_>) -> Result<()> {
    if options.page_size == Some(0) {
        return Err(ErrorMessage::new(ErrorKind::Protocol, "The page size cannot be 0"));
    }
    Ok(())
}
