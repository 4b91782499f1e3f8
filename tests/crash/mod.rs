//! What was acknowledged in `batch` mode is there, whatever became of the process or the disk.

mod faults;
mod process_kill;

use std::path::Path;
use std::sync::Arc;

use engine::{Database, Options, Parameters, ResultMessage, Session};
use storage::DataDirectory;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::Disk;

/// Segments are small, so that many are begun and checkpoints drop some.
const SEGMENT_BYTES: u64 = 64 << 10;

/// Two tables, so that a batch can be torn.
const SCHEMA: [&str; 3] = [
    "CREATE KEYSPACE IF NOT EXISTS k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE IF NOT EXISTS k.first (round int, thread int, number int, v text, PRIMARY KEY ((round, thread), number))",
    "CREATE TABLE IF NOT EXISTS k.second (round int, thread int, number int, PRIMARY KEY ((round, thread), number))",
];

/// A write is named by its round, its thread and its number there; numbers go up from zero.
type WriteKey = (i32, i32, i32);

fn open(disk: Arc<dyn Disk>, folder: &Path) -> engine::Result<Database> {
    let log = LogOptions { sync: SyncMode::Batch, segment_size: SEGMENT_BYTES };
    let directory = DataDirectory { disk, folder: folder.to_owned(), log };
    Database::open(Options { directory: Some(directory), ..Options::default() })
}

fn run(session: &mut Session, text: &str) -> engine::Result<ResultMessage> {
    session.query(text, &Parameters::default()).map(|answer| answer.outcome)
}

/// The statement of a write: every third goes into both tables.
fn statement((round, thread, number): WriteKey) -> String {
    let value = "x".repeat(100);
    let first = format!(
        "INSERT INTO k.first (round, thread, number, v) VALUES ({round}, {thread}, {number}, '{value}')"
    );
    if is_in_both_tables(number) {
        let second = format!(
            "INSERT INTO k.second (round, thread, number) VALUES ({round}, {thread}, {number})"
        );
        format!("BEGIN BATCH {first}; {second}; APPLY BATCH")
    } else {
        first
    }
}

fn is_in_both_tables(number: i32) -> bool {
    number % 3 == 0
}

/// What a table holds.
fn read_writes(session: &mut Session, table: &str) -> Vec<WriteKey> {
    let text = format!("SELECT round, thread, number FROM k.{table}");
    let parameters = Parameters { page_size: None, ..Parameters::default() };
    let answer = session.query(&text, &parameters).unwrap_or_else(|error| panic!("{error}"));
    let ResultMessage::Rows(rows) = answer.outcome else { panic!("{text}: no rows") };
    let number = |value: Option<&[u8]>| {
        i32::from_be_bytes(value.and_then(|bytes| bytes.try_into().ok()).expect("an int"))
    };
    rows.iter().map(|row| (number(row[0]), number(row[1]), number(row[2]))).collect()
}
