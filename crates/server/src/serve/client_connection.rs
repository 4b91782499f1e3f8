//! [`ClientConnection`]: the part of a connection that its tasks and the request pool share: the
//! session, the requests that wait, and the output.
//!
//! At most one thread of the pool takes requests from the queue of a connection at a time
//! (`QueueTurn`). It runs short statements one after another and sends their responses together. It
//! passes the queue on to another thread before a statement that may take long, and when a statement
//! turns out to: a slow one delays no other request of its connection.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use engine::{ClientStatus, Session};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use wire::{Framing, ProtocolVersion};

use super::ServerState;
use super::admission::RequestPermit;
use super::connection_output::ConnectionOutput;
use super::request_pool::RequestPool;
use super::request_runner::RequestRunner;
use super::tls::TlsSession;

/// A thread runs this many requests of a connection before it serves another that waits.
const TURN_REQUESTS: usize = 128;

/// A request that waits for a thread.
pub(super) struct QueuedRequest {
    /// The frame.
    pub(super) bytes: Bytes,
    pub(super) received: Instant,
    /// Its share of the memory for requests, released with the last request of those that were
    /// received together.
    pub(super) _permit: Arc<RequestPermit>,
}

/// The shared part of a connection.
pub(super) struct ClientConnection {
    shared: Arc<ServerState>,
    pub(super) peer: SocketAddr,
    session: Mutex<Session>,
    /// Counts the changes of the session, so that threads notice them without a lock.
    session_changes: AtomicU64,
    requests: Mutex<RequestQueue>,
    output: ConnectionOutput,
    is_encrypted: bool,
    /// The version and the options of STARTUP.
    client: OnceLock<(ProtocolVersion, BTreeMap<String, String>)>,
    request_count: AtomicU64,
    /// Whether the client was told about USE with prepared statements.
    pub(super) has_use_warning: AtomicBool,
    is_closed: AtomicBool,
    reader: OnceLock<AbortHandle>,
}

#[derive(Default)]
struct RequestQueue {
    requests: VecDeque<QueuedRequest>,
    runner: Runner,
}

/// Who runs the requests of a connection.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Runner {
    /// Nobody: there are no requests.
    #[default]
    None,
    /// A thread of the pool, now or when it takes the connection from its queue.
    Thread,
    /// Nobody until the client has read its responses.
    Congested,
}

enum NextRequest {
    Request(QueuedRequest),
    /// There is none.
    Empty,
    /// The client must read its responses first.
    Congested,
}

impl ClientConnection {
    pub(super) fn new(
        shared: Arc<ServerState>,
        stream: Arc<TcpStream>,
        tls: Option<TlsSession>,
        peer: SocketAddr,
    ) -> Self {
        let is_encrypted = tls.is_some();
        let mut session = shared.database.session();
        session.defer_acknowledgement();
        let output = ConnectionOutput::new(stream, tls, Arc::clone(&shared.pending_output));
        Self {
            shared,
            peer,
            session: Mutex::new(session),
            session_changes: AtomicU64::new(0),
            requests: Mutex::default(),
            output,
            is_encrypted,
            client: OnceLock::new(),
            request_count: AtomicU64::new(0),
            has_use_warning: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            reader: OnceLock::new(),
        }
    }

    pub(super) fn server(&self) -> &ServerState {
        &self.shared
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Sets the task that is aborted when the connection is closed.
    pub(super) fn set_reader(&self, reader: AbortHandle) {
        let _ = self.reader.set(reader);
    }

    /// Ends the connection: its statements are cancelled, its requests and responses dropped.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.lock_requests().requests.clear();
        self.output.close();
        if let Some(reader) = self.reader.get() {
            reader.abort();
        }
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Appends what received bytes of an encrypted connection say.
    pub(super) fn decrypt(&self, received: &[u8], input: &mut Vec<u8>) -> io::Result<()> {
        self.output.decrypt(received, input)
    }

    /// Sets the framing of the responses that are sent from now on.
    pub(super) fn set_framing(&self, framing: Framing) {
        self.output.set_framing(framing);
    }

    /// Remembers what STARTUP says of the client; the first one counts.
    pub(super) fn set_client_options(&self, version: ProtocolVersion, options: &[(&str, &str)]) {
        let options =
            options.iter().map(|(name, value)| (name.to_uppercase(), (*value).to_owned()));
        let _ = self.client.set((version, options.collect()));
    }

    /// What system tables show of the client.
    pub(super) fn status(&self, is_ready: bool) -> ClientStatus {
        let session = self.session();
        let (version, options) = self.client.get().cloned().unzip();
        let stage = match (is_ready, version) {
            (true, _) => "ready",
            (false, Some(_)) => "authenticating",
            (false, None) => "established",
        };
        let encryption = self.output.tls_parameters();
        ClientStatus {
            peer: self.peer,
            options: options.unwrap_or_default(),
            stage,
            keyspace: session.keyspace().map(ToOwned::to_owned),
            protocol_version: version.map(ProtocolVersion::number),
            request_count: self.request_count.load(Ordering::Relaxed),
            encryption: encryption.map(|tls| (tls.protocol.to_owned(), tls.cipher_suite)),
            role: session.role().map(ToOwned::to_owned),
        }
    }

    /// Counts a request.
    pub(super) fn count_requests(&self, count: usize) {
        self.request_count.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Sends encoded responses.
    pub(super) fn send(&self, bytes: &[u8]) {
        self.output.send(bytes);
    }

    /// Writes responses that the socket did not take at once, until the connection ends.
    pub(super) async fn write_pending(self: Arc<Self>) {
        let resume = || self.resume();
        // An I/O error ends only this connection, and the client notices it.
        let _ = self.output.write_pending(resume).await;
        self.close();
    }

    /// Replaces the session: the client has logged in or changed its keyspace.
    pub(super) fn set_session(&self, session: Session) {
        *self.lock_session() = session;
        self.session_changes.fetch_add(1, Ordering::Release);
    }

    /// A copy of the session.
    pub(super) fn session(&self) -> Session {
        self.lock_session().clone()
    }

    /// The number of changes of the session.
    pub(super) fn session_changes(&self) -> u64 {
        self.session_changes.load(Ordering::Acquire)
    }

    /// Queues requests for the pool.
    pub(super) fn push_requests(self: &Arc<Self>, requests: impl Iterator<Item = QueuedRequest>) {
        let mut queue = self.lock_requests();
        queue.requests.extend(requests);
        if queue.runner != Runner::None || queue.requests.is_empty() {
            return;
        }
        queue.runner = Runner::Thread;
        drop(queue);
        self.shared.pool.submit(Arc::clone(self));
    }

    /// Continues with the requests after the client has read its responses.
    fn resume(self: &Arc<Self>) {
        let mut queue = self.lock_requests();
        if queue.runner == Runner::Congested {
            queue.runner = Runner::Thread;
            drop(queue);
            self.shared.pool.submit(Arc::clone(self));
        }
    }

    /// Runs requests on a thread of the pool, until there are none or it is another's turn.
    pub(super) fn run_requests(self: &Arc<Self>, pool: &Arc<RequestPool>) {
        let mut runner = RequestRunner::new(self);
        let mut count = 0;
        loop {
            if count >= TURN_REQUESTS && pool.has_queue() {
                runner.send();
                return pool.submit(Arc::clone(self));
            }
            let request = match self.next_request() {
                NextRequest::Request(request) => request,
                NextRequest::Congested => return runner.send(),
                NextRequest::Empty => {
                    runner.send();
                    if self.release() == Runner::None {
                        return;
                    }
                    continue;
                }
            };
            count += 1;
            runner.run(&request);
            if runner.has_passed_on() {
                return runner.finish();
            }
        }
    }

    fn next_request(&self) -> NextRequest {
        let is_congested = self.output.is_congested();
        let mut queue = self.lock_requests();
        if is_congested && !self.is_closed() {
            queue.runner = Runner::Congested;
            return NextRequest::Congested;
        }
        queue.requests.pop_front().map_or(NextRequest::Empty, NextRequest::Request)
    }

    /// Gives up the queue if it is still empty; returns who runs it now.
    fn release(&self) -> Runner {
        let mut queue = self.lock_requests();
        if queue.requests.is_empty() {
            queue.runner = Runner::None;
        }
        queue.runner
    }

    /// Leaves the queue to another thread.
    pub(super) fn pass_on(self: &Arc<Self>) {
        if self.release() != Runner::None {
            self.shared.pool.submit(Arc::clone(self));
        }
    }

    /// Takes up to `count` requests for this thread and leaves the others to another one, if
    /// there are others and a processor is free.
    pub(super) fn divide_queue(self: &Arc<Self>, count: usize) -> Option<VecDeque<QueuedRequest>> {
        let pool = &self.shared.pool;
        let mut queue = self.lock_requests();
        if queue.requests.len() <= count || !pool.has_free_processor() {
            return None;
        }
        let share = queue.requests.drain(..count).collect();
        drop(queue);
        pool.submit(Arc::clone(self));
        Some(share)
    }

    /// Puts requests back that another thread shall run.
    pub(super) fn return_requests(self: &Arc<Self>, returned: VecDeque<QueuedRequest>) {
        let mut queue = self.lock_requests();
        for request in returned.into_iter().rev() {
            queue.requests.push_front(request);
        }
        if queue.runner == Runner::None {
            queue.runner = Runner::Thread;
            drop(queue);
            self.shared.pool.submit(Arc::clone(self));
        }
    }

    fn lock_requests(&self) -> MutexGuard<'_, RequestQueue> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
