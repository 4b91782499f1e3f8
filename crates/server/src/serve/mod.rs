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
//! (`admission`), long statements (`statement_memory`), prepared statements (`prepared_statements`), results (`request_governor`) and
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
mod running_requests;
mod server_limits;
mod server_tables;
mod statement_handler;
mod statement_log;
mod statement_memory;
mod termination;
mod tls;
mod translation;
mod use_warning;

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use engine::{Database, LargePartitions};
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tracing::{error, warn};

use acknowledger::Acknowledger;
use admission::RequestMemory;
use client_connection::ClientConnection;
use connection_registry::ConnectionRegistry;
use event_subscribers::EventSubscribers;
use login_service::LoginService;
use prepared_statements::PreparedStatements;
use request_pool::RequestPool;
use running_requests::RunningRequests;
pub use server_limits::ServerLimits;
use server_tables::ServerTables;
pub use termination::TerminationSignals;
use tls::TlsSession;

/// How long a shutdown waits for running statements, which are cancelled.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// How often a shutdown looks whether they have ended.
const SHUTDOWN_POLL: Duration = Duration::from_millis(2);
/// How long to wait after a failed accept, mostly for lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);
/// How often the sizes of partitions are looked at, if there is a threshold.
const PARTITION_WATCH_INTERVAL: Duration = Duration::from_secs(1);

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
    subscribers: Arc<EventSubscribers>,
    running: Arc<RunningRequests>,
    limits: ServerLimits,
    authentication: bool,
    request_memory: RequestMemory,
    /// The memory of large frames that have arrived in part.
    frame_memory: RequestMemory,
    /// The memory of long statements.
    statement_memory: RequestMemory,
    /// The bytes of results that are being built.
    result_bytes: AtomicUsize,
    /// The bytes of responses that clients have not read.
    pending_output: Arc<AtomicUsize>,
    /// As many as processors: what long statements take turns with.
    long_statement_slots: Semaphore,
    is_stopping: AtomicBool,
}

/// A server that is ready to accept connections.
pub struct Server {
    runtime: Runtime,
    shared: Arc<ServerState>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// Starts the threads of a server.
    pub fn start(
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
        let subscribers = Arc::new(EventSubscribers::default());
        let running = Arc::new(RunningRequests::default());
        database.set_server_status(Arc::new(ServerTables {
            registry: Arc::clone(&registry),
            prepared: Arc::clone(&prepared),
            subscribers: Arc::clone(&subscribers),
            running: Arc::clone(&running),
        }));
        let shared = Arc::new(ServerState {
            runtime: runtime.handle().clone(),
            pool: RequestPool::start(limits.threads)?,
            registry,
            acknowledger: Acknowledger::start(database.clone())?,
            login: LoginService::start()?,
            prepared,
            tls,
            subscribers,
            running,
            request_memory: RequestMemory::new(limits.request_bytes),
            frame_memory: RequestMemory::new(limits.partial_frame_bytes),
            statement_memory: RequestMemory::new(limits.statement_bytes),
            result_bytes: AtomicUsize::new(0),
            pending_output: Arc::default(),
            long_statement_slots: Semaphore::new(processors),
            is_stopping: AtomicBool::new(false),
            database,
            limits,
            authentication,
        });
        Ok(Self { runtime, shared })
    }

    /// Serves until something stops the server, and returns what it says. Statements that run are
    /// cancelled then; the threads of the server have ended on return, unless a statement does not
    /// end in time.
    pub fn serve<T>(
        self,
        listener: std::net::TcpListener,
        stop: impl Future<Output = T>,
    ) -> io::Result<T> {
        let stopped = self.runtime.block_on(accept_until(listener, &self.shared, pin!(stop)));
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        for connection in self.shared.registry.list() {
            connection.close();
        }
        self.shared.pool.stop();
        let deadline = Instant::now() + SHUTDOWN_GRACE;
        while self.shared.pool.active_count() > 0 && Instant::now() < deadline {
            std::thread::sleep(SHUTDOWN_POLL);
        }
        self.runtime.shutdown_timeout(SHUTDOWN_GRACE);
        stopped
    }
}

/// Logs partitions above the threshold of the settings.
async fn watch_partitions(database: Database) {
    let mut reported = LargePartitions::default();
    let mut pause = PARTITION_WATCH_INTERVAL;
    loop {
        tokio::time::sleep(pause).await;
        let (database, began) = (database.clone(), Instant::now());
        let watch = tokio::task::spawn_blocking(move || {
            for report in database.find_large_partitions(&mut reported) {
                if report.is_failure {
                    error!("{}", report.message);
                } else {
                    warn!("{}", report.message);
                }
            }
            reported
        });
        let Ok(kept) = watch.await else { return };
        reported = kept;
        // At most a hundredth of a processor.
        pause = PARTITION_WATCH_INTERVAL.max(began.elapsed() * 100);
    }
}

async fn accept_until<T>(
    listener: std::net::TcpListener,
    shared: &Arc<ServerState>,
    mut stop: Pin<&mut impl Future<Output = T>>,
) -> io::Result<T> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    if shared.database.has_partition_thresholds() {
        tokio::spawn(watch_partitions(shared.database.clone()));
    }
    loop {
        match next_connection(&listener, stop.as_mut()).await {
            Err(stopped) => return Ok(stopped),
            Ok(Ok((stream, peer))) => spawn_connection(stream, peer, shared),
            // Mostly for lack of file descriptors: retried when other connections have ended.
            Ok(Err(_)) => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
        }
    }
}

/// The next connection, or what stops the server as the error.
async fn next_connection<T>(
    listener: &TcpListener,
    mut stop: Pin<&mut impl Future<Output = T>>,
) -> Result<io::Result<(TcpStream, SocketAddr)>, T> {
    poll_fn(|context| match stop.as_mut().poll(context) {
        Poll::Ready(stopped) => Poll::Ready(Err(stopped)),
        Poll::Pending => listener.poll_accept(context).map(Ok),
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
