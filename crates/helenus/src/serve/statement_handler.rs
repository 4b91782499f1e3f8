//! QUERY, PREPARE, EXECUTE and BATCH: runs the statements on the engine and encodes the results.

use std::borrow::Cow;

use cql::StatementId;
use engine::{BatchPart, ErrorDetail, ExecutionResult, ResultMessage, Session};
use wire::{
    Batch, ErrorKind, ErrorMessage, Event, MarkerValues, PreparedResult, QueryOptions, RequestHead,
    Response, ResponseHead, ResultMetadata, RowsHead, StatementRef, encode_rows,
};

use super::prepared_statements::{CachedStatement, column_block};
use super::{ServerState, translation};

type Result<T> = std::result::Result<T, ErrorMessage>;

/// Prepares a statement.
pub(super) fn prepare(
    shared: &ServerState,
    session: &mut Session,
    text: &str,
) -> Result<PreparedResult> {
    let prepared = session.prepare(text).map_err(translation::error)?;
    let id = prepared.id();
    let columns = match translation::columns(&prepared.columns) {
        none if none.is_empty() => ResultMetadata::NONE,
        columns => ResultMetadata::Given(columns),
    };
    let response = PreparedResult {
        id: id.0.to_vec(),
        markers: translation::columns(&prepared.markers),
        key_markers: prepared.partition_key.clone(),
        columns,
    };
    shared.prepared.insert(id, prepared);
    Ok(response)
}

/// Runs the statements of one request in the session of its client. Errors in the request itself
/// are returned, and answered by the caller.
pub(super) struct StatementHandler<'a> {
    pub(super) shared: &'a ServerState,
    pub(super) session: &'a mut Session,
    pub(super) head: &'a RequestHead<'a>,
}

impl StatementHandler<'_> {
    /// Runs a statement and appends the response.
    pub(super) fn query(
        &mut self,
        text: &str,
        options: QueryOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        check_page_size(&options)?;
        let skip = options.skip_metadata;
        let parameters = translation::parameters(options, self.head.tracing);
        let result = self.session.query(text, &parameters);
        self.append(result, None, skip, out);
        Ok(())
    }

    /// Runs a prepared statement and appends the response.
    pub(super) fn execute(
        &mut self,
        id: &[u8],
        options: QueryOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let statement = self.find(id)?;
        check_page_size(&options)?;
        let skip = options.skip_metadata;
        let parameters = translation::parameters(options, self.head.tracing);
        let result = self.session.execute(&statement.prepared, &parameters);
        if result.as_ref().is_err_and(|error| matches!(error.detail, ErrorDetail::Unprepared(_))) {
            // The schema changed after the statement was looked up.
            self.shared.prepared.remove(id);
            return Err(ErrorMessage::for_unprepared(id));
        }
        self.append(result, Some(&statement), skip, out);
        Ok(())
    }

    /// Runs a batch and appends the response.
    pub(super) fn batch(&mut self, batch: Batch<'_>, out: &mut Vec<u8>) -> Result<()> {
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
        let parameters = translation::parameters(batch.options, self.head.tracing);
        let result = self.session.batch(kind, &parts, &parameters);
        self.append(result, None, false, out);
        Ok(())
    }

    /// The prepared statement of an id, bound to the current schema. One that no longer fits is
    /// answered as unprepared: the client prepares it again, and then gets the error.
    fn find(&self, id: &[u8]) -> Result<std::sync::Arc<CachedStatement>> {
        let unknown = || ErrorMessage::for_unprepared(id);
        let statement = self.shared.prepared.find(id).ok_or_else(unknown)?;
        match self.session.rebind_if_stale(&statement.prepared) {
            Ok(None) => Ok(statement),
            Ok(Some(renewed)) => {
                let id = StatementId(id.try_into().map_err(|_| unknown())?);
                Ok(self.shared.prepared.insert(id, renewed))
            }
            Err(_) => {
                self.shared.prepared.remove(id);
                Err(unknown())
            }
        }
    }

    fn append(
        &self,
        result: engine::Result<ExecutionResult>,
        statement: Option<&CachedStatement>,
        skip: bool,
        out: &mut Vec<u8>,
    ) {
        match result {
            Ok(result) => self.append_result(&result, statement, skip, out),
            Err(mut error) => {
                let (version, stream) = (self.head.version, self.head.stream);
                let warnings = std::mem::take(&mut error.warnings).into();
                let head = ResponseHead { version, stream, tracing: None, warnings };
                Response::Error(translation::error(error)).encode(&head, out);
            }
        }
    }

    fn append_result(
        &self,
        result: &ExecutionResult,
        statement: Option<&CachedStatement>,
        skip: bool,
        out: &mut Vec<u8>,
    ) {
        let head = ResponseHead {
            version: self.head.version,
            stream: self.head.stream,
            tracing: result.trace_id,
            warnings: Cow::Borrowed(&result.warnings),
        };
        match &result.outcome {
            ResultMessage::Void => Response::Void.encode(&head, out),
            ResultMessage::Keyspace(keyspace) => {
                Response::SetKeyspace(keyspace.clone().into()).encode(&head, out);
            }
            ResultMessage::Rows(rows) => append_rows(&head, rows, statement, skip, out),
            ResultMessage::Schema(change) => {
                self.shared.subscribers.broadcast(&Event::Schema(change.clone()));
                Response::SchemaChange(change.clone()).encode(&head, out);
            }
        }
    }
}

/// Appends a result with rows. A client that already has the columns of a prepared statement can
/// skip them; those of a conditional write are known only after it ran.
fn append_rows(
    head: &ResponseHead<'_>,
    rows: &engine::ResultSet,
    statement: Option<&CachedStatement>,
    skip: bool,
    out: &mut Vec<u8>,
) {
    let paging_state = rows.paging_state.as_deref();
    let count = rows.count;
    let unchanged = statement.filter(|statement| *statement.prepared.columns == *rows.columns);
    if let Some(statement) = unchanged {
        let columns = statement.block(head.version);
        let rows_head = RowsHead { columns, skip_columns: skip, paging_state, count };
        encode_rows(head, &rows_head, &rows.values, out);
    } else {
        let columns = &column_block(head.version, &rows.columns);
        let skip_columns = skip && statement.is_none();
        let rows_head = RowsHead { columns, skip_columns, paging_state, count };
        encode_rows(head, &rows_head, &rows.values, out);
    }
}

fn check_page_size(options: &QueryOptions<'_>) -> Result<()> {
    if options.page_size == Some(0) {
        return Err(ErrorMessage::new(ErrorKind::Protocol, "The page size cannot be 0"));
    }
    Ok(())
}
