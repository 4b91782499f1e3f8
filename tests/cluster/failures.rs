//! What goes wrong with clusters: one clear sentence, exit code 3, and nothing left behind.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use cluster::{Connection, ConnectionOptions, Credentials, ErrorKind, ScratchKeyspace, Secret};

use super::{MODEL, access, design, find_keyspaces, stderr_text};
use crate::clients::Server;

/// A port at which nobody listens.
fn unused_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    drop(listener);
    address.to_string()
}

/// One sentence, this exit code, nothing on standard output.
fn expect_one_error(output: &Output, code: i32) -> String {
    let message = stderr_text(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    let errors: Vec<_> = message.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{message}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(!message.contains("panicked"), "{message}");
    errors[0].to_owned()
}

#[test]
fn nobody_answers() {
    let place = unused_address();
    let start = Instant::now();
    let message = expect_one_error(&design("nobody", &["--on", &place], &[]), 3);
    assert!(message.contains(&place) && message.contains("cannot connect to"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    let message = expect_one_error(&design("nowhere", &["--on", "no.such.host.invalid"], &[]), 3);
    assert!(message.contains("no.such.host.invalid:9042"), "{message}");
}

#[test]
fn somebody_else_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let place = listener.local_addr().expect("it has an address");
    // Takes every call, and says nothing.
    std::thread::spawn(move || {
        let mut calls = Vec::new();
        while let Ok((call, _)) = listener.accept() {
            calls.push(call);
        }
    });
    let start = Instant::now();
    let failure = Connection::open(&access(place)).expect_err("it says nothing");
    assert_eq!(failure.kind, ErrorKind::Unreachable, "{failure}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn passwords_are_refused() {
    let server = Server::start_with(&["--auth"]);
    let place = server.address.to_string();
    let message = expect_one_error(&design("no-login", &["--on", &place], &[]), 3);
    assert!(message.contains("rejected the login"), "{message}");
    let wrong = [("HELENUS_USER", "cassandra"), ("HELENUS_PASSWORD", "open sesame")];
    let message = expect_one_error(&design("wrong-login", &["--on", &place], &wrong), 3);
    assert!(message.contains("rejected the login"), "{message}");
    assert!(!message.contains("open sesame"), "{message}");
    let half = [("HELENUS_USER", "cassandra")];
    let message = expect_one_error(&design("half-login", &["--on", &place], &half), 2);
    assert!(message.contains("HELENUS_PASSWORD is not"), "{message}");
    let mut known = access(server.address);
    known.credentials =
        Some(Credentials { user: "cassandra".to_owned(), password: Secret::new("cassandra") });
    assert!(find_keyspaces(&known).is_empty());
    let right = [("HELENUS_USER", "cassandra"), ("HELENUS_PASSWORD", "cassandra")];
    let output = design("right-login", &["--on", &place], &right);
    assert_eq!(output.status.code(), Some(0), "{}", stderr_text(&output));
    assert!(find_keyspaces(&known).is_empty());
}

#[test]
fn a_cluster_that_dies_tells_what_it_leaves() {
    let server = Server::start();
    let access = access(server.address);
    let mut scratch = ScratchKeyspace::create(&access, None).expect("a keyspace can be made");
    let keyspace = scratch.keyspace().to_owned();
    let connection = scratch.connection().expect("it is open");
    connection.run("CREATE TABLE t (k int PRIMARY KEY)", &[]).expect("a table");
    drop(server);
    let start = Instant::now();
    let failure = connection.run("SELECT * FROM t", &[]).expect_err("it is dead");
    assert_eq!(failure.kind, ErrorKind::Lost, "{failure}");
    let failure = scratch.finish().expect_err("it is dead");
    assert!(failure.message.contains(&format!("DROP KEYSPACE IF EXISTS {keyspace};")), "{failure}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// Starts a proof that takes a while, and waits until its keyspace is there.
fn start_proof(name: &str, server: &Server) -> (Child, PathBuf) {
    let file =
        std::env::temp_dir().join(format!("helenus-cluster-{}-{name}.sql", std::process::id()));
    std::fs::write(&file, MODEL).expect("a file can be written");
    let child = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .arg("design")
        .arg(&file)
        .args(["--prove", "200k", "--on", &server.address.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let start = Instant::now();
    while find_keyspaces(&access(server.address)).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "no keyspace is made");
        std::thread::sleep(Duration::from_millis(50));
    }
    // It is under way.
    std::thread::sleep(Duration::from_millis(300));
    (child, file)
}

fn wait_for_end(child: Child, file: &Path) -> Output {
    let output = child.wait_with_output().expect("it ends");
    std::fs::remove_file(file).expect("it is there");
    output
}

#[test]
fn ctrl_c_in_the_middle_of_a_proof_leaves_nothing_behind() {
    let server = Server::start();
    for signal in ["-INT", "-TERM"] {
        let (child, file) = start_proof("interrupted", &server);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let message = expect_one_error(&wait_for_end(child, &file), 3);
        assert!(message.contains("interrupted"), "{message}");
        assert!(find_keyspaces(&access(server.address)).is_empty());
    }
}

#[test]
fn a_cluster_dies_in_the_middle_of_a_proof() {
    let server = Server::start();
    let (child, file) = start_proof("dying", &server);
    drop(server);
    let start = Instant::now();
    let message = expect_one_error(&wait_for_end(child, &file), 3);
    assert!(message.contains("stopped early"), "{message}");
    assert!(message.contains("DROP KEYSPACE IF EXISTS helenus_proof_"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn what_earlier_runs_left_is_removed_after_a_day() {
    let server = Server::start();
    let access = access(server.address);
    let mut connection = Connection::open(&access).expect("it answers");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.expect("it is after 1970").as_secs();
    let old = format!("helenus_proof_{}_00000001", now - 2 * 86_400);
    let young = format!("helenus_proof_{}_00000002", now - 3_600);
    let others = "helenus_proof_of_concept".to_owned();
    for name in [&old, &young, &others] {
        let create = format!(
            "CREATE KEYSPACE {name} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
        );
        connection.run(&create, &[]).expect("it can be made");
    }
    ScratchKeyspace::create(&access, None).expect("it answers").finish().expect("it goes away");
    assert_eq!(find_keyspaces(&access), [young]);
    let of_others = format!("DROP KEYSPACE {others}");
    connection.run(&of_others, &[]).expect("it is still there");
}

#[test]
fn a_keyspace_goes_with_a_panic_too() {
    let server = Server::start();
    let access = access(server.address);
    let place = ConnectionOptions::clone(&access);
    let thread = std::thread::spawn(move || {
        let _scratch = ScratchKeyspace::create(&place, None).expect("a keyspace can be made");
        panic!("as a test may");
    });
    assert!(thread.join().is_err());
    assert!(find_keyspaces(&access).is_empty());
}
