//! `helenus serve` as a process whose output, signals and exit code are looked at.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use crate::protocol::{Answer, Connection, Options, Version};

/// A running server; killed when the test ends early.
pub(crate) struct ServerProcess {
    child: Child,
    output: BufReader<ChildStdout>,
    /// Reads standard error: a server whose log nobody reads waits for the reader.
    errors: Option<JoinHandle<String>>,
    /// Its first line.
    pub(crate) ready: String,
}

impl ServerProcess {
    /// Starts a server and waits for its first line.
    pub(crate) fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .arg("serve")
            .args(arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output is ours"));
        let mut ready = String::new();
        output.read_line(&mut ready).expect("its output can be read");
        let mut stderr = child.stderr.take().expect("its errors are ours");
        let errors = thread::spawn(move || {
            let mut errors = Vec::new();
            stderr.read_to_end(&mut errors).expect("its errors can be read");
            String::from_utf8_lossy(&errors).into_owned()
        });
        Self { child, output, errors: Some(errors), ready }
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The port of its first line.
    pub(crate) fn port(&self) -> u16 {
        let address = self
            .ready
            .strip_prefix("listening on ")
            .and_then(|rest| rest.split_whitespace().next());
        let address: Option<SocketAddr> = address.and_then(|address| address.parse().ok());
        address.unwrap_or_else(|| panic!("the server said {:?}", self.ready)).port()
    }

    /// Sends SIGTERM; returns the exit code, the rest of standard output, and standard error.
    pub(crate) fn stop(mut self) -> (Option<i32>, String, String) {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(killed.is_ok_and(|status| status.success()), "the signal is sent");
        let status = self.child.wait().expect("the server ends");
        let mut output = String::new();
        self.output.read_to_string(&mut output).expect("its output is text");
        let errors = self.errors.take().expect("its errors are read once");
        let errors = errors.join().expect("its errors are read");
        (status.code(), output, errors)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An empty folder of a test.
pub(crate) fn temporary_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("helenus-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// A connection to a server on this machine.
pub(crate) fn connect(port: u16) -> Connection {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    Connection::open(address, Version::V4).expect("the server accepts connections")
}

/// The rows of a query, as raw values.
pub(crate) fn rows(connection: &mut Connection, text: &str) -> Vec<Vec<Option<Vec<u8>>>> {
    let outcome = connection.query(text, &Options::default()).expect("the server answers");
    match outcome.result {
        Ok(Answer::Rows(page)) => page.rows,
        other => panic!("{text}: {other:?}"),
    }
}

/// The memory of a process.
pub(crate) fn resident_bytes(process: u32) -> usize {
    read_status(process, "VmRSS:")
}

/// The memory that a process had at most.
pub(crate) fn peak_bytes(process: u32) -> usize {
    read_status(process, "VmHWM:")
}

fn read_status(process: u32, field: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.expect("Linux tells the memory of a process") << 10
}
