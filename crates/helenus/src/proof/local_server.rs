//! A server of this process, on a free port of the loopback interface, with its data in memory.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread::JoinHandle;

use engine::{Database, NodeIdentity, Options, Settings};
use server::{Server, ServerLimits};
use tokio::sync::oneshot;

use crate::outcome::{Failure, Outcome};

/// Batches that a program does not split are refused, also with the small rows of a proof.
const BATCH_BYTES_MAX: u64 = 1_024;

/// A server for drivers that run in another process. It has the clock of the machine, as those
/// drivers have: write timestamps of both must be comparable. It stops when this is dropped.
pub(super) struct LocalServer {
    address: SocketAddr,
    database: Database,
    /// Dropped to stop the server.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LocalServer {
    /// Starts a server.
    pub(super) fn start() -> Result<Self, Failure> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| start_failure(&error))?;
        let address = listener.local_addr().map_err(|error| start_failure(&error))?;
        let settings =
            Settings { batch_size_fail_threshold: BATCH_BYTES_MAX, ..Settings::default() };
        let limits = ServerLimits::new(&settings);
        let identity =
            NodeIdentity { address: address.ip(), port: address.port(), ..NodeIdentity::default() };
        // A proof may ask for faults of statements.
        let test_hooks = Some(std::thread::sleep as engine::Pause);
        let options = Options { settings, identity, test_hooks, ..Options::default() };
        let database = Database::open_in_memory(options).map_err(Failure::database)?;
        let server = Server::start(database.clone(), limits, false, None)
            .map_err(|error| start_failure(&error))?;
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("proof-server".to_owned());
        let thread = thread.spawn(move || drop(server.serve(listener, stopped)));
        Ok(Self {
            address,
            database,
            stop: Some(stop),
            thread: Some(thread.map_err(|error| start_failure(&error))?),
        })
    }

    /// Where it listens.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it serves.
    pub(super) const fn database(&self) -> &Database {
        &self.database
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // If it panicked, there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

fn start_failure(error: &io::Error) -> Failure {
    let message = format!("the server of the proof cannot start: {error}");
    Failure::Stopped(Outcome::EnvironmentFailed, message)
}
