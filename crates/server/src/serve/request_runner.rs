//! [`RequestRunner`]: runs requests of one connection on one thread of the pool.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Instant;

use engine::Session;
use wire::{
    DecodedFrame, ErrorKind, ErrorMessage, ProtocolVersion, Request, RequestHead, Response,
    ResponseHead, frame,
};

use super::client_connection::{ClientConnection, QueuedRequest};
use super::prepared_statements::CachedStatement;
use super::queue_turn::QueueTurn;
use super::request_governor::PoolGovernor;
use super::statement_handler::StatementHandler;

/// Responses are sent when they reach this size, before all requests are answered.
const SEND_BYTES: usize = 64 << 10;
/// Responses are sent after this many requests, so that the client works while the server does.
/// Those that wait for the disk are sent together, so that they share a sync.
const SEND_REQUESTS: usize = 16;

/// Runs requests, and collects their responses.
pub(super) struct RequestRunner<'a> {
    turn: QueueTurn<'a>,
    session: Session,
    session_changes: u64,
    started: Instant,
    /// The requests since responses were sent.
    unsent: usize,
}

impl<'a> RequestRunner<'a> {
    pub(super) fn new(connection: &'a Arc<ClientConnection>) -> Self {
        let session_changes = connection.session_changes();
        Self {
            turn: QueueTurn::new(connection),
            session: connection.session(),
            session_changes,
            started: Instant::now(),
            unsent: 0,
        }
    }

    /// Sends the responses so far; those to writes when the log has them.
    pub(super) fn send(&mut self) {
        self.unsent = 0;
        self.turn.send();
    }

    /// Runs what this thread took along when it left the queue, and sends the responses.
    pub(super) fn finish(&mut self) {
        while let Some(request) = self.turn.next_of_share() {
            self.run(&request);
        }
        self.send();
    }

    /// Whether another thread runs the further requests of the connection.
    pub(super) fn has_passed_on(&self) -> bool {
        self.turn.is_over()
    }

    /// Runs a request. The queue is passed on to another thread before a statement that may take
    /// long; one on a single partition is usually short, and passes it on only when it is not
    /// ([`PoolGovernor`]).
    pub(super) fn run(&mut self, queued: &QueuedRequest) {
        // The connection has checked the frame.
        let DecodedFrame::Frame(frame, _) = frame::decode(&queued.bytes, usize::MAX) else {
            return;
        };
        let (head, request) = match Request::decode(&frame) {
            Ok(decoded) => decoded,
            Err(malformed) => {
                return self.append_error(frame.version, frame.stream, malformed.into());
            }
        };
        let shared = self.turn.connection.server();
        let prepared = match &request {
            Request::Execute(id, _) => shared.prepared.find(id),
            _ => None,
        };
        let is_single_row = prepared.as_ref().is_some_and(|found| found.prepared.is_single_row());
        let is_short = prepared.as_ref().is_some_and(|found| found.prepared.is_usually_short());
        // A fault may make any statement slow.
        if !is_short || shared.database.has_faults() {
            self.turn.pass_on();
        } else if !is_single_row {
            self.turn.divide();
        }
        let waited = self.started.saturating_duration_since(queued.received);
        let result = if waited > shared.limits.queue_time {
            let message = "Query timed out before it could start";
            Err(ErrorMessage::new(ErrorKind::Overloaded, message))
        } else {
            // A defect of the engine must cost neither the thread nor the response.
            let respond = || self.respond(&head, request, prepared, queued.received);
            panic::catch_unwind(AssertUnwindSafe(respond)).unwrap_or_else(|_| {
                Err(ErrorMessage::new(ErrorKind::Server, "the statement failed unexpectedly"))
            })
        };
        if let Err(error) = result {
            self.append_error(head.version, head.stream, error);
        }
        self.unsent += 1;
        let responses = self.turn.responses();
        let is_due = self.unsent >= SEND_REQUESTS && !responses.has_held();
        let is_large = responses.len() >= SEND_BYTES;
        drop(responses);
        if is_due || is_large {
            self.send();
        }
    }

    /// Appends the response to a statement, or returns the error of the request itself.
    fn respond(
        &mut self,
        head: &RequestHead<'_>,
        request: Request<'_>,
        prepared: Option<Arc<CachedStatement>>,
        received: Instant,
    ) -> Result<(), ErrorMessage> {
        let connection = self.turn.connection;
        let changes = connection.session_changes();
        if changes != self.session_changes {
            self.session_changes = changes;
            self.session = connection.session();
        }
        let is_timed = prepared.as_ref().is_none_or(|found| !found.prepared.is_single_row());
        let governor = PoolGovernor::new(&self.turn, received, is_timed.then(Instant::now));
        let _running = is_timed.then(|| connection.server().running.start(&request, received));
        let mut handler = StatementHandler {
            session: &mut self.session,
            head,
            governor: &governor,
            turn: &self.turn,
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
        Response::Error(error).encode(&head, self.turn.responses().buffer(&head, None));
    }
}
