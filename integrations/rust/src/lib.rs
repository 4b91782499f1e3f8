//! Starts `helenus serve` for tests, with the statements by which they control it. It works with
//! every driver and has no dependencies.
//!
//! ```no_run
//! let server = helenus_test::Server::start(&["--init", "schema.cql"]).unwrap();
//! // With the driver, for example `SessionBuilder::new().known_node(server.address.to_string())`:
//! // session.query_unpaged(helenus_test::take_snapshot("empty"), &[]).await?;
//! ```

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server, which ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
}

impl Server {
    /// Starts a server with these arguments of `helenus serve`. The program is `helenus` on the
    /// path, or the one that the environment variable `HELENUS` names.
    pub fn start(arguments: &[&str]) -> io::Result<Self> {
        let program = std::env::var_os("HELENUS").unwrap_or_else(|| "helenus".into());
        Self::start_program(program, arguments)
    }

    /// Starts a server with this program.
    pub fn start_program(program: impl AsRef<OsStr>, arguments: &[&str]) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--test-hooks"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let address = line.strip_prefix("listening on ").and_then(|rest| rest.split(' ').next());
        let Some(address) = address.and_then(|address| address.parse().ok()) else {
            let _ = child.kill();
            let status = child.wait()?;
            return Err(io::Error::other(format!("helenus serve did not start: {status}")));
        };
        Ok(Self { address, child })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The statement that takes a snapshot of all data.
pub fn take_snapshot(name: &str) -> String {
    format!("INSERT INTO helenus.snapshots (name) VALUES ({})", quote(name))
}

/// The statement that returns to a snapshot.
pub fn restore_snapshot(name: &str) -> String {
    format!("UPDATE helenus.snapshots SET restored = true WHERE name = {}", quote(name))
}

/// The statement that moves the server's clock.
pub fn advance_clock(by: Duration) -> String {
    format!("UPDATE helenus.clock SET advance = {}ms WHERE key = 'local'", by.as_millis())
}

/// The statement that returns to the machine's time.
pub fn reset_clock() -> &'static str {
    "DELETE FROM helenus.clock WHERE key = 'local'"
}

/// The statement that makes the next statements on a table fail.
pub fn add_fault(kind: &str, table: &str, count: u16) -> String {
    format!(
        "INSERT INTO helenus.faults (name, kind, table_name, count) VALUES ('fault', {}, {}, {count})",
        quote(kind),
        quote(table)
    )
}

/// The statement that removes all faults.
pub fn clear_faults() -> &'static str {
    "TRUNCATE helenus.faults"
}

/// A text as a literal of CQL.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
