//! `helenus shell HOST PORT` on our own server, and on a real node where there is one.

use std::net::SocketAddr;
use std::process::{Command, Output};

use super::process::temporary_folder;
use crate::cassandra;
use crate::clients::Server;

const SCRIPT: &str = "\
CREATE KEYSPACE remote WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
USE remote;
CREATE TABLE t (k int, c int, v frozen<map<text, int>>, PRIMARY KEY (k, c));
INSERT INTO t (k, c, v) VALUES (1, 1, {'a': 1});
INSERT INTO t (k, c, v) VALUES (1, 2, null);
COPY t TO 'rows.csv';
TRUNCATE t;
COPY t FROM 'rows.csv';
PAGING 1
SELECT * FROM t;
SELECT nope FROM t;
SELEC 1;
DROP KEYSPACE remote;
";

const OUTPUT: &str = "
Starting copy of remote.t with columns [k, c, v].
2 rows exported to 1 files.

Starting copy of remote.t with columns [k, c, v].
2 rows imported from 1 files (0 skipped).
Page size: 1

 k | c | v
---+---+----------
 1 | 1 | {'a': 1}
 1 | 2 | null

(2 rows)
";

fn run(address: SocketAddr, arguments: &[&str], folder: &std::path::Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["shell", &address.ip().to_string(), &address.port().to_string()])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the shell runs")
}

fn check(address: SocketAddr) {
    let folder = temporary_folder(&format!("remote-shell-{}", address.port()));
    std::fs::write(folder.join("script.cql"), SCRIPT).expect("the script can be written");
    let output = run(address, &["-f", "script.cql"], &folder);
    let (said, errors) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    assert_eq!(said.as_deref(), Ok(OUTPUT), "{errors:?}");
    let errors = errors.expect("errors are text");
    assert!(errors.contains("code=2200 [Invalid query] message=\"Undefined column name nope"));
    assert!(errors.contains("SyntaxException: "), "{errors}");
    assert!(errors.contains("\n  SELEC 1\n  ^^^^^\ndid you mean SELECT?"), "{errors}");
    assert_eq!(output.status.code(), Some(1));
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn the_shell_talks_to_servers() {
    let server = Server::start();
    check(server.address);
    if let Some(node) = cassandra::node() {
        check(node);
    }
}

#[test]
fn the_shell_logs_in() {
    let server = Server::start_with(&["--auth"]);
    let folder = std::env::temp_dir();
    let refused = run(server.address, &["-e", "SELECT key FROM system.local"], &folder);
    assert_eq!(refused.status.code(), Some(3));
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["shell", &server.address.to_string(), "--user", "cassandra"])
        .args(["-e", "SELECT key FROM system.local"])
        .env("HELENUS_PASSWORD", "cassandra")
        .output()
        .expect("the shell runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
