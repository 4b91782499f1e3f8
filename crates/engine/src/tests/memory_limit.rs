//! The limit of the memory: writes and schema statements beyond it are refused, everything else goes
//! on.

use std::sync::Arc;

use cql::ErrorCode;
use storage::DataDirectory;
use storage::commit_log::LogOptions;
use storage::disk::{Disk, MemoryDisk};

use crate::{Database, Options, Parameters, ResultMessage, Session};

const LIMIT: u64 = 2 << 20;
const KEYSPACE: &str =
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

fn run(session: &mut Session, text: &str) -> crate::Result<ResultMessage> {
    session.query(text, &Parameters::default()).map(|result| result.outcome)
}

/// A database with a limit, and an empty keyspace in it.
fn open(limit: u64) -> (Database, Session) {
    let options = Options { memory_limit: Some(limit), ..Options::default() };
    let database = Database::open_in_memory(options).unwrap();
    let mut session = database.session();
    run(&mut session, KEYSPACE).unwrap();
    (database, session)
}

/// Runs statements until one is refused for lack of memory, and returns how many were accepted.
fn run_until_refused(session: &mut Session, text: impl Fn(usize) -> String) -> usize {
    for at in 0..100_000 {
        if let Err(refusal) = run(session, &text(at)) {
            assert_eq!(refusal.code, ErrorCode::Overloaded, "{refusal}");
            return at;
        }
    }
    panic!("nothing was refused");
}

/// Inserts rows until one is refused, and returns how many were accepted.
fn fill(session: &mut Session, table: &str) -> i32 {
    let value = "x".repeat(1000);
    let insert = |key| format!("INSERT INTO {table} (k, v) VALUES ({key}, '{value}')");
    i32::try_from(run_until_refused(session, insert)).unwrap()
}

#[test]
fn a_write_beyond_the_limit_is_refused() {
    let (database, mut session) = open(LIMIT);
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
    let (database, mut session) = open(LIMIT);
    run(&mut session, "CREATE TABLE k.t (k int, c int, PRIMARY KEY (k, c))").unwrap();
    run_until_refused(&mut session, |row| format!("DELETE FROM k.t WHERE k = 1 AND c = {row}"));
    assert!((LIMIT..=LIMIT + LIMIT / 8).contains(&database.byte_size()));
    run(&mut session, "TRUNCATE k.t").unwrap();
    run(&mut session, "INSERT INTO k.t (k, c) VALUES (1, 1)").unwrap();
}

/// The bytes of the entries of indexes.
fn index_bytes(database: &Database) -> u64 {
    let schema = database.node().schema();
    schema.tables().map(|table| table.rows.measure_derived_memory().byte_size()).sum()
}

#[test]
fn the_memory_of_indexes_counts() {
    let (database, mut session) = open(LIMIT);
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
    let (database, mut session) = open(LIMIT);
    run(&mut session, "CREATE TABLE k.t (k int PRIMARY KEY, v text)").unwrap();
    // There is room for its definition, but not for its entries.
    let accepted = fill(&mut session, "k.t") - 20;
    for key in accepted..accepted + 20 {
        run(&mut session, &format!("DELETE FROM k.t WHERE k = {key}")).unwrap();
    }
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

fn create_table(at: usize) -> String {
    let comment = "x".repeat(20_000);
    format!("CREATE TABLE k.t{at} (k int PRIMARY KEY, v text) WITH comment = '{comment}'")
}

#[test]
fn the_memory_of_the_schema_counts() {
    let (database, mut session) = open(LIMIT);
    for statement in [
        "CREATE TABLE k.t (k int PRIMARY KEY, v text)",
        "CREATE INDEX i ON k.t (v)",
        "CREATE TYPE k.u (a int)",
        "CREATE MATERIALIZED VIEW k.m AS SELECT * FROM k.t WHERE k IS NOT NULL AND v IS NOT NULL \
         PRIMARY KEY (v, k)",
    ] {
        run(&mut session, statement).unwrap();
    }
    let before = database.byte_size();
    let accepted = run_until_refused(&mut session, create_table);
    // The text is in the history and in the catalog, at least.
    assert!((10..50).contains(&accepted), "{accepted}");
    assert!(database.byte_size() > before + accepted as u64 * 40_000);
    assert!(database.byte_size() <= LIMIT);
    let altered = run_until_refused(&mut session, |at| {
        format!("ALTER TABLE k.t0 WITH comment = '{at}{}'", "y".repeat(1000))
    });
    assert!(altered < 50, "{altered}");
    run_until_refused(&mut session, |at| format!("ALTER TYPE k.u ADD f{at} int"));
    run_until_refused(&mut session, |at| format!("INSERT INTO k.t (k, v) VALUES ({at}, 'x')"));
    // What drops something goes on, and makes room.
    for statement in ["DROP MATERIALIZED VIEW k.m", "DROP INDEX k.i", "DROP TYPE k.u"] {
        run(&mut session, statement).unwrap();
    }
    for at in 0..accepted {
        run(&mut session, &format!("DROP TABLE k.t{at}")).unwrap();
    }
    let again = run_until_refused(&mut session, create_table);
    assert!((accepted - 2..=accepted).contains(&again), "{again} after {accepted}");
    run(&mut session, "DROP KEYSPACE k").unwrap();
    assert!(database.byte_size() < 100_000, "{}", database.byte_size());
    run(&mut session, KEYSPACE).unwrap();
    assert!(run_until_refused(&mut session, create_table) >= accepted);
}

#[test]
fn the_memory_of_the_schema_is_known_after_a_start_and_a_restore() {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let open = || {
        let (disk, log) = (Arc::clone(&disk), LogOptions::default());
        let directory = Some(DataDirectory { disk, folder: "/data".into(), log });
        Database::open(Options { directory, ..Options::default() }).unwrap()
    };
    let database = open();
    let mut session = database.session();
    run(&mut session, KEYSPACE).unwrap();
    run(&mut session, &create_table(1)).unwrap();
    let (snapshot, before) = (database.snapshot(), database.byte_size());
    run(&mut session, &create_table(2)).unwrap();
    assert!(database.byte_size() > before + 40_000);
    database.restore(&snapshot).unwrap();
    assert_eq!(database.byte_size(), before);
    drop((session, snapshot, database));
    assert_eq!(open().byte_size(), before);
}

/// An entry for each of many elements, each with a long key.
#[test]
fn entries_are_counted_before_they_are_made() {
    let (database, mut session) = open(LIMIT);
    run(&mut session, "CREATE TABLE k.t (k text PRIMARY KEY, s set<int>)").unwrap();
    run(&mut session, "CREATE INDEX i ON k.t (s)").unwrap();
    let elements: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
    let (key, elements) = ("k".repeat(10_000), elements.join(", "));
    let insert = format!("INSERT INTO k.t (k, s) VALUES ('{key}', {{{elements}}})");
    assert_eq!(run(&mut session, &insert).unwrap_err().code, ErrorCode::Overloaded);
    run(&mut session, "DROP INDEX k.i").unwrap();
    run(&mut session, &insert).unwrap();
    run(&mut session, "CREATE INDEX i ON k.t (s)").unwrap();
    let before = database.byte_size();
    let found = run(&mut session, "SELECT k FROM k.t WHERE s CONTAINS 7").unwrap();
    assert!(matches!(found, ResultMessage::Rows(rows) if rows.count == 1));
    assert_eq!(database.byte_size(), before);
}
