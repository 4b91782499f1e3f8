//! The tables by which tests control a node, on a node with a data directory.

use std::path::PathBuf;
use std::sync::Arc;

use storage::DataDirectory;
use storage::commit_log::LogOptions;
use storage::disk::MemoryDisk;

use crate::{Database, Options, Parameters, Pause, ResultMessage};

fn open(disk: &Arc<MemoryDisk>, test_hooks: Option<Pause>) -> crate::Result<Database> {
    let directory = DataDirectory {
        disk: Arc::clone(disk) as _,
        folder: PathBuf::from("data"),
        log: LogOptions::default(),
    };
    Database::open(Options { directory: Some(directory), test_hooks, ..Options::default() })
}

fn run(database: &Database, text: &str) -> usize {
    let result = database.session().query(text, &Parameters::default());
    match result.unwrap_or_else(|error| panic!("{text}: {error}")).outcome {
        ResultMessage::Rows(rows) => rows.count,
        _ => 0,
    }
}

const KEYSPACE: &str =
    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

#[test]
fn a_restored_snapshot_survives_a_restart_without_the_hooks() {
    let disk = Arc::new(MemoryDisk::default());
    let database = open(&disk, Some(|_| {})).unwrap();
    run(&database, KEYSPACE);
    run(&database, "CREATE TABLE ks.t (k int PRIMARY KEY)");
    run(&database, "INSERT INTO ks.t (k) VALUES (1)");
    run(&database, "INSERT INTO helenus.snapshots (name) VALUES ('a')");
    run(&database, "INSERT INTO ks.t (k) VALUES (2)");
    run(&database, "UPDATE helenus.snapshots SET restored = true WHERE name = 'a'");
    run(&database, "INSERT INTO ks.t (k) VALUES (3)");
    database.checkpoint().unwrap();
    drop(database);
    let database = open(&disk, None).unwrap();
    assert_eq!(run(&database, "SELECT * FROM ks.t"), 2);
    assert!(
        database.session().query("SELECT * FROM helenus.clock", &Parameters::default()).is_err()
    );
}

#[test]
fn the_keyspace_of_the_hooks_cannot_be_changed() {
    let disk = Arc::new(MemoryDisk::default());
    let database = open(&disk, Some(|_| {})).unwrap();
    for text in [
        "CREATE TABLE helenus.t (k int PRIMARY KEY)",
        "CREATE TYPE helenus.t (k int)",
        "ALTER KEYSPACE helenus WITH durable_writes = false",
        "ALTER TABLE helenus.clock WITH comment = 'x'",
        "ALTER TABLE helenus.clock ADD x int",
        "DROP TABLE helenus.clock",
        "DROP KEYSPACE helenus",
    ] {
        let refused = database.session().query(text, &Parameters::default());
        assert!(refused.is_err(), "{text} is accepted");
    }
    assert_eq!(run(&database, "SELECT * FROM helenus.clock"), 1);
    drop(database);
    assert!(open(&disk, None).is_ok());
}

#[test]
fn a_keyspace_of_users_keeps_its_name() {
    let disk = Arc::new(MemoryDisk::default());
    let database = open(&disk, None).unwrap();
    run(&database, &KEYSPACE.replace("ks", "helenus"));
    drop(database);
    assert!(open(&disk, Some(|_| {})).is_err());
    assert!(open(&disk, None).is_ok());
}

#[test]
fn no_time_and_no_fault_breaks_a_node() {
    let disk = Arc::new(MemoryDisk::default());
    let database = open(&disk, Some(|_| {})).unwrap();
    run(&database, KEYSPACE);
    run(&database, "CREATE TABLE ks.t (k int PRIMARY KEY, l list<int>)");
    let traced = Parameters { tracing: true, ..Parameters::default() };
    let mut session = database.session();
    for (millis, is_valid) in [
        (i64::MAX, false),
        (i64::MIN, false),
        (i64::MAX / 1_000, false),
        (-62_135_596_800_000, true),
        (253_402_300_799_999, true),
        (-1, true),
    ] {
        let set = format!("UPDATE helenus.clock SET now = {millis} WHERE key = 'local'");
        assert_eq!(session.query(&set, &traced).is_ok(), is_valid, "{millis}");
        for text in [
            "UPDATE ks.t SET l = [1] + l WHERE k = 1",
            "INSERT INTO ks.t (k) VALUES (2) IF NOT EXISTS",
            "SELECT now(), currentTimestamp(), currentDate(), writetime(l), ttl(l) FROM ks.t",
        ] {
            // Far from 1970, some are refused, as on a node.
            let _ = session.query(text, &traced);
        }
    }
    run(&database, "DELETE FROM helenus.clock WHERE key = 'local'");
    run(
        &database,
        "INSERT INTO helenus.faults (name, kind, required) VALUES ('a', 'unavailable', -2147483648)",
    );
    assert!(session.query("SELECT * FROM ks.t", &traced).is_err());
}
