//! The server: the engine behind the native protocol, on a socket.
//!
//! A connection is a task: it reads what is there, answers every whole frame in order into one buffer, and writes that
//! buffer at once. Requests run where they are read, so what a connection can have under way is bounded by what it reads;
//! a client that does not read its answers is not read from either.

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

/// How long connections are given to end when the server does.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// Threads where writes wait for the disk.
const WAITING_THREADS: usize = 64;
/// How long to wait before the next connection is accepted when the machine has no room for another.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// What the server keeps to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerLimits {
    /// Connections at one time; more are closed as they come.
    pub(crate) connections: usize,
    /// Bytes of a frame.
    pub(crate) frame_bytes: usize,
}

/// What all connections share.
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

/// The threads that serve: one a processor, and many where writes wait for the disk, so that they wait together.
pub(crate) fn runtime(writes_wait: bool) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if writes_wait {
        builder.worker_threads(WAITING_THREADS);
    }
    builder.enable_io().enable_time().build()
}

/// Serves until the process is told to end.
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
            // No descriptors left, mostly: those who wait are taken when others have gone.
            Err(_) => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
        }
    }
    Ok(())
}

/// The next connection; nothing when the process is told to end.
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

/// Serves a connection on a task of its own, unless there are too many.
fn spawn_connection(stream: TcpStream, shared: &Arc<ServerState>) {
    let permit = ConnectionPermit(Arc::clone(shared));
    if shared.connections.fetch_add(1, Ordering::Relaxed) >= shared.limits.connections {
        return;
    }
    tokio::spawn(async move {
        // A broken connection concerns its client alone, who knows.
        let _ = connection::run(stream, &permit.0).await;
    });
}

/// A place among the connections, given back when dropped.
struct ConnectionPermit(Arc<ServerState>);

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
