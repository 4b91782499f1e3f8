//! The server: the embedded engine behind the native protocol.
//!
//! Each connection is a task (`connection`): it reads the available bytes, answers every complete
//! frame in order into one buffer (`frame_handler`, `statement_handler`), and writes that buffer at
//! once. Requests run on the task that reads them, so the work in progress of a connection is
//! bounded by what it reads, and the server stops reading from a client that does not read its
//! responses.
//!
//! `prepared_statements` and `event_subscribers` are shared by all connections; `translation`
//! converts between the types of the engine and of the protocol; `login` parses credentials.

mod connection;
mod event_subscribers;
mod frame_handler;
mod login;
mod prepared_statements;
mod statement_handler;
mod translation;

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use engine::Database;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use event_subscribers::EventSubscribers;
use prepared_statements::PreparedStatements;

/// How long a shutdown waits for connections to end.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// The number of threads if writes wait for the disk.
const WAITING_THREADS: usize = 64;
/// How long to wait after a failed accept, mostly for lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// The limits of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerLimits {
    /// The maximum number of concurrent connections; further ones are closed immediately.
    pub(crate) connections: usize,
    /// The maximum length of a frame.
    pub(crate) frame_bytes: usize,
}

/// The state shared by all connections.
pub(crate) struct ServerState {
    database: Database,
    prepared: PreparedStatements,
    subscribers: EventSubscribers,
    limits: ServerLimits,
    authentication: bool,
    connections: AtomicUsize,
}

impl ServerState {
    pub(crate) fn new(database: Database, limits: ServerLimits, authentication: bool) -> Self {
        Self {
            database,
            prepared: PreparedStatements::default(),
            subscribers: EventSubscribers::default(),
            limits,
            authentication,
            connections: AtomicUsize::new(0),
        }
    }
}

/// The runtime: one thread per processor, or many if writes wait for the disk, so that they share a
/// sync.
pub(crate) fn runtime(writes_wait: bool) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if writes_wait {
        builder.worker_threads(WAITING_THREADS);
    }
    builder.enable_io().enable_time().build()
}

/// Serves until the process receives a termination signal.
pub(crate) fn serve(
    runtime: Runtime,
    listener: std::net::TcpListener,
    shared: Arc<ServerState>,
) -> io::Result<()> {
    let outcome = runtime.block_on(accept_until_signal(listener, shared));
    runtime.shutdown_timeout(SHUTDOWN_GRACE);
    outcome
}

async fn accept_until_signal(
    listener: std::net::TcpListener,
    shared: Arc<ServerState>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let mut signals = [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?];
    while let Some(accepted) = next_connection(&listener, &mut signals).await {
        match accepted {
            Ok((stream, _)) => spawn_connection(stream, &shared),
            // Mostly for lack of file descriptors: retried when other connections have ended.
            Err(_) => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
        }
    }
    Ok(())
}

/// The next connection; `None` on a termination signal.
async fn next_connection(
    listener: &TcpListener,
    signals: &mut [Signal],
) -> Option<io::Result<(TcpStream, SocketAddr)>> {
    poll_fn(|context| {
        if signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
            return Poll::Ready(None);
        }
        listener.poll_accept(context).map(Some)
    })
    .await
}

/// Spawns a task for a connection, unless there are too many.
fn spawn_connection(stream: TcpStream, shared: &Arc<ServerState>) {
    let permit = ConnectionPermit(Arc::clone(shared));
    if shared.connections.fetch_add(1, Ordering::Relaxed) >= shared.limits.connections {
        return;
    }
    tokio::spawn(async move {
        // An I/O error ends only this connection, and the client notices it.
        let _ = connection::run(stream, &permit.0).await;
    });
}

/// One of the allowed connections; released on drop.
struct ConnectionPermit(Arc<ServerState>);

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
