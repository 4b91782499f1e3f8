//! A server in `batch` mode under a mixed load, with schema changes and hostile connections beside it, that is killed and
//! started again: nothing acknowledged is lost, no request stays unanswered, and the memory does not grow.
//!
//! A few rounds of seconds in a test run; `HELENUS_ENDURANCE=60x60` makes 60 rounds of 60 seconds.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::process::{ServerProcess, connect, resident_bytes, temporary_folder};
use crate::print_uncaptured;
use crate::protocol::{Answer, Connection, Options};
use crate::rng::Rng;

const ROUNDS: usize = 3;
const SECONDS: u64 = 4;
const WRITERS: i32 = 6;
/// After so many rounds the writes, which were read again after each of them, are removed: otherwise the memory would
/// grow with the data.
const KEPT_ROUNDS: usize = 5;
/// No request may take longer.
const ANSWER_MAX: Duration = Duration::from_secs(15);

const SCHEMA: [&str; 3] = [
    "CREATE KEYSPACE IF NOT EXISTS k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE IF NOT EXISTS k.t (writer int, bucket int, n bigint, v text, PRIMARY KEY ((writer, bucket), n))",
    "CREATE TABLE IF NOT EXISTS k.removed (k int PRIMARY KEY, v text)",
];

/// What the clients of all rounds have done.
#[derive(Default)]
struct Account {
    /// Writer and number of every write that was acknowledged and not removed.
    acknowledged: Mutex<BTreeSet<(i32, u64)>>,
    removed: AtomicUsize,
    next: AtomicU64,
    answered: AtomicUsize,
    schema_changes: AtomicUsize,
    longest: Mutex<Duration>,
}

impl Account {
    /// Runs a request; an error if the server is gone.
    fn ask(&self, connection: &mut Connection, text: &str) -> io::Result<bool> {
        let began = Instant::now();
        let outcome = connection.query(text, &Options::default())?;
        self.answered.fetch_add(1, Ordering::Relaxed);
        let mut longest = self.longest.lock().unwrap_or_else(PoisonError::into_inner);
        *longest = longest.max(began.elapsed());
        Ok(outcome.result.is_ok())
    }

    fn write(&self, port: u16, writer: i32, is_over: &AtomicBool) -> io::Result<()> {
        let mut connection = open(port)?;
        let mut rng = Rng::new(u64::from(writer.unsigned_abs()));
        let value = "x".repeat(200);
        while !is_over.load(Ordering::Relaxed) {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let bucket = n % 100;
            let text = match rng.number_below(4) {
                0 => format!("SELECT * FROM k.t WHERE writer = {writer} AND bucket = {bucket}"),
                1 => format!(
                    "INSERT INTO k.removed (k, v) VALUES ({}, '{value}') USING TTL 1",
                    n % 50
                ),
                2 => format!("DELETE FROM k.removed WHERE k = {}", n % 50),
                _ => format!(
                    "INSERT INTO k.t (writer, bucket, n, v) VALUES ({writer}, {bucket}, {n}, '{value}')"
                ),
            };
            if self.ask(&mut connection, &text)? && text.starts_with("INSERT INTO k.t") {
                let mut acknowledged =
                    self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
                acknowledged.insert((writer, n));
            }
        }
        Ok(())
    }

    /// Every acknowledged write must be there.
    fn check_writes(&self, port: u16) {
        let acknowledged = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<_> = acknowledged.difference(&read_writes(port)).copied().collect();
        assert!(missing.is_empty(), "acknowledged, but lost: {missing:?}");
    }

    fn remove_writes(&self, connection: &mut Connection) {
        assert!(self.ask(connection, "TRUNCATE k.t").expect("the server answers"));
        let mut acknowledged = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
        self.removed.fetch_add(acknowledged.len(), Ordering::Relaxed);
        acknowledged.clear();
    }

    fn change_schema(&self, port: u16, is_over: &AtomicBool) -> io::Result<()> {
        let mut connection = open(port)?;
        while !is_over.load(Ordering::Relaxed) {
            for text in [
                "CREATE TABLE IF NOT EXISTS k.other (k int PRIMARY KEY, v text)",
                "ALTER TABLE k.other ADD IF NOT EXISTS w int",
                "CREATE INDEX IF NOT EXISTS other_w ON k.other (w)",
                "ALTER TABLE k.t WITH comment = 'changed'",
                "DROP TABLE IF EXISTS k.other",
                "TRUNCATE k.removed",
            ] {
                self.ask(&mut connection, text)?;
                self.schema_changes.fetch_add(1, Ordering::Relaxed);
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

fn open(port: u16) -> io::Result<Connection> {
    Connection::open(SocketAddr::from(([127, 0, 0, 1], port)), crate::protocol::Version::V4)
}

/// Opens connections that send half frames, bytes at random and frames that are too long, and never read.
fn attack(port: u16, is_over: &AtomicBool) {
    let mut rng = Rng::new(7);
    let mut held = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))) else {
            return;
        };
        let bytes: Vec<u8> = match rng.number_below(4) {
            0 => vec![4, 0, 0],
            1 => (0..rng.number_below(300))
                .map(|_| u8::try_from(rng.number_below(256)).unwrap_or(0))
                .collect(),
            2 => vec![4, 0, 0, 1, 7, 0x0f, 0xff, 0xff, 0xff],
            _ => vec![5, 0, 0, 1, 1, 0, 0, 0, 2, 0, 1],
        };
        let _ = stream.write_all(&bytes);
        held.push(stream);
        if held.len() > 300 {
            held.drain(..100);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The writes that the server has.
fn read_writes(port: u16) -> BTreeSet<(i32, u64)> {
    let mut connection = connect(port);
    let mut found = BTreeSet::new();
    let unpaged = Options { page_size: None, ..Options::default() };
    for (writer, bucket) in
        (0..WRITERS).flat_map(|writer| (0..100).map(move |bucket| (writer, bucket)))
    {
        let text = format!("SELECT n FROM k.t WHERE writer = {writer} AND bucket = {bucket}");
        let outcome = connection.query(&text, &unpaged).expect("the server answers");
        let Ok(Answer::Rows(page)) = outcome.result else { panic!("{text}: {:?}", outcome.result) };
        found.extend(page.rows.iter().map(|row| {
            let bytes = row[0].as_deref().expect("a clustering value");
            (writer, u64::from_be_bytes(bytes.try_into().expect("a bigint")))
        }));
    }
    found
}

/// One round: load until the server is killed. Returns its memory before that.
fn run_round(account: &Account, folder: &Path, round: usize, time: Duration) -> usize {
    let folder = folder.to_str().expect("a name in UTF-8");
    let server = ServerProcess::start(&["--port", "0", "--sync", "batch", "--data", folder], &[]);
    let port = server.port();
    let mut connection = connect(port);
    for text in SCHEMA {
        assert!(account.ask(&mut connection, text).expect("the server answers"), "{text}");
    }
    account.check_writes(port);
    if round > 0 && round.is_multiple_of(KEPT_ROUNDS) {
        account.remove_writes(&mut connection);
    }
    let is_over = AtomicBool::new(false);
    let mut resident = 0;
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let is_over = &is_over;
            // It ends with an error when the server is killed.
            scope.spawn(move || account.write(port, writer, is_over));
        }
        scope.spawn(|| account.change_schema(port, &is_over));
        scope.spawn(|| attack(port, &is_over));
        thread::sleep(time);
        resident = resident_bytes(server.id());
        // Killed in the middle of requests.
        drop(server);
        is_over.store(true, Ordering::Relaxed);
    });
    resident
}

#[test]
fn a_server_under_load_and_attack_survives_being_killed() {
    let asked = std::env::var("HELENUS_ENDURANCE").ok();
    let parsed = asked.as_deref().and_then(|text| {
        let (rounds, seconds) = text.split_once('x')?;
        Some((rounds.parse().ok()?, seconds.parse().ok()?))
    });
    let (rounds, seconds): (usize, u64) = parsed.unwrap_or((ROUNDS, SECONDS));
    let folder = temporary_folder("endurance");
    std::fs::remove_dir(&folder).expect("it is empty");
    let account = Account::default();
    let mut resident = Vec::new();
    for round in 0..rounds {
        resident.push(run_round(&account, &folder, round, Duration::from_secs(seconds)) >> 20);
    }
    run_round(&account, &folder, rounds, Duration::from_millis(100));
    let kept = account.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).len();
    let acknowledged = kept + account.removed.load(Ordering::Relaxed);
    let longest = *account.longest.lock().unwrap_or_else(PoisonError::into_inner);
    print_uncaptured(&format!(
        "serve: killed {rounds} times after {seconds} s: {acknowledged} acknowledged writes, none lost; {} requests answered, the slowest in {:.0} ms; {} schema changes; resident MB by round {resident:?}",
        account.answered.load(Ordering::Relaxed),
        longest.as_secs_f64() * 1e3,
        account.schema_changes.load(Ordering::Relaxed),
    ));
    assert!(acknowledged > 0 && account.schema_changes.load(Ordering::Relaxed) > 0);
    assert!(longest < ANSWER_MAX, "a request took {longest:?}");
    let _ = std::fs::remove_dir_all(folder);
}
