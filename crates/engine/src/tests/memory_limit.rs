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

#[test]
fn tombstones_do_not_grow_without_end() {
    const LIMIT: u64 = 256 << 10;
    let options = Options { memory_limit: Some(LIMIT), ..Options::default() };
    let database = Database::open_in_memory(options).unwrap();
    let mut session = database.session();
    run(
        &mut session,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    )
    .unwrap();
    run(&mut session, "CREATE TABLE k.t (k int, c int, PRIMARY KEY (k, c))").unwrap();
    let refusal = (0..100_000)
        .find_map(|row| {
            run(&mut session, &format!("DELETE FROM k.t WHERE k = 1 AND c = {row}")).err()
        })
        .expect("nothing was refused");
    assert_eq!(refusal.code, ErrorCode::Overloaded);
    assert!((LIMIT..=LIMIT + LIMIT / 8).contains(&database.byte_size()));
    run(&mut session, "TRUNCATE k.t").unwrap();
    run(&mut session, "INSERT INTO k.t (k, c) VALUES (1, 1)").unwrap();
}

/// The bytes of the entries of indexes.
fn index_bytes(database: &Database) -> u64 {
    database.byte_size() - database.node().store.byte_size()
}

#[test]
fn the_memory_of_indexes_counts() {
    let options = Options { memory_limit: Some(LIMIT), ..Options::default() };
    let database = Database::open_in_memory(options).unwrap();
    let mut session = database.session();
    run(
        &mut session,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    )
    .unwrap();
    run(&mut session, "CREATE TABLE k.t (k int PRIMARY KEY, v text)").unwrap();
    let without = fill(&mut session, "k.t");
    run(&mut session, "TRUNCATE k.t").unwrap();
    run(&mut session, "CREATE INDEX ON k.t (v)").unwrap();
    let with = fill(&mut session, "k.t");
    // The value is in the index once more.
    assert!(with > without / 3 && with < without * 2 / 3, "{with} of {without} rows");
    assert!(database.byte_size() <= LIMIT + 4096, "{}", database.byte_size());
    assert!(index_bytes(&database) > u64::try_from(with).unwrap() * 1000);
    run(&mut session, "TRUNCATE k.t").unwrap();
    assert_eq!(index_bytes(&database), 0);
    assert_eq!(fill(&mut session, "k.t"), with);
    run(&mut session, "DROP INDEX k.t_v_idx").unwrap();
    assert_eq!(index_bytes(&database), 0);
}

#[test]
fn an_index_that_does_not_fit_is_not_built() {
    let options = Options { memory_limit: Some(LIMIT), ..Options::default() };
    let database = Database::open_in_memory(options).unwrap();
    let mut session = database.session();
    run(
        &mut session,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    )
    .unwrap();
    run(&mut session, "CREATE TABLE k.t (k int PRIMARY KEY, v text)").unwrap();
    let accepted = fill(&mut session, "k.t");
    run(&mut session, "CREATE INDEX ON k.t (v)").unwrap();
    let search = format!("SELECT k FROM k.t WHERE v = '{}'", "x".repeat(1000));
    let count = |session: &mut Session| match run(session, &search).unwrap() {
        ResultMessage::Rows(rows) => rows.iter().count(),
        _ => panic!("no rows"),
    };
    // All rows are read instead, and nothing is kept.
    for _ in 0..3 {
        assert_eq!(count(&mut session), usize::try_from(accepted).unwrap());
        assert_eq!(index_bytes(&database), 0);
    }
    for key in 0..accepted * 3 / 4 {
        run(&mut session, &format!("DELETE FROM k.t WHERE k = {key}")).unwrap();
    }
    run(&mut session, "INSERT INTO k.t (k, v) VALUES (-1, 'y')").unwrap();
    let left = usize::try_from(accepted - accepted * 3 / 4).unwrap();
    assert_eq!(count(&mut session), left);
    assert!(index_bytes(&database) > left as u64 * 1000, "there is room for it now");
}
