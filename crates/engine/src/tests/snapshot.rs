//! Snapshots: everything is as it was, in a time that does not depend on the amount.

use std::sync::Arc;
use std::time::Instant;

use cql::ErrorCode;
use storage::DataDirectory;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::{Disk, FaultPlan, FaultyDisk, MemoryDisk};

use crate::{Database, Options, Parameters, ResultMessage, ResultSet, Session};

fn run(session: &mut Session, text: &str) -> ResultMessage {
    let answer = session.query(text, &Parameters::default());
    answer.unwrap_or_else(|error| panic!("{text}: {error}")).outcome
}

fn run_all(session: &mut Session, texts: &[&str]) {
    for text in texts {
        run(session, text);
    }
}

fn rows(session: &mut Session, text: &str) -> Vec<Vec<Option<Vec<u8>>>> {
    let ResultMessage::Rows(rows) = run(session, text) else { panic!("{text}: no rows") };
    let owned = |row: Vec<Option<&[u8]>>| row.iter().map(|value| value.map(Into::into)).collect();
    ResultSet::iter(&rows).map(owned).collect()
}

const BEFORE: [&str; 10] = [
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE k.t (a int, b int, v text, PRIMARY KEY (a, b))",
    "CREATE INDEX ON k.t (v)",
    "CREATE MATERIALIZED VIEW k.by_v AS SELECT a, b, v FROM k.t WHERE v IS NOT NULL AND a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (v, a, b)",
    "CREATE TABLE k.dropped (a int PRIMARY KEY, v text)",
    "CREATE TABLE k.counters (a int PRIMARY KEY, n counter)",
    "INSERT INTO k.t (a, b, v) VALUES (1, 1, 'x')",
    "INSERT INTO k.t (a, b, v) VALUES (1, 2, 'y')",
    "INSERT INTO k.dropped (a, v) VALUES (1, 'back')",
    "UPDATE k.counters SET n = n + 5 WHERE a = 1",
];

const AFTER: [&str; 12] = [
    "UPDATE k.t SET v = 'changed' WHERE a = 1 AND b = 1",
    "DELETE FROM k.t WHERE a = 1 AND b = 2",
    "INSERT INTO k.t (a, b, v) VALUES (2, 1, 'new')",
    "ALTER TABLE k.t ADD w int",
    "INSERT INTO k.t (a, b, w) VALUES (3, 1, 4)",
    "DROP TABLE k.dropped",
    "CREATE TABLE k.dropped (other int PRIMARY KEY)",
    "CREATE TABLE k.created (a int PRIMARY KEY)",
    "INSERT INTO k.created (a) VALUES (1)",
    "UPDATE k.counters SET n = n + 7 WHERE a = 1",
    "DROP MATERIALIZED VIEW k.by_v",
    "TRUNCATE k.counters",
];

const QUESTIONS: [&str; 7] = [
    "SELECT * FROM k.t",
    "SELECT b FROM k.t WHERE v = 'y'",
    "SELECT b FROM k.t WHERE v = 'changed'",
    "SELECT v, a, b FROM k.by_v",
    "SELECT * FROM k.dropped",
    "SELECT * FROM k.counters",
    "SELECT table_name, id FROM system_schema.tables WHERE keyspace_name = 'k'",
];

fn answers(database: &Database) -> Vec<Vec<Vec<Option<Vec<u8>>>>> {
    let mut session = database.session();
    QUESTIONS.iter().map(|question| rows(&mut session, question)).collect()
}

fn open_on(disk: Arc<dyn Disk>) -> Database {
    let log = LogOptions { sync: SyncMode::Batch, ..LogOptions::default() };
    let directory = Some(DataDirectory { disk, folder: "/data".into(), log });
    Database::open(Options { directory, ..Options::default() }).unwrap()
}

fn open(disk: Option<&MemoryDisk>) -> Database {
    match disk {
        Some(disk) => open_on(Arc::new(disk.clone())),
        None => Database::open_in_memory(Options::default()).unwrap(),
    }
}

#[test]
fn a_restore_brings_back_rows_and_schema() {
    for disk in [None, Some(MemoryDisk::new())] {
        let database = open(disk.as_ref());
        let mut session = database.session();
        run_all(&mut session, &BEFORE);
        let expected = answers(&database);
        let version = database.schema_version();
        let prepared = session.prepare("SELECT v FROM k.t WHERE a = 1 AND b = 1").unwrap();
        let snapshot = database.snapshot();
        // Twice: a snapshot can be restored more than once.
        for _ in 0..2 {
            run_all(&mut session, &AFTER);
            database.restore(&snapshot).unwrap();
            assert_eq!(answers(&database), expected);
            assert_ne!(database.schema_version(), version);
            let found = session.execute(&prepared, &Parameters::default()).unwrap().outcome;
            assert!(matches!(found, ResultMessage::Rows(rows) if rows.count == 1));
        }
        let Some(disk) = disk else { continue };
        run(&mut session, "INSERT INTO k.dropped (a, v) VALUES (2, 'after')");
        let expected = answers(&database);
        drop((session, database));
        for disk in [disk.crash(), disk.kill()] {
            assert_eq!(answers(&open(Some(&disk))), expected);
        }
    }
}

#[test]
fn a_restore_that_the_disk_refuses_changes_nothing() {
    let memory = MemoryDisk::new();
    let plan = FaultPlan { room: Some(150_000), ..FaultPlan::default() };
    let database = open_on(Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan)));
    let mut session = database.session();
    run(&mut session, BEFORE[0]);
    run(&mut session, "CREATE TABLE k.t (a int PRIMARY KEY, v text)");
    run(&mut session, &format!("INSERT INTO k.t (a, v) VALUES (1, '{}')", "x".repeat(100_000)));
    let snapshot = database.snapshot();
    run(&mut session, "CREATE TABLE k.later (a int PRIMARY KEY)");
    run(&mut session, "INSERT INTO k.t (a, v) VALUES (2, 'y')");
    let version = database.schema_version();
    assert_eq!(database.restore(&snapshot).unwrap_err().code, ErrorCode::Server);
    assert_eq!(rows(&mut session, "SELECT a FROM k.t").len(), 2);
    assert_eq!(database.schema_version(), version);
    drop((session, database));
    let mut session = open(Some(&memory.crash())).session();
    assert_eq!(rows(&mut session, "SELECT a FROM k.t").len(), 2);
    assert!(rows(&mut session, "SELECT a FROM k.later").is_empty());
}

#[expect(clippy::print_stderr, reason = "a measurement")]
#[test]
fn a_snapshot_takes_no_time() {
    let database = open(None);
    let mut session = database.session();
    run(&mut session, BEFORE[0]);
    run(&mut session, "CREATE TABLE k.t (a int, b int, v text, PRIMARY KEY (a, b))");
    let mut taken = Vec::new();
    for rows in [100, 5_000] {
        for row in 0..rows {
            run(
                &mut session,
                &format!("INSERT INTO k.t (a, b, v) VALUES ({}, {row}, 'v')", row % 99),
            );
        }
        let snapshot = database.snapshot();
        // The fastest of several: other tests take processors away.
        let times = (0..5).map(|_| {
            let start = Instant::now();
            drop(database.snapshot());
            start.elapsed()
        });
        let snapshot_time = times.min().unwrap();
        for row in 0..100 {
            run(&mut session, &format!("INSERT INTO k.t (a, b, v) VALUES ({row}, {row}, 'w')"));
        }
        let start = Instant::now();
        database.restore(&snapshot).unwrap();
        taken.push((rows, snapshot_time, start.elapsed()));
    }
    for (rows, snapshot, restore) in &taken {
        eprintln!("{rows} rows: snapshot {snapshot:?}, restore after 100 writes {restore:?}");
        assert!(snapshot.as_millis() < 50 && restore.as_millis() < 50, "{taken:?}");
    }
}
