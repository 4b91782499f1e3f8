//! Statements: texts, prepared ones and batches, run by the engine and answered.

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

/// Prepares a text.
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

/// Runs the statements of a request, for the session of the client that sent it. A refusal of the request itself is left to
/// the caller to answer.
pub(super) struct StatementHandler<'a> {
    pub(super) shared: &'a ServerState,
    pub(super) session: &'a mut Session,
    pub(super) head: &'a RequestHead<'a>,
}

impl StatementHandler<'_> {
    /// Runs a text and appends the answer.
    pub(super) fn query(
        &mut self,
        text: &str,
        options: QueryOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        check_page_size(&options)?;
        let skip = options.skip_metadata;
        let parameters = translation::parameters(options, self.head.tracing);
        let answer = self.session.query(text, &parameters);
        self.append(answer, None, skip, out);
        Ok(())
    }

    /// Runs a prepared statement and appends the answer.
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
        let answer = self.session.execute(&statement.prepared, &parameters);
        if answer.as_ref().is_err_and(|error| matches!(error.detail, ErrorDetail::Unprepared(_))) {
            // The schema changed since the statement was found.
            self.shared.prepared.remove(id);
            return Err(ErrorMessage::for_unprepared(id));
        }
        self.append(answer, Some(&statement), skip, out);
        Ok(())
    }

    /// Runs a batch and appends the answer.
    pub(super) fn batch(&mut self, batch: Batch<'_>, out: &mut Vec<u8>) -> Result<()> {
        let kind = batch.kind;
        let mut found = Vec::with_capacity(batch.statements.len());
        for statement in &batch.statements {
            found.push(match statement.text {
                StatementRef::Text(_) => None,
                StatementRef::Prepared(id) => Some(self.find(id)?),
            });
        }
        let mut parts = Vec::with_capacity(batch.statements.len());
        for (statement, found) in batch.statements.into_iter().zip(&found) {
            let part = match (statement.text, found) {
                (StatementRef::Text(text), _) => BatchPart::Text(text),
                (StatementRef::Prepared(_), Some(found)) => BatchPart::Prepared(&found.prepared),
                (StatementRef::Prepared(id), None) => return Err(ErrorMessage::for_unprepared(id)),
            };
            parts.push((part, MarkerValues::from_positional(statement.values)));
        }
        let parameters = translation::parameters(batch.options, self.head.tracing);
        let answer = self.session.batch(kind, &parts, &parameters);
        self.append(answer, None, false, out);
        Ok(())
    }

    /// The prepared statement of an id, as the schema of now has it. One that does not fit it any more is unknown: the
    /// client prepares it again, and is told why if it cannot.
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
        answer: engine::Result<ExecutionResult>,
        statement: Option<&CachedStatement>,
        skip: bool,
        out: &mut Vec<u8>,
    ) {
        match answer {
            Ok(answer) => self.append_answer(&answer, statement, skip, out),
            Err(mut error) => {
                let (version, stream) = (self.head.version, self.head.stream);
                let warnings = std::mem::take(&mut error.warnings).into();
                let head = ResponseHead { version, stream, tracing: None, warnings };
                Response::Error(translation::error(error)).encode(&head, out);
            }
        }
    }

    fn append_answer(
        &self,
        answer: &ExecutionResult,
        statement: Option<&CachedStatement>,
        skip: bool,
        out: &mut Vec<u8>,
    ) {
        let head = ResponseHead {
            version: self.head.version,
            stream: self.head.stream,
            tracing: answer.trace_id,
            warnings: Cow::Borrowed(&answer.warnings),
        };
        match &answer.outcome {
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

/// The columns of a prepared statement need not be sent again to who knows them; those of a conditional write are not
/// known before it ran.
fn append_rows(
    head: &ResponseHead<'_>,
    rows: &engine::ResultSet,
    statement: Option<&CachedStatement>,
    skip: bool,
    out: &mut Vec<u8>,
) {
    let paging_state = rows.paging_state.as_deref();
    let count = rows.count;
    let known = statement.filter(|one| *one.prepared.columns == *rows.columns);
    if let Some(statement) = known {
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
