//! The server: the embedded engine behind the native protocol.
//!
//! ```text
//! socket -> connection (task) -> request_pool (threads) -> connection_output -> socket
//!                                      |
//!                                 acknowledger (thread): responses to writes wait for the log
//! ```
//!
//! A task reads each connection (`connection`), answers the handshake (`frame_handler`, with
//! `login_service` for passwords) and queues statements in `client_connection`. Threads of the pool
//! run them (`request_runner`, `statement_handler`) within their limits (`request_governor`), and
//! write the responses (`response_buffers`, `connection_output`). No statement runs on a thread that
//! polls sockets.
//!
//! What clients can make the server hold is bounded: connections (`connection_registry`), requests
//! (`admission`), prepared statements (`prepared_statements`), results (`request_governor`) and
//! responses that a client does not read (`connection_output`).

mod acknowledger;
mod admission;
mod client_connection;
mod compression;
mod connection;
mod connection_output;
mod connection_registry;
mod event_subscribers;
mod frame_handler;
mod login;
mod login_service;
mod output_encoding;
mod prepared_statements;
mod queue_turn;
mod request_governor;
mod request_pool;
mod request_runner;
mod response_buffers;
mod server_tables;
mod statement_handler;
mod statement_log;
pub(crate) mod tls;
mod translation;
mod use_warning;

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use engine::Database;
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Semaphore;

use acknowledger::Acknowledger;
use admission::RequestMemory;
use client_connection::ClientConnection;
use connection_registry::ConnectionRegistry;
use event_subscribers::EventSubscribers;
use login_service::LoginService;
use prepared_statements::PreparedStatements;
use request_pool::RequestPool;
use server_tables::ServerTables;
use tls::TlsSession;

/// How long a shutdown waits for running statements, which are cancelled.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// How often a shutdown looks whether they have ended.
const SHUTDOWN_POLL: Duration = Duration::from_millis(2);
/// How long to wait after a failed accept, mostly for lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// The limits of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerLimits {
    /// The maximum number of concurrent connections.
    pub(crate) connections: usize,
    /// The maximum length of a frame.
    pub(crate) frame_bytes: usize,
    /// The maximum number of threads that run statements.
    pub(crate) threads: usize,
    /// The maximum bytes of requests that wait or run.
    pub(crate) request_bytes: u64,
    /// The same for one client address.
    pub(crate) address_request_bytes: u64,
    /// The maximum size of a result in bytes.
    pub(crate) result_bytes: u64,
    /// The maximum size of all results that are being built, in bytes.
    pub(crate) all_result_bytes: u64,
    /// The maximum memory of prepared statements in bytes.
    pub(crate) prepared_bytes: usize,
    /// How long a request may wait before it starts.
    pub(crate) queue_time: Duration,
    /// How long a statement may take before it is logged.
    pub(crate) slow_time: Duration,
}

/// The state shared by all connections.
pub(crate) struct ServerState {
    database: Database,
    runtime: Handle,
    pool: Arc<RequestPool>,
    registry: Arc<ConnectionRegistry>,
    acknowledger: Acknowledger,
    login: LoginService,
    prepared: Arc<PreparedStatements>,
    /// For clients that must encrypt their connections.
    tls: Option<Arc<ServerConfig>>,
    subscribers: EventSubscribers,
    limits: ServerLimits,
    authentication: bool,
    request_memory: RequestMemory,
    /// The bytes of results that are being built.
    result_bytes: AtomicUsize,
    /// The bytes of responses that clients have not read.
    pending_output: Arc<AtomicUsize>,
    /// As many as processors: what long statements take turns with.
    long_statement_slots: Semaphore,
    is_stopping: AtomicBool,
}

/// A server that is ready to accept connections.
pub(crate) struct Server {
    runtime: Runtime,
    shared: Arc<ServerState>,
    signals: [(&'static str, Signal); 2],
}

impl Server {
    /// Starts the threads of a server.
    pub(crate) fn start(
        database: Database,
        limits: ServerLimits,
        authentication: bool,
        tls: Option<Arc<ServerConfig>>,
    ) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread().enable_io().enable_time().build()?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let registry = ConnectionRegistry::new(limits.connections, limits.address_request_bytes);
        let registry = Arc::new(registry);
        let prepared = Arc::new(PreparedStatements::new(limits.prepared_bytes));
        database.set_server_status(Arc::new(ServerTables {
            registry: Arc::clone(&registry),
            prepared: Arc::clone(&prepared),
        }));
        let shared = Arc::new(ServerState {
            runtime: runtime.handle().clone(),
            pool: RequestPool::start(limits.threads)?,
            registry,
            acknowledger: Acknowledger::start(database.clone())?,
            login: LoginService::start()?,
            prepared,
            tls,
            subscribers: EventSubscribers::default(),
            request_memory: RequestMemory::new(limits.request_bytes),
            result_bytes: AtomicUsize::new(0),
            pending_output: Arc::default(),
            long_statement_slots: Semaphore::new(processors),
            is_stopping: AtomicBool::new(false),
            database,
            limits,
            authentication,
        });
        // From now on, before anybody is told that the server is ready, signals stop it in order.
        let signals = {
            let _context = runtime.enter();
            [
                ("SIGINT", signal(SignalKind::interrupt())?),
                ("SIGTERM", signal(SignalKind::terminate())?),
            ]
        };
        Ok(Self { runtime, shared, signals })
    }

    /// Serves until the process receives a termination signal, whose name it returns.
    pub(crate) fn serve(mut self, listener: std::net::TcpListener) -> io::Result<&'static str> {
        let accepting = accept_until_signal(listener, &self.shared, &mut self.signals);
        let signal = self.runtime.block_on(accepting);
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        for connection in self.shared.registry.list() {
            connection.close();
        }
        self.shared.pool.stop();
        let deadline = Instant::now() + SHUTDOWN_GRACE;
        while self.shared.pool.active_count() > 0 && Instant::now() < deadline {
            std::thread::sleep(SHUTDOWN_POLL);
        }
        self.runtime.shutdown_background();
        signal
    }
}

async fn accept_until_signal(
    listener: std::net::TcpListener,
    shared: &Arc<ServerState>,
    signals: &mut [(&'static str, Signal)],
) -> io::Result<&'static str> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    loop {
        match next_connection(&listener, signals).await {
            Err(signal) => return Ok(signal),
            Ok(Ok((stream, peer))) => spawn_connection(stream, peer, shared),
            // Mostly for lack of file descriptors: retried when other connections have ended.
            Ok(Err(_)) => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
        }
    }
}

/// The next connection, or the name of a termination signal as the error.
async fn next_connection(
    listener: &TcpListener,
    signals: &mut [(&'static str, Signal)],
) -> Result<io::Result<(TcpStream, SocketAddr)>, &'static str> {
    poll_fn(|context| {
        for (name, signal) in &mut *signals {
            if signal.poll_recv(context).is_ready() {
                return Poll::Ready(Err(*name));
            }
        }
        listener.poll_accept(context).map(Ok)
    })
    .await
}

/// Spawns the tasks of a connection, unless there are too many.
fn spawn_connection(stream: TcpStream, peer: SocketAddr, shared: &Arc<ServerState>) {
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let Ok(tls) = shared.tls.clone().map(TlsSession::new).transpose() else { return };
    let stream = Arc::new(stream);
    let connection = ClientConnection::new(Arc::clone(shared), Arc::clone(&stream), tls, peer);
    let connection = Arc::new(connection);
    let Some(registration) = shared.registry.register(&connection) else { return };
    tokio::spawn(Arc::clone(&connection).write_pending());
    let reading = connection::run(stream, Arc::clone(&connection), registration);
    // An I/O error ends only this connection, and the client notices it.
    let reader = tokio::spawn(async move { drop(reading.await) });
    connection.set_reader(reader.abort_handle());
}
