//! Indexes of a database in memory: what they return, and which entries they drop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Database;
use crate::Options;
use crate::node::index::IndexHandle;
use crate::request::Parameters;
use crate::result::ResultMessage;
use crate::session::Session;

const KEYSPACE: &str =
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

fn database(statements: &[&str]) -> (Database, Session) {
    let database = Database::open_in_memory(Options::default()).unwrap();
    let mut session = database.session();
    run(&mut session, KEYSPACE);
    session.set_keyspace("k");
    for statement in statements {
        run(&mut session, statement);
    }
    (database, session)
}

fn run(session: &mut Session, text: &str) {
    session.query(text, &Parameters::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
}

/// The int values that a SELECT returns, row by row.
fn numbers(session: &mut Session, text: &str) -> Vec<Vec<i32>> {
    let unpaged = Parameters { page_size: None, ..Parameters::default() };
    let answer = session.query(text, &unpaged);
    let ResultMessage::Rows(rows) = answer.unwrap_or_else(|e| panic!("{text}: {e}")).outcome else {
        panic!("{text} answers no rows")
    };
    let number = |value: Option<&[u8]>| i32::from_be_bytes(value.unwrap().try_into().unwrap());
    rows.iter().map(|row| row.into_iter().map(number).collect()).collect()
}

fn index(database: &Database, at: usize) -> Arc<IndexHandle> {
    Arc::clone(&database.node().schema().table("k", "t").unwrap().indexes[at])
}

fn entries(index: &IndexHandle) -> usize {
    index.read().entries.len()
}

#[test]
fn entries_of_changed_rows_are_forgotten_when_they_are_met() {
    let (database, mut session) =
        database(&["CREATE TABLE t (k int PRIMARY KEY, v int)", "CREATE INDEX ON t (v)"]);
    for value in 0..10 {
        run(&mut session, &format!("INSERT INTO t (k, v) VALUES (1, {value})"));
    }
    let index = index(&database, 0);
    assert_eq!(entries(&index), 10);
    assert!(numbers(&mut session, "SELECT k FROM t WHERE v = 3").is_empty());
    assert_eq!(entries(&index), 9);
    assert_eq!(numbers(&mut session, "SELECT k FROM t WHERE v = 9"), [[1]]);
    run(&mut session, "DELETE FROM t WHERE k = 1");
    assert!(numbers(&mut session, "SELECT k FROM t WHERE v = 9").is_empty());
    assert_eq!(entries(&index), 8);
    run(&mut session, "TRUNCATE t");
    assert_eq!(entries(&index), 0);
}

#[test]
fn an_index_is_made_of_the_rows_that_are_there() {
    let (database, mut session) = database(&[
        "CREATE TABLE t (k int, c int, s int STATIC, m map<int, int>, PRIMARY KEY (k, c))",
        "INSERT INTO t (k, c, s, m) VALUES (1, 2, 3, {4: 5})",
        "INSERT INTO t (k, c, m) VALUES (1, 3, {4: 6})",
        "CREATE INDEX ON t (c)",
        "CREATE INDEX ON t (s)",
        "CREATE INDEX ON t (keys(m))",
        "CREATE INDEX ON t (entries(m))",
        "CREATE INDEX ON t (values(m))",
    ]);
    for (condition, rows) in [
        ("c = 3", vec![[1, 3]]),
        ("s = 3", vec![[1, 2], [1, 3]]),
        ("m CONTAINS KEY 4", vec![[1, 2], [1, 3]]),
        ("m[4] = 6", vec![[1, 3]]),
        ("m CONTAINS 5", vec![[1, 2]]),
    ] {
        let text = format!("SELECT k, c FROM t WHERE {condition}");
        assert_eq!(numbers(&mut session, &text), rows, "{condition}");
    }
    for at in 0..5 {
        assert!(index(&database, at).read().is_complete, "index {at} was searched");
    }
}

#[test]
fn a_value_of_many_rows_is_read_in_order_and_page_by_page() {
    let (_, mut session) = database(&[
        "CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))",
        "CREATE INDEX ON t (v) USING 'sai'",
    ]);
    for key in 0..40 {
        for row in 0..30 {
            run(
                &mut session,
                &format!("INSERT INTO t (k, c, v) VALUES ({key}, {row}, {})", row % 2),
            );
        }
    }
    let all = numbers(&mut session, "SELECT k, c FROM t WHERE v = 1 ALLOW FILTERING");
    let filtered = numbers(&mut session, "SELECT k, c, v FROM t");
    let odd = |row: &Vec<i32>| (row[2] == 1).then(|| row[..2].to_vec());
    assert_eq!(all, filtered.iter().filter_map(odd).collect::<Vec<_>>());
    let between = numbers(&mut session, "SELECT k, c FROM t WHERE v > 0 AND v <= 5");
    assert_eq!(between, all);
}

/// Rows that are written while an index or view is created are in it.
#[test]
fn nothing_is_missed_while_an_index_and_a_view_come() {
    let (database, mut session) = database(&["CREATE TABLE t (k int PRIMARY KEY, v int)"]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (mut session, done) = (database.session(), &done);
            session.set_keyspace("k");
            scope.spawn(move || {
                let mut key = thread;
                while !done.load(Ordering::Relaxed) {
                    run(&mut session, &format!("INSERT INTO t (k, v) VALUES ({key}, 7)"));
                    run(&mut session, &format!("UPDATE t SET v = 8 WHERE k = {}", key / 2));
                    key += 2;
                }
            });
        }
        std::thread::sleep(std::time::Duration::from_millis(30));
        run(&mut session, "CREATE INDEX ON t (v)");
        run(
            &mut session,
            "CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE v IS NOT NULL AND k IS NOT NULL PRIMARY KEY (v, k)",
        );
        numbers(&mut session, "SELECT k FROM t WHERE v = 7");
        std::thread::sleep(std::time::Duration::from_millis(30));
        done.store(true, Ordering::Relaxed);
    });
    for value in [7, 8] {
        let mut stored = numbers(&mut session, "SELECT k, v FROM t");
        stored.retain(|row| row[1] == value);
        let keys: Vec<i32> = stored.iter().map(|row| row[0]).collect();
        let by_index = format!("SELECT k FROM t WHERE v = {value}");
        let found = numbers(&mut session, &by_index);
        assert_eq!(found.concat(), keys, "by the index");
        let mut in_view = numbers(&mut session, &format!("SELECT k FROM w WHERE v = {value}"));
        in_view.sort();
        let mut keys = keys;
        keys.sort_unstable();
        assert_eq!(in_view.concat(), keys, "in the view");
    }
}

#[test]
fn keys_and_values_of_indexed_entries_have_a_maximum_length() {
    let (_database, mut session) = database(&[
        "CREATE TABLE t (k int PRIMARY KEY, m map<text, text>)",
        "CREATE INDEX ON t (entries(m)) USING 'sai'",
    ]);
    let (fits, long) = ("x".repeat(65_535), "x".repeat(65_536));
    run(&mut session, &format!("INSERT INTO t (k, m) VALUES (1, {{'{fits}': '{fits}'}})"));
    run(&mut session, &format!("DELETE m['{long}'] FROM t WHERE k = 1"));
    for text in [
        format!("INSERT INTO t (k, m) VALUES (1, {{'{long}': 'v'}})"),
        format!("UPDATE t SET m = m + {{'k': '{long}'}} WHERE k = 1"),
        format!("UPDATE t SET m['{long}'] = 'v' WHERE k = 1"),
        format!("UPDATE t SET m['k'] = '{long}' WHERE k = 1"),
    ] {
        let refused = session.query(&text, &Parameters::default()).unwrap_err();
        assert_eq!(refused.code, cql::ErrorCode::Server);
        let expected = "java.lang.IllegalArgumentException: Length 65536 > max length 65535";
        assert_eq!(refused.message, expected);
    }
}
