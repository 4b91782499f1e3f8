//! The server under test: the built binary, on a free port, gone when the test is. It writes no log, which would reach
//! the output of the tests.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// Ends the server when its own input ends: that of a test that was killed ends too.
const WATCH: &str = r#""$@" & server=$!; cat > /dev/null; kill $server; wait $server"#;

/// A running server.
pub(crate) struct Server {
    watcher: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl Server {
    /// A server in memory.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// A server with further arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let mut watcher = Command::new("sh")
            .args(["-c", WATCH, "watch", env!("CARGO_BIN_EXE_helenus"), "serve", "--port", "0"])
            .args(arguments)
            .env("HELENUS_LOG", "/dev/null")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let output = watcher.stdout.take().expect("its output is ours");
        BufReader::new(output).read_line(&mut line).expect("its output can be read");
        let address = parse_address(&line).unwrap_or_else(|| panic!("the server said {line:?}"));
        Self { watcher, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        let _ = self.watcher.wait();
    }
}

/// The address in the line that says that the server is ready.
pub(super) fn parse_address(line: &str) -> Option<SocketAddr> {
    line.strip_prefix("listening on ")?.split_whitespace().next()?.parse().ok()
}
