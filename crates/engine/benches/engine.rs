//! The engine in process, compared with a plain `BTreeMap` behind a lock.
//!
//! `cargo bench -p engine` prints operations per second, memory per row, and the ratio of each to
//! the map.

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark that fails has nothing to say")]

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use std::time::Instant;

use engine::{
    Database, MarkerValue, MarkerValues, Options, Parameters, PreparedStatement, ResultMessage,
    Session,
};
use storage::DataDirectory;
use storage::commit_log::LogOptions;
use storage::disk::SystemDisk;

const ROWS: i32 = 1_000_000;
const READS: i32 = 1_000_000;
const THREADS: i32 = 2;
const PAYLOAD: usize = 100;

fn main() {
    // `cargo test --benches` runs it too, to see that it runs; it measures nothing then.
    let is_test = std::env::args().any(|argument| argument == "--test");
    let scale = if is_test { 1000 } else { 1 };
    open_and_define();
    let (inserts, per_row) = inserts(ROWS / scale, false);
    let (logged, _) = self::inserts(ROWS / scale, true);
    let plain = map_inserts(ROWS / scale);
    print("inserts in memory", inserts, plain.0);
    print("inserts, periodic log", logged, plain.0);
    println!("memory per 100-byte row: {per_row:.0} bytes ({:.2} x its cells)", per_row / 100.0);
    let (reads, slices) = reads(ROWS / scale, READS / scale);
    print("point reads", reads, plain.1);
    println!(
        "100-row slice of 1,000 rows: {:.1} us; of 1,000,000 rows: {:.1} us; ratio {:.2}",
        slices.0,
        slices.1,
        slices.1 / slices.0
    );
}

fn print(what: &str, ours: f64, map: f64) {
    println!("{what}: {ours:.0}/s; BTreeMap {map:.0}/s; ratio {:.2}", ours / map);
}

fn query(session: &mut Session, text: &str) {
    session.query(text, &Parameters::default()).unwrap();
}

fn open_and_define() {
    let start = Instant::now();
    let database = Database::open_in_memory(Options::default()).unwrap();
    println!("open an empty database: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut session = database.session();
    define(&mut session);
    let start = Instant::now();
    for i in 0..100 {
        query(
            &mut session,
            &format!("CREATE TABLE b.t{i} (k int, c int, v text, PRIMARY KEY (k, c))"),
        );
    }
    println!("CREATE TABLE: {:.3} ms", start.elapsed().as_secs_f64() * 1e3 / 100.0);
    let start = Instant::now();
    for i in 0..100 {
        query(&mut session, &format!("TRUNCATE b.t{i}"));
    }
    println!("TRUNCATE: {:.3} ms", start.elapsed().as_secs_f64() * 1e3 / 100.0);
}

fn define(session: &mut Session) {
    query(
        session,
        "CREATE KEYSPACE b WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    query(session, "CREATE TABLE b.points (k int PRIMARY KEY, v blob)");
    query(session, "CREATE TABLE b.slices (k int, c int, v blob, PRIMARY KEY (k, c))");
}

fn insert(session: &mut Session, prepared: &PreparedStatement, keys: &[i32], payload: &[u8]) {
    let keys: Vec<[u8; 4]> = keys.iter().map(|key| key.to_be_bytes()).collect();
    let mut values: Vec<MarkerValue<'_>> = keys.iter().map(|key| MarkerValue::Bytes(key)).collect();
    values.push(MarkerValue::Bytes(payload));
    let values = MarkerValues::Positional(values);
    session.execute(prepared, &Parameters { values, ..Parameters::default() }).unwrap();
}

/// Rows inserted per second by all threads, and bytes of memory for each.
fn inserts(rows: i32, on_disk: bool) -> (f64, f64) {
    let folder = std::env::temp_dir().join(format!("helenus-bench-{}", std::process::id()));
    let directory = on_disk.then(|| DataDirectory {
        disk: Arc::new(SystemDisk),
        folder: folder.clone(),
        log: LogOptions::default(),
    });
    let database = Database::open(Options { directory, ..Options::default() }).unwrap();
    define(&mut database.session());
    let before = resident_bytes();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let mut session = database.session();
            scope.spawn(move || {
                let prepared =
                    session.prepare("INSERT INTO b.points (k, v) VALUES (?, ?)").unwrap();
                let payload = [u8::try_from(thread).unwrap_or(0); PAYLOAD];
                for key in (thread..rows).step_by(usize::try_from(THREADS).unwrap_or(1)) {
                    insert(&mut session, &prepared, &[key], &payload);
                }
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let per_row = (resident_bytes() - before) / f64::from(rows);
    drop(database);
    if on_disk {
        let _ = std::fs::remove_dir_all(folder);
    }
    (f64::from(rows) / seconds, per_row)
}

/// Point reads per second, and microseconds of a slice from a small and from a large partition.
fn reads(rows: i32, reads: i32) -> (f64, (f64, f64)) {
    let database = Database::open_in_memory(Options::default()).unwrap();
    let mut session = database.session();
    define(&mut session);
    let point = session.prepare("INSERT INTO b.points (k, v) VALUES (?, ?)").unwrap();
    let slice = session.prepare("INSERT INTO b.slices (k, c, v) VALUES (?, ?, ?)").unwrap();
    for key in 0..rows {
        insert(&mut session, &point, &[key], &[7; PAYLOAD]);
        insert(&mut session, &slice, &[1, key], &[7; PAYLOAD]);
    }
    for key in 0..1000.min(rows) {
        insert(&mut session, &slice, &[0, key], &[7; PAYLOAD]);
    }
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let mut session = database.session();
            scope.spawn(move || {
                let prepared = session.prepare("SELECT k, v FROM b.points WHERE k = ?").unwrap();
                for at in (thread..reads).step_by(usize::try_from(THREADS).unwrap_or(1)) {
                    let key = scatter(at, rows).to_be_bytes();
                    let values = MarkerValues::Positional(vec![MarkerValue::Bytes(&key)]);
                    let parameters = Parameters { values, ..Parameters::default() };
                    let answer = session.execute(&prepared, &parameters).unwrap();
                    assert!(matches!(answer.outcome, ResultMessage::Rows(rows) if rows.count == 1));
                }
            });
        }
    });
    let points = f64::from(reads) / start.elapsed().as_secs_f64();
    let small = slices(&mut session, 0, 1000.min(rows));
    let large = slices(&mut session, 1, rows);
    (points, (small, large))
}

fn slices(session: &mut Session, partition: i32, rows: i32) -> f64 {
    const TIMES: i32 = 5000;
    let text = "SELECT k, c, v FROM b.slices WHERE k = ? AND c >= ? LIMIT 100";
    let prepared = session.prepare(text).unwrap();
    let start = Instant::now();
    for at in 0..TIMES {
        let (key, from) = (partition.to_be_bytes(), scatter(at, rows - 100).to_be_bytes());
        let values =
            MarkerValues::Positional(vec![MarkerValue::Bytes(&key), MarkerValue::Bytes(&from)]);
        let parameters = Parameters { values, ..Parameters::default() };
        let answer = session.execute(&prepared, &parameters).unwrap();
        assert!(matches!(answer.outcome, ResultMessage::Rows(rows) if rows.count == 100));
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES)
}

/// Numbers that jump about.
fn scatter(at: i32, below: i32) -> i32 {
    i32::try_from(i64::from(at) * 7_919 % i64::from(below.max(1))).unwrap_or(0)
}

/// Inserts and reads per second of the map.
fn map_inserts(rows: i32) -> (f64, f64) {
    let map: RwLock<BTreeMap<Vec<u8>, Vec<u8>>> = RwLock::default();
    let run = |each: &(dyn Fn(i32) + Sync)| {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    (thread..rows).step_by(usize::try_from(THREADS).unwrap_or(1)).for_each(each);
                });
            }
        });
        f64::from(rows) / start.elapsed().as_secs_f64()
    };
    let inserts = run(&|key| {
        // The order of the ring: the same scattering of keys.
        let token = schema::partitioner::Token::from_key(&key.to_be_bytes()).0;
        map.write().unwrap().insert(token.to_be_bytes().to_vec(), vec![7; PAYLOAD]);
    });
    let reads = run(&|at| {
        let key = scatter(at, rows).to_be_bytes();
        let token = schema::partitioner::Token::from_key(&key).0;
        let value = map.read().unwrap().get(&token.to_be_bytes()[..]).cloned();
        assert!(value.is_some());
    });
    (inserts, reads)
}

/// Bytes of memory that the process holds; zero where nobody says.
fn resident_bytes() -> f64 {
    const PAGE: f64 = 4096.0;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse().ok());
    pages.map_or(0.0, |pages: f64| pages * PAGE)
}
