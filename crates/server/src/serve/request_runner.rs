//! [`RequestRunner`]: runs requests of one connection on one thread of the pool.

use std::sync::Arc;
use std::time::Instant;

use engine::Session;
use wire::{
    DecodedFrame, ErrorKind, ErrorMessage, ProtocolVersion, Request, RequestHead, Response,
    ResponseHead, frame,
};

use super::client_connection::{ClientConnection, QueuedRequest};
use super::prepared_statements::CachedStatement;
use super::request_governor::PoolGovernor;
use super::response_buffers::ResponseBuffers;
use super::statement_handler::StatementHandler;

/// Responses are sent when they reach this size, before all requests are answered.
const SEND_BYTES: usize = 64 << 10;
/// Responses are sent after this many requests, so that the client works while the server does.
/// Those that wait for the disk are sent together, so that they share a sync.
const SEND_REQUESTS: usize = 16;

/// Runs requests, and collects their responses.
pub(super) struct RequestRunner<'a> {
    connection: &'a Arc<ClientConnection>,
    session: Session,
    session_changes: u64,
    started: Instant,
    responses: ResponseBuffers,
    /// The requests since responses were sent.
    unsent: usize,
}

impl<'a> RequestRunner<'a> {
    pub(super) fn new(connection: &'a Arc<ClientConnection>) -> Self {
        let session_changes = connection.session_changes();
        Self {
            connection,
            session: connection.session(),
            session_changes,
            started: Instant::now(),
            responses: ResponseBuffers::default(),
            unsent: 0,
        }
    }

    /// Sends the responses so far; those to writes when the log has them.
    pub(super) fn send(&mut self) {
        self.unsent = 0;
        self.responses.send(self.connection);
    }

    /// Runs a request if it takes microseconds: a prepared statement on a single row.
    pub(super) fn run_if_short(&mut self, request: &QueuedRequest) -> bool {
        self.run_limited(request, true)
    }

    /// Runs a request.
    pub(super) fn run(&mut self, request: &QueuedRequest) {
        self.run_limited(request, false);
    }

    fn run_limited(&mut self, queued: &QueuedRequest, only_short: bool) -> bool {
        // The connection has checked the frame.
        let DecodedFrame::Frame(frame, _) = frame::decode(&queued.bytes, usize::MAX) else {
            return true;
        };
        let (head, request) = match Request::decode(&frame) {
            Ok(decoded) => decoded,
            Err(malformed) => {
                self.append_error(frame.version, frame.stream, malformed.into());
                return true;
            }
        };
        let shared = self.connection.server();
        let prepared = match &request {
            Request::Execute(id, _) => shared.prepared.find(id),
            _ => None,
        };
        // A fault may make any statement slow.
        let is_short = prepared.as_ref().is_some_and(|found| found.prepared.is_single_row())
            && !shared.database.has_faults();
        if only_short && !is_short {
            return false;
        }
        let waited = self.started.saturating_duration_since(queued.received);
        let result = if waited > shared.limits.queue_time {
            let message = "Query timed out before it could start";
            Err(ErrorMessage::new(ErrorKind::Overloaded, message))
        } else {
            self.respond(&head, request, prepared, queued.received)
        };
        if let Err(error) = result {
            self.append_error(head.version, head.stream, error);
        }
        self.unsent += 1;
        let is_due = self.unsent >= SEND_REQUESTS && !self.responses.has_held();
        if is_due || self.responses.len() >= SEND_BYTES {
            self.send();
        }
        true
    }

    /// Appends the response to a statement, or returns the error of the request itself.
    fn respond(
        &mut self,
        head: &RequestHead<'_>,
        request: Request<'_>,
        prepared: Option<Arc<CachedStatement>>,
        received: Instant,
    ) -> Result<(), ErrorMessage> {
        let changes = self.connection.session_changes();
        if changes != self.session_changes {
            self.session_changes = changes;
            self.session = self.connection.session();
        }
        let governor = PoolGovernor::new(self.connection, received);
        let mut handler = StatementHandler {
            connection: self.connection,
            session: &mut self.session,
            head,
            governor: &governor,
            responses: &mut self.responses,
        };
        match request {
            Request::Prepare(text, keyspace) => handler.prepare(text, keyspace),
            Request::Query(text, options) => handler.query(text, options),
            Request::Execute(id, options) => handler.execute(id, prepared, options),
            Request::Batch(batch) => handler.batch(batch),
            // Everything else is answered by the connection itself.
            _ => Err(ErrorMessage::new(ErrorKind::Server, "unexpected request")),
        }
    }

    fn append_error(&mut self, version: ProtocolVersion, stream: i16, error: ErrorMessage) {
        let head = ResponseHead::new(version, stream);
        Response::Error(error).encode(&head, self.responses.buffer(&head, None));
    }
}
