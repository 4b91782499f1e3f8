//! Views of a database in memory. Their results are compared with a real node by the recorded
//! cases; here is what these cannot cover.

use crate::Database;
use crate::ExecutionResult;
use crate::Options;
use crate::request::{MarkerValue, MarkerValues, Parameters};
use crate::result::ResultMessage;
use crate::session::Session;

fn session(statements: &[&str]) -> Session {
    let mut session = Database::open_in_memory(Options::default()).unwrap().session();
    let keyspace =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    session.query(keyspace, &Parameters::default()).unwrap();
    session.set_keyspace("k");
    for statement in statements {
        run(&mut session, statement);
    }
    session
}

fn run(session: &mut Session, text: &str) -> ExecutionResult {
    session.query(text, &Parameters::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn count(answer: ExecutionResult) -> usize {
    if let ResultMessage::Rows(rows) = answer.outcome { rows.count } else { 0 }
}

/// A view row that moved is not returned by a prepared read of its old key either, although its
/// cells still exist.
#[test]
fn an_entry_without_its_key_column_is_gone_for_every_read() {
    let mut session = session(&[
        "CREATE TABLE t (k int PRIMARY KEY, a int, b int)",
        "CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE a IS NOT NULL AND k IS NOT NULL PRIMARY KEY (a, k)",
        "INSERT INTO t (k, a, b) VALUES (1, 1, 7)",
        "UPDATE t SET a = 2 WHERE k = 1",
        "UPDATE t SET b = 8 WHERE k = 1",
    ]);
    let prepared = session.prepare("SELECT b FROM v WHERE a = ? AND k = ?").unwrap();
    for (key, rows) in [(1_i32, 0), (2, 1)] {
        let (key, row) = (key.to_be_bytes(), 1_i32.to_be_bytes());
        let values =
            MarkerValues::Positional(vec![MarkerValue::Bytes(&key), MarkerValue::Bytes(&row)]);
        let parameters = Parameters { values, ..Parameters::default() };
        assert_eq!(count(session.execute(&prepared, &parameters).unwrap()), rows);
    }
    assert_eq!(count(run(&mut session, "SELECT * FROM v")), 1);
}

/// Calls in a view's WHERE clause are evaluated; a real node returns the same rows.
#[test]
fn the_clause_of_a_view_may_hold_calls() {
    let mut session = session(&[
        "CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))",
        "CREATE MATERIALIZED VIEW sum AS SELECT * FROM t WHERE k IS NOT NULL AND c = 1 + 1 PRIMARY KEY (c, k)",
        "CREATE MATERIALIZED VIEW one AS SELECT * FROM t WHERE k = blob_as_int(0x00000001) AND c IS NOT NULL PRIMARY KEY (c, k)",
        "INSERT INTO t (k, c, v) VALUES (1, 2, 3)",
        "INSERT INTO t (k, c, v) VALUES (2, 3, 3)",
    ]);
    assert_eq!(count(run(&mut session, "SELECT * FROM sum WHERE c = 2")), 1);
    assert_eq!(count(run(&mut session, "SELECT * FROM sum")), 1);
    assert_eq!(count(run(&mut session, "SELECT * FROM one WHERE c = 2")), 1);
    assert_eq!(count(run(&mut session, "SELECT * FROM one")), 1);
}

/// Many rows are copied in chunks, and deleting a partition deletes all of its view rows.
#[test]
fn a_view_of_many_rows_is_filled_and_emptied() {
    let mut session = session(&["CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))"]);
    for row in 0..1200 {
        run(&mut session, &format!("INSERT INTO t (k, c, v) VALUES (1, {row}, {})", row % 7));
    }
    run(
        &mut session,
        "CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE v IS NOT NULL AND c IS NOT NULL AND k IS NOT NULL PRIMARY KEY (v, c, k)",
    );
    assert_eq!(count(run(&mut session, "SELECT * FROM w")), 1200);
    run(&mut session, "DELETE FROM t WHERE k = 1 AND c >= 100 AND c < 700");
    assert_eq!(count(run(&mut session, "SELECT * FROM w")), 600);
    run(&mut session, "DELETE FROM t WHERE k = 1");
    assert_eq!(count(run(&mut session, "SELECT * FROM w")), 0);
}
