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
fn a_keyspace_of_users_keeps_its_name() {
    let disk = Arc::new(MemoryDisk::default());
    let database = open(&disk, None).unwrap();
    run(&database, &KEYSPACE.replace("ks", "helenus"));
    drop(database);
    assert!(open(&disk, Some(|_| {})).is_err());
    assert!(open(&disk, None).is_ok());
}
