//! The limit of the memory: writes beyond it are refused, everything else goes on.

use cql::ErrorCode;

use crate::{Database, Options, Parameters, ResultMessage, Session};

const LIMIT: u64 = 2 << 20;

fn run(session: &mut Session, text: &str) -> crate::Result<ResultMessage> {
    session.query(text, &Parameters::default()).map(|result| result.outcome)
}

/// Inserts rows until one is refused, and returns how many were accepted.
fn fill(session: &mut Session, table: &str) -> i32 {
    let value = "x".repeat(1000);
    for key in 0..10_000 {
        let insert = format!("INSERT INTO {table} (k, v) VALUES ({key}, '{value}')");
        if let Err(refusal) = run(session, &insert) {
            assert_eq!(refusal.code, ErrorCode::Overloaded);
            return key;
        }
    }
    panic!("nothing was refused");
}

#[test]
fn a_write_beyond_the_limit_is_refused() {
    let options = Options { memory_limit: Some(LIMIT), ..Options::default() };
    let database = Database::open_in_memory(options).unwrap();
    let mut session = database.session();
    run(
        &mut session,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    )
    .unwrap();
    run(&mut session, "CREATE TABLE k.t (k int PRIMARY KEY, v text)").unwrap();
    run(&mut session, "CREATE TABLE k.other (k int PRIMARY KEY, v text)").unwrap();
    let accepted = fill(&mut session, "k.t");
    assert!((1000..2000).contains(&accepted), "{accepted}");
    assert!(database.byte_size() <= LIMIT);
    // Reads, also traced ones, and deletions go on.
    let traced = Parameters { tracing: true, ..Parameters::default() };
    let read = session.query("SELECT count(*) FROM k.t", &traced).unwrap();
    assert!(matches!(read.outcome, ResultMessage::Rows(_)));
    for key in 0..accepted / 2 {
        run(&mut session, &format!("DELETE FROM k.t WHERE k = {key}")).unwrap();
    }
    let again = fill(&mut session, "k.other");
    assert!(again > accepted / 3, "{again} after {accepted}");
    run(&mut session, "TRUNCATE k.t").unwrap();
    run(&mut session, "DROP TABLE k.other").unwrap();
    assert!(fill(&mut session, "k.t") >= accepted - 1);
    // Rows that are replaced again and again need no more room.
    run(&mut session, "TRUNCATE k.t").unwrap();
    let value = "y".repeat(10_000);
    for _ in 0..500 {
        run(&mut session, &format!("INSERT INTO k.t (k, v) VALUES (1, '{value}')")).unwrap();
    }
}
