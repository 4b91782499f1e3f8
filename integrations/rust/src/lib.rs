//! A Cassandra in the process of your tests: it starts in milliseconds, listens on a free port for
//! every driver, and returns to a snapshot between tests.
//!
//! ```
//! # fn main() -> Result<(), helenus_test::Error> {
//! use helenus_test::TestServer;
//!
//! let server = TestServer::start()?;
//! server.run(
//!     "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
//!      CREATE TABLE shop.carts (customer text PRIMARY KEY, items int);",
//! )?;
//! let empty = server.take_snapshot();
//! // The driver connects to server.address(), for example with
//! // `SessionBuilder::new().known_node(server.address().to_string())`.
//! server.restore_snapshot(&empty)?;
//! # Ok(())
//! # }
//! ```

#![expect(clippy::disallowed_methods, reason = "a server in a process has a thread of its own")]

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use engine::{Database, NodeIdentity, Options, Parameters, Result, Settings};
pub use engine::{DatabaseSnapshot as Snapshot, Error};
use server::{Server, ServerLimits};
use tokio::sync::oneshot;

/// A server with its data in memory. It stops when this is dropped.
#[derive(Debug)]
pub struct TestServer {
    address: SocketAddr,
    database: Database,
    /// Dropped to stop the server.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    /// Starts a server on a free port of this machine.
    pub fn start() -> Result<Self> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| start_failure(&error))?;
        let address = listener.local_addr().map_err(|error| start_failure(&error))?;
        let settings = Settings::default();
        let limits = ServerLimits::new(&settings);
        let database = Database::open_in_memory(Options {
            settings,
            identity: NodeIdentity {
                address: address.ip(),
                port: address.port(),
                ..NodeIdentity::default()
            },
            test_hooks: Some(std::thread::sleep),
            ..Options::default()
        })?;
        let server = Server::start(database.clone(), limits, false, None)
            .map_err(|error| start_failure(&error))?;
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("helenus-test".to_owned());
        let thread = thread.spawn(move || drop(server.serve(listener, stopped)));
        let thread = Some(thread.map_err(|error| start_failure(&error))?);
        Ok(Self { address, database, stop: Some(stop), thread })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Runs statements, each ended by a semicolon, up to the first error. Results are discarded.
    pub fn run(&self, statements: &str) -> Result<()> {
        let parsed = cql::parse(statements);
        if let Some(error) = parsed.errors.into_iter().next() {
            return Err(error.into());
        }
        let mut session = self.database.session();
        for statement in &parsed.statements {
            session.query(statement.span.text(statements), &Parameters::default())?;
        }
        Ok(())
    }

    /// Runs the statements of a file.
    pub fn run_file(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::invalid(format!("cannot read {}: {error}", path.display())))?;
        self.run(&text)
    }

    /// Takes a snapshot of the schema and all rows.
    pub fn take_snapshot(&self) -> Snapshot {
        self.database.snapshot()
    }

    /// Returns to a snapshot of this server, any number of times. Drivers are told what changed in
    /// the schema.
    pub fn restore_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.database.restore(snapshot)
    }

    /// Moves the clock of the server forward: rows expire as if the time had passed.
    pub fn advance_clock(&self, by: Duration) -> Result<()> {
        let milliseconds = by.as_millis();
        self.run(&format!(
            "UPDATE helenus.clock SET advance = {milliseconds}ms WHERE key = 'local'"
        ))
    }

    /// Returns to the time of the machine.
    pub fn reset_clock(&self) -> Result<()> {
        self.run("DELETE FROM helenus.clock WHERE key = 'local'")
    }

    /// Makes the next statements on a table fail, with a kind of `helenus.faults`: `timeout`,
    /// `unavailable`, `overloaded`. Further columns are set by an INSERT of your own.
    pub fn add_fault(&self, kind: &str, table: &str, count: u16) -> Result<()> {
        let (kind, table) = (quote(kind), quote(table));
        self.run(&format!(
            "INSERT INTO helenus.faults (name, kind, table_name, count)
             VALUES ('fault', {kind}, {table}, {count})"
        ))
    }

    /// Removes all faults.
    pub fn clear_faults(&self) -> Result<()> {
        self.run("TRUNCATE helenus.faults")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It ends by itself; if it panicked, there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

fn start_failure(error: &io::Error) -> Error {
    Error::server(format!("the server cannot start: {error}"))
}

/// A text as a literal of CQL.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
