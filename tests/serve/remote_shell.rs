//! `helenus shell HOST PORT` on our own server, and on a real node where there is one.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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

fn run(address: SocketAddr, arguments: &[&str], folder: &Path) -> Output {
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

/// A file with a certificate or a key.
fn tls_file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/tls");
    folder.join(name).display().to_string()
}

#[test]
fn the_shell_encrypts() {
    let (certificate, key) = (tls_file("server.pem"), tls_file("server.key"));
    let (authority, stranger) = (tls_file("ca.pem"), tls_file("server.pem"));
    let (own, own_key) = (tls_file("client.pem"), tls_file("client.key"));
    let server_files = ["--tls-certificate", &certificate, "--tls-key", &key];
    let query = ["-e", "SELECT ssl_protocol FROM system_views.clients LIMIT 1"];
    let is_encrypted = |server: &Server, arguments: &[&str]| {
        let arguments: Vec<_> = query.iter().chain(arguments).copied().collect();
        let output = run(server.address, &arguments, &std::env::temp_dir());
        output.status.code() == Some(0) && String::from_utf8_lossy(&output.stdout).contains("TLSv1")
    };
    let server = Server::start_with(&server_files);
    assert!(is_encrypted(&server, &["--tls-ca", &authority]));
    assert!(is_encrypted(&server, &["--tls-no-verify"]));
    assert!(!is_encrypted(&server, &["--tls-ca", &stranger]), "signed by another authority");
    assert!(!is_encrypted(&server, &[]));

    let mutual: Vec<_> = server_files.into_iter().chain(["--tls-client-ca", &authority]).collect();
    let server = Server::start_with(&mutual);
    let client = ["--tls-ca", &authority, "--tls-certificate", &own, "--tls-key", &own_key];
    assert!(is_encrypted(&server, &client));
    assert!(!is_encrypted(&server, &["--tls-ca", &authority]));
}

/// Runs the shell on a terminal, where each answer is typed after a text was shown; returns the
/// exit code and all that was shown, or `None` without Python.
fn converse(
    server: &Server,
    arguments: &[&str],
    steps: &[(&str, &str)],
) -> Option<(Option<i32>, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/serve/terminal.py");
    let home = temporary_folder(&format!("shell-home-{}", server.address.port()));
    let mut terminal = Command::new("python3")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_helenus"), "shell", &server.address.to_string()])
        .args(arguments)
        .env("HOME", &home)
        .env_remove("XDG_STATE_HOME")
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = terminal.stdin.take().expect("its input is ours");
    input.write_all(serde_json::json!(steps).to_string().as_bytes()).expect("it reads");
    drop(input);
    let output = terminal.wait_with_output().expect("the terminal ends");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    std::fs::remove_dir_all(home).expect("the folder can be removed");
    Some((output.status.code(), said.into_owned()))
}

#[test]
fn the_shell_asks_for_the_password_and_completes() {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/go/schema.cql");
    let server = Server::start_with(&["--auth", "--init", schema]);
    let steps = [
        ("Password: ", "cassandra\r"),
        ("helenus> ", "INSERT INTO shop.ca\t"),
        ("shop.carts", "(customer, items) VALUES ('helen', 42);\r"),
        // Of the answer, not of the echo.
        ("\r\n", "SELECT items FROM shop.carts WHERE custome\t"),
        ("WHERE customer", " = 'helen';\r"),
        ("(1 rows)", "EXIT\r"),
    ];
    let Some((code, said)) = converse(&server, &["--user", "cassandra"], &steps) else { return };
    assert_eq!(code, Some(0), "{said}");
    let (asked, answered) = said.split_once("helenus> ").expect("there is a prompt");
    assert!(answered.matches("42").count() >= 2, "once typed, once read: {answered}");
    assert!(!asked.contains("cassandra"), "the password is hidden: {asked}");

    let steps = [("Password: ", "wrong\r")];
    let Some((code, said)) = converse(&server, &["--user", "cassandra"], &steps) else { return };
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("the cluster rejected the login"), "{said}");
}
