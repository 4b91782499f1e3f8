//! The cases put to `helenus serve`, over the wire, one file after the other on one server.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use super::engine::CaseReport;
use super::node::judge_file;
use super::select_files;
use crate::protocol::{Connection, Version};

#[test]
fn our_server_says_what_cassandra_says() {
    let server = CaseServer::start();
    let mut report = CaseReport::default();
    for file in select_files() {
        let mut connection = Connection::open(server.address, Version::V4).unwrap();
        let verdicts = judge_file(&mut connection, &file);
        let verdicts = verdicts.unwrap_or_else(|e| panic!("{}: {e}", file.name()));
        for (statement, verdict) in file.statements.iter().zip(&verdicts) {
            report.record(&file, statement, verdict);
        }
    }
    report.conclude("over the wire");
}

/// A server of ours; it ends with the test.
pub(crate) struct CaseServer {
    pub(crate) address: SocketAddr,
    process: Child,
}

impl CaseServer {
    /// Starts one on a free port.
    pub(crate) fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .args(["serve", "--port", "0"])
            .env("HELENUS_LOG", "/dev/null")
            .stdout(Stdio::piped())
            .spawn()
            .expect("helenus can be run");
        let output = process.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("it says where it listens");
        let address = line.split_whitespace().find_map(|word| word.parse().ok());
        Self { address: address.unwrap_or_else(|| panic!("no address in {line:?}")), process }
    }
}

impl Drop for CaseServer {
    fn drop(&mut self) {
        // One that is gone already needs no end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
