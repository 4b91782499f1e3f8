//! What a database costs besides its statements: many tables, the start from a data directory, and
//! the memory of rows.
//!
//! `cargo bench -p engine --bench start` prints seconds, and how far the estimate of the memory is
//! from what the process takes; `-- memory`, `tables` or `recovery` runs one of the sections.

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark that fails has nothing to say")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use engine::{Database, MarkerValue, MarkerValues, Options, Parameters, Session};
use storage::DataDirectory;
use storage::commit_log::LogOptions;
use storage::disk::SystemDisk;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const TABLES: usize = 10_000;
const LOG_BYTES: usize = 1 << 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let sections: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |name: &str| sections.is_empty() || sections.iter().any(|own| *own == name);
    let scale = if is_test { 1000 } else { 1 };
    let folder = std::env::temp_dir().join(format!("helenus-start-{}", std::process::id()));
    if is_wanted("memory") {
        let payloads = [10, 100, 1000, 20_000];
        let rows = |payload| 100_000_000 / scale / (payload + 100);
        // They are all kept until the end: memory that is freed would be used again.
        let _all = payloads.map(|payload| compare_memory(payload, rows(payload)));
    }
    if is_wanted("tables") {
        create_tables(None, 1, TABLES / scale);
        for clients in [1, 64] {
            create_tables(Some(&folder), clients, TABLES / scale);
        }
    }
    if is_wanted("recovery") {
        recover(&folder, LOG_BYTES / scale);
    }
}

fn open(folder: Option<&Path>) -> Database {
    let directory = folder.map(|folder| DataDirectory {
        disk: Arc::new(SystemDisk),
        folder: PathBuf::from(folder),
        log: LogOptions::default(),
    });
    Database::open(Options { directory, ..Options::default() }).unwrap()
}

fn query(session: &mut Session, text: &str) {
    session.query(text, &Parameters::default()).unwrap();
}

const KEYSPACE: &str =
    "CREATE KEYSPACE b WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

/// Creates tables, opens the folder again, drops the keyspace and opens it once more.
fn create_tables(folder: Option<&Path>, clients: usize, count: usize) {
    let database = open(folder);
    query(&mut database.session(), KEYSPACE);
    let (start, next) = (Instant::now(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..clients {
            let (mut session, next) = (database.session(), &next);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    let columns = "k int, c int, v text, w map<int, text>, PRIMARY KEY (k, c)";
                    query(&mut session, &format!("CREATE TABLE b.t{i} ({columns})"));
                }
            });
        }
    });
    let created = start.elapsed().as_secs_f64();
    let place = if folder.is_some() { "on disk" } else { "in memory" };
    println!("{count} tables by {clients} clients, {place}: {created:.2} s");
    let Some(folder) = folder else { return };
    let reopen = |database: Database, what: &str| {
        drop(database);
        let start = Instant::now();
        let database = open(Some(folder));
        println!("opened again {what}: {:.2} s", start.elapsed().as_secs_f64());
        database
    };
    let database = reopen(database, "with all tables");
    let start = Instant::now();
    query(&mut database.session(), "DROP KEYSPACE b");
    println!("DROP KEYSPACE: {:.2} s", start.elapsed().as_secs_f64());
    drop(reopen(database, "after DROP KEYSPACE"));
    std::fs::remove_dir_all(folder).unwrap();
}

fn insert(session: &mut Session, table: &str, payload: usize, rows: usize) {
    let prepared = session.prepare(&format!("INSERT INTO b.{table} (k, v) VALUES (?, ?)")).unwrap();
    let payload = vec![7; payload];
    for row in 0..rows {
        let key = u64::try_from(row).unwrap().to_be_bytes();
        let values = vec![MarkerValue::Bytes(&key), MarkerValue::Bytes(&payload)];
        let values = MarkerValues::Positional(values);
        session.execute(&prepared, &Parameters { values, ..Parameters::default() }).unwrap();
    }
}

/// Seconds for a gigabyte of the log, and of a checkpoint of the same rows.
fn recover(folder: &Path, log_bytes: usize) {
    let database = open(Some(folder));
    let mut session = database.session();
    query(&mut session, KEYSPACE);
    query(&mut session, "CREATE TABLE b.t (k bigint PRIMARY KEY, v blob)");
    insert(&mut session, "t", 100, log_bytes / 168);
    drop((session, database));
    for what in ["log", "checkpoint"] {
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let database = open(Some(folder));
        let seconds = start.elapsed().as_secs_f64();
        let cpu = cpu_seconds() - cpu;
        let files = std::fs::read_dir(folder).unwrap();
        let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
        let per_gigabyte = seconds / bytes as f64 * 1e9;
        println!(
            "start from {bytes} bytes of {what}: {seconds:.2} s ({cpu:.2} s of CPU), {per_gigabyte:.2} s/GB"
        );
        let start = Instant::now();
        database.checkpoint().unwrap();
        println!("checkpoint: {:.2} s", start.elapsed().as_secs_f64());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The estimate of the store beside the growth of the process.
fn compare_memory(payload: usize, rows: usize) -> Database {
    let database = open(None);
    let mut session = database.session();
    query(&mut session, KEYSPACE);
    for table in ["points", "slices"] {
        let key = if table == "points" {
            "k bigint PRIMARY KEY"
        } else {
            "p int, k bigint, PRIMARY KEY (p, k)"
        };
        let columns =
            if table == "points" { format!("{key}, v blob") } else { format!("v blob, {key}") };
        query(&mut session, &format!("CREATE TABLE b.{table} ({columns})"));
        let (resident, estimated) = (resident_bytes(), database.byte_size());
        if table == "points" {
            insert(&mut session, table, payload, rows);
        } else {
            insert_slices(&mut session, payload, rows);
        }
        let grown = resident_bytes() - resident;
        let estimated = (database.byte_size() - estimated) as f64;
        println!(
            "{rows} rows of {payload} bytes in {table}: {:.0} bytes a row, estimated {:.0} ({:+.1} %)",
            grown / rows as f64,
            estimated / rows as f64,
            (estimated / grown - 1.0) * 100.0
        );
    }
    database
}

fn insert_slices(session: &mut Session, payload: usize, rows: usize) {
    let prepared = session.prepare("INSERT INTO b.slices (p, k, v) VALUES (?, ?, ?)").unwrap();
    let payload = vec![7; payload];
    for row in 0..rows {
        let partition = i32::try_from(row / 500).unwrap().to_be_bytes();
        let key = u64::try_from(row).unwrap().to_be_bytes();
        let values = vec![
            MarkerValue::Bytes(&partition),
            MarkerValue::Bytes(&key),
            MarkerValue::Bytes(&payload),
        ];
        let values = MarkerValues::Positional(values);
        session.execute(&prepared, &Parameters { values, ..Parameters::default() }).unwrap();
    }
}

/// Seconds of processor time that all threads took.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    ticks.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Bytes of memory that the process holds.
fn resident_bytes() -> f64 {
    const PAGE: f64 = 4096.0;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse().ok());
    pages.map_or(0.0, |pages: f64| pages * PAGE)
}
