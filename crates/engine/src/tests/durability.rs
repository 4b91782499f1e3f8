//! Acknowledged writes survive the end of the process, however it ends.

use std::sync::Arc;

use storage::DataDirectory;
use storage::clock::VirtualClock;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::{Disk, FaultPlan, FaultyDisk, MemoryDisk};

use crate::Database;
use crate::Options;
use crate::Parameters;
use crate::ResultMessage;
use crate::ResultSet;
use crate::SeededEntropy;
use crate::Session;

const KEYSPACE: &str =
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

fn open(disk: &Arc<dyn Disk>) -> crate::Result<Database> {
    let log = LogOptions { sync: SyncMode::Batch, ..LogOptions::default() };
    let directory = DataDirectory { disk: Arc::clone(disk), folder: "/data".into(), log };
    let clock = Arc::new(VirtualClock::new(1_700_000_000_000_000));
    let entropy = Arc::new(SeededEntropy::new(7));
    Database::open(Options { directory: Some(directory), clock, entropy, ..Options::default() })
}

fn run(session: &mut Session, text: &str) -> ResultMessage {
    let answer = session.query(text, &Parameters::default());
    answer.unwrap_or_else(|error| panic!("{text}: {error}")).outcome
}

fn rows(session: &mut Session, text: &str) -> Vec<Vec<Option<Vec<u8>>>> {
    let ResultMessage::Rows(rows) = run(session, text) else { panic!("{text}: no rows") };
    let owned = |row: Vec<Option<&[u8]>>| row.iter().map(|value| value.map(Into::into)).collect();
    ResultSet::iter(&rows).map(owned).collect()
}

const SCRIPT: [&str; 24] = [
    KEYSPACE,
    "CREATE TYPE k.address (street text, zip int)",
    "CREATE TABLE k.t (a int, b int, s int static, v text, m map<int, text>, PRIMARY KEY (a, b))",
    "CREATE TABLE k.gone (a int PRIMARY KEY, home frozen<address>)",
    "CREATE INDEX ON k.gone (home)",
    "CREATE TABLE k.counters (a int PRIMARY KEY, n counter)",
    "CREATE MATERIALIZED VIEW k.by_v AS SELECT a, b, v, m FROM k.t WHERE v IS NOT NULL AND a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (v, a, b)",
    "INSERT INTO k.t (a, b, v, m) VALUES (1, 1, 'x', {1: 'one', 2: 'two'})",
    "UPDATE k.t SET s = 5 WHERE a = 1",
    "INSERT INTO k.t (a, b, v) VALUES (1, 2, 'y') USING TTL 1000",
    "DELETE m[1] FROM k.t WHERE a = 1 AND b = 1",
    "INSERT INTO k.t (a, b, v) VALUES (2, 1, 'z')",
    "DELETE FROM k.t WHERE a = 2 AND b > 0",
    "UPDATE k.counters SET n = n + 5 WHERE a = 1",
    "UPDATE k.counters SET n = n + 7 WHERE a = 1",
    "INSERT INTO k.gone (a) VALUES (1)",
    "DROP TABLE k.gone",
    "CREATE TABLE k.gone (a int PRIMARY KEY, w text)",
    "INSERT INTO k.gone (a, w) VALUES (2, 'new')",
    "ALTER TABLE k.gone ADD x int",
    "ALTER TABLE k.gone DROP w",
    "ALTER TABLE k.gone ADD w text",
    "CREATE INDEX ON k.t (s)",
    "BEGIN BATCH INSERT INTO k.t (a, b, v) VALUES (3, 1, 'p') INSERT INTO k.gone (a, x) VALUES (3, 3) APPLY BATCH",
];

const QUESTIONS: [&str; 9] = [
    "SELECT a, b, s, v, m, writetime(v) FROM k.t",
    "SELECT v, a, b, m FROM k.by_v",
    "SELECT * FROM k.counters",
    "SELECT * FROM k.gone",
    "SELECT a FROM k.t WHERE s = 5",
    "SELECT keyspace_name, table_name, id FROM system_schema.tables WHERE keyspace_name = 'k'",
    "SELECT * FROM system_schema.dropped_columns WHERE keyspace_name = 'k'",
    "SELECT host_id, schema_version FROM system.local",
    "SELECT type_name, field_names FROM system_schema.types WHERE keyspace_name = 'k'",
];

fn answers(database: &Database) -> Vec<Vec<Vec<Option<Vec<u8>>>>> {
    let mut session = database.session();
    QUESTIONS.iter().map(|question| rows(&mut session, question)).collect()
}

#[test]
fn everything_is_there_after_a_crash() {
    let memory = MemoryDisk::new();
    let mut disk: Arc<dyn Disk> = Arc::new(memory.clone());
    let mut session = open(&disk).unwrap().session();
    for (at, text) in SCRIPT.iter().enumerate() {
        run(&mut session, text);
        // The power is lost at every third statement; the schema history is compacted now and then.
        if at % 3 == 0 {
            drop(session);
            let before = open(&disk).unwrap();
            if at % 2 == 0 {
                before.checkpoint().unwrap();
            }
            drop(before);
            session = open(&disk).unwrap().session();
        }
    }
    drop(session);
    let expected = {
        let database = open(&disk).unwrap();
        answers(&database)
    };
    disk = Arc::new(memory.crash());
    assert_eq!(answers(&open(&disk).unwrap()), expected);
    open(&disk).unwrap().checkpoint().unwrap();
    assert_eq!(answers(&open(&disk).unwrap()), expected);
    // A checkpoint of a database that was opened from a checkpoint.
    open(&disk).unwrap().checkpoint().unwrap();
    assert_eq!(answers(&open(&disk).unwrap()), expected);
}

#[test]
fn truncated_rows_stay_away() {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let mut session = open(&disk).unwrap().session();
    for text in [
        KEYSPACE,
        "CREATE TABLE k.t (a int PRIMARY KEY)",
        "INSERT INTO k.t (a) VALUES (1)",
        "TRUNCATE k.t",
        "INSERT INTO k.t (a) VALUES (2)",
    ] {
        run(&mut session, text);
    }
    drop(session);
    let mut session = open(&disk).unwrap().session();
    assert_eq!(rows(&mut session, "SELECT a FROM k.t"), [[Some(vec![0, 0, 0, 2])]]);
}

#[test]
fn a_folder_is_held_by_one() {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let first = open(&disk).unwrap();
    let refusal = open(&disk).unwrap_err();
    assert!(refusal.message.contains("/data"), "{refusal}");
    drop(first);
    assert!(open(&disk).is_ok());
}

#[test]
fn a_write_that_the_disk_refuses_is_refused() {
    let memory = MemoryDisk::new();
    let plain: Arc<dyn Disk> = Arc::new(memory.clone());
    let mut session = open(&plain).unwrap().session();
    run(&mut session, KEYSPACE);
    run(&mut session, "CREATE TABLE k.t (a int PRIMARY KEY, v text)");
    drop(session);
    for fail_at in 1..6 {
        let disk = MemoryDisk::crash(&memory);
        let plan = FaultPlan { fail_sync: Some(fail_at), ..FaultPlan::default() };
        let faulty: Arc<dyn Disk> = Arc::new(FaultyDisk::new(Arc::new(disk.clone()), plan));
        let Ok(database) = open(&faulty) else { continue };
        let mut session = database.session();
        let mut acknowledged = Vec::new();
        for a in 0..10_i32 {
            let text = format!("INSERT INTO k.t (a, v) VALUES ({a}, 'x')");
            if session.query(&text, &Parameters::default()).is_ok() {
                acknowledged.push(vec![Some(a.to_be_bytes().to_vec())]);
            }
        }
        assert!(acknowledged.len() < 10, "sync {fail_at} does not fail");
        drop((session, database));
        let after: Arc<dyn Disk> = Arc::new(disk.crash());
        let mut session = open(&after).unwrap().session();
        let found = rows(&mut session, "SELECT a FROM k.t");
        assert!(acknowledged.iter().all(|row| found.contains(row)), "after sync {fail_at}");
    }
}
