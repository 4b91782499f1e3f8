//! The memory of the server process at a limit: what clients can store, define and prepare is bounded.
//!
//! The estimates of the server are compared with what the operating system says. The figures are printed.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::process::{ServerProcess, connect, peak_bytes, resident_bytes, rows};
use crate::print_uncaptured;
use crate::protocol::{Connection, Options};

const MB: usize = 1 << 20;
/// The code of a refusal for lack of memory.
const OVERLOADED: u32 = 0x1001;
const INVALID: u32 = 0x2200;
/// How long the allocator may keep what was freed.
const RELEASE_DEADLINE: Duration = Duration::from_secs(30);

/// A server with a limit, and a connection to it; an empty keyspace `k` exists.
fn start(arguments: &[&str]) -> (ServerProcess, Connection) {
    let server = ServerProcess::start(&[&["--port", "0"], arguments].concat(), &[]);
    let mut connection = connect(server.port());
    let keyspace =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    run(&mut connection, keyspace).expect("the keyspace is new");
    (server, connection)
}

/// Runs a statement; the error is the code of its refusal.
fn run(connection: &mut Connection, text: &str) -> Result<(), u32> {
    let outcome = connection.query(text, &Options::default()).expect("the server answers");
    outcome.result.map(drop).map_err(|refusal| refusal.code)
}

/// Runs statements until one is refused for lack of memory; returns how many were accepted.
fn run_until_refused(connection: &mut Connection, text: impl Fn(usize) -> String) -> usize {
    for at in 0..100_000 {
        if let Err(code) = run(connection, &text(at)) {
            assert_eq!(code, OVERLOADED);
            return at;
        }
    }
    panic!("nothing was refused");
}

fn list_numbers(count: usize) -> String {
    let mut list = String::new();
    for number in 0..count {
        write!(list, "{number},").expect("a string takes everything");
    }
    list.pop();
    list
}

#[test]
fn the_schema_and_indexes_take_a_bounded_memory() {
    let (server, mut connection) = start(&["--memory", "100MB"]);
    let before = resident_bytes(server.id());
    let comment = "x".repeat(60_000);
    let tables = run_until_refused(&mut connection, |at| {
        format!("CREATE TABLE k.t{at} (k int PRIMARY KEY, v text) WITH comment = '{comment}'")
    });
    assert!(tables > 200, "{tables}");
    // The rows of system tables are made of the schema when they are read, and kept.
    let comments = "SELECT comment FROM system_schema.tables WHERE keyspace_name = 'k' LIMIT 10";
    assert_eq!(rows(&mut connection, comments).len(), 10);
    let full = resident_bytes(server.id());
    run(&mut connection, "DROP TABLE k.t0").expect("DROP makes room");
    run(&mut connection, "DROP KEYSPACE k").expect("DROP makes room");
    let ended = Instant::now();
    let after = loop {
        let after = resident_bytes(server.id());
        if after < before + 60 * MB || ended.elapsed() > RELEASE_DEADLINE {
            break after;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    print_uncaptured(&format!(
        "serve: with a limit of 100 MB, {tables} tables with comments of 60 KB: resident {} MB before, {} MB full, {} MB {:.1} s after DROP KEYSPACE",
        before / MB,
        full / MB,
        after / MB,
        ended.elapsed().as_secs_f64()
    ));
    assert!(full < before + 150 * MB, "{} MB", full / MB);
    assert!(after < before + 60 * MB, "{} MB", after / MB);
}

#[test]
fn large_collections_take_a_bounded_memory() {
    let (server, mut connection) = start(&["--memory", "100MB"]);
    run(&mut connection, "CREATE TABLE k.t (k int PRIMARY KEY, s set<int>)").expect("a new table");
    let before = resident_bytes(server.id());
    let insert = |count| format!("INSERT INTO k.t (k, s) VALUES (1, {{{}}})", list_numbers(count));
    run(&mut connection, &insert(50_000)).expect("50,000 elements are not too many");
    assert_eq!(
        run(&mut connection, &insert(500_000)),
        Err(INVALID),
        "its syntax tree is too large"
    );
    for step in 1..10 {
        let elements: Vec<_> =
            (step * 50_000..(step + 1) * 50_000).map(|number| number.to_string()).collect();
        let text = format!("UPDATE k.t SET s = s + {{{}}} WHERE k = 1", elements.join(","));
        run(&mut connection, &text).expect("there is room for them");
    }
    for number in 0..20 {
        let text = format!("UPDATE k.t SET s = s + {{{}}} WHERE k = 1", -number);
        run(&mut connection, &text).expect("there is room for it");
    }
    let peak = peak_bytes(server.id());
    print_uncaptured(&format!(
        "serve: with a limit of 100 MB, a set of 500,000 elements: resident {} MB before, at most {} MB",
        before / MB,
        peak / MB
    ));
    assert!(peak < before + 200 * MB, "{} MB", peak / MB);
}

#[test]
fn the_entries_of_an_index_are_counted_before_they_are_made() {
    let (server, mut connection) = start(&["--memory", "100MB"]);
    run(&mut connection, "CREATE TABLE k.t (k text PRIMARY KEY, s set<int>)").expect("a new table");
    run(&mut connection, "CREATE INDEX ON k.t (s)").expect("a new index");
    let before = resident_bytes(server.id());
    // Each of 20,000 entries has the key: 1.2 GB.
    let (key, elements) = ("k".repeat(60_000), list_numbers(20_000));
    let text = format!("INSERT INTO k.t (k, s) VALUES ('{key}', {{{elements}}})");
    assert_eq!(run(&mut connection, &text), Err(OVERLOADED));
    assert!(peak_bytes(server.id()) < before + 100 * MB, "{} MB", peak_bytes(server.id()) / MB);
}

#[test]
fn prepared_statements_are_evicted_by_their_memory() {
    let (server, mut connection) = start(&[]);
    run(&mut connection, "CREATE TABLE k.t (k int PRIMARY KEY, v text)").expect("a new table");
    let before = resident_bytes(server.id());
    let prepare = |connection: &mut Connection, text: String| {
        connection.prepare(&text).expect("the server answers").result.expect("a valid statement");
    };
    let count = |connection: &mut Connection, pattern: &str| {
        let texts = rows(connection, "SELECT query_string FROM system.prepared_statements");
        let contains = |text: &[u8]| String::from_utf8_lossy(text).contains(pattern);
        texts.iter().flatten().flatten().filter(|text| contains(text)).count()
    };
    let value = "x".repeat(200_000);
    let literal = |key: usize| format!("INSERT INTO k.t (k, v) VALUES ({key}, '{value}')");
    for key in 0..400 {
        // The first one is used again and again, and stays.
        prepare(&mut connection, literal(key));
        if key % 10 == 0 {
            prepare(&mut connection, literal(0));
        }
    }
    let with_literals = resident_bytes(server.id());
    let literals = count(&mut connection, "INSERT");
    assert!((60..200).contains(&literals), "{literals} statements of 200 KB in 64 MB");
    assert_eq!(count(&mut connection, "VALUES (0,"), 1);
    assert_eq!(count(&mut connection, "VALUES (399,"), 1);
    assert_eq!(count(&mut connection, "VALUES (1,"), 0);
    let list = "1,".repeat(5_000);
    for key in 0..400 {
        prepare(&mut connection, format!("SELECT k FROM k.t WHERE k IN ({list}{key})"));
    }
    let with_lists = resident_bytes(server.id());
    let lists = count(&mut connection, "SELECT k");
    print_uncaptured(&format!(
        "serve: prepared statements kept of 400 with 200 KB in one literal: {literals}, of 400 with 10,000 tokens: {lists}; resident {} MB before, {} MB and {} MB",
        before / MB,
        with_literals / MB,
        with_lists / MB
    ));
    assert!(lists > 15, "{lists}");
    assert!(with_literals.max(with_lists) < before + 200 * MB);
}
