//! The cost of a schema change does not grow with the schema.

use std::sync::Arc;
use std::time::{Duration, Instant};

use storage::DataDirectory;
use storage::commit_log::LogOptions;
use storage::disk::{Disk, MemoryDisk};

use crate::{Database, Options, Parameters};

const TABLES: usize = 1000;

fn open(disk: &MemoryDisk) -> (Database, Duration) {
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let log = LogOptions::default();
    let directory = Some(DataDirectory { disk, folder: "/data".into(), log });
    let start = Instant::now();
    let database = Database::open(Options { directory, ..Options::default() }).unwrap();
    (database, start.elapsed())
}

#[expect(clippy::print_stderr, reason = "a measurement")]
#[test]
fn tables_are_created_dropped_and_opened_again() {
    let disk = MemoryDisk::new();
    let (database, _) = open(&disk);
    let mut session = database.session();
    let mut run = |text: &str| {
        session.query(text, &Parameters::default()).unwrap();
    };
    run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    let start = Instant::now();
    for table in 0..TABLES {
        run(&format!("CREATE TABLE k.t{table} (a int PRIMARY KEY, v text)"));
    }
    let created = start.elapsed();
    run("INSERT INTO k.t7 (a, v) VALUES (1, 'x')");
    for table in (0..TABLES).step_by(2) {
        run(&format!("DROP TABLE k.t{table}"));
    }
    drop((session, database));
    let (database, opened) = open(&disk);
    let schema = database.node().schema();
    let own = schema.tables().filter(|table| &*table.definition.keyspace == "k").count();
    assert_eq!(own, TABLES / 2);
    assert_eq!(schema.table("k", "t7").unwrap().rows.partition_count(), 1);
    assert!(schema.table("k", "t8").is_none());
    let mut session = database.session();
    session.query("DROP KEYSPACE k", &Parameters::default()).unwrap();
    drop((session, database, schema));
    let (database, reopened) = open(&disk);
    assert!(database.node().schema().table("k", "t7").is_none());
    eprintln!("{TABLES} tables: created in {created:?}, opened in {opened:?} and {reopened:?}");
}
