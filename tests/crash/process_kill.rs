//! A process that writes at full speed is killed again and again; its folder grows.
//!
//! The process is this test binary, told by the environment to write instead of to test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use storage::disk::SystemDisk;

use super::{SCHEMA, WriteKey, is_in_both_tables, open, read_writes, run, statement};
use crate::rng::Rng;

const ROUNDS: i32 = 20;
const ROUNDS_FULL: i32 = 200;
const THREADS: i32 = 2;
/// Where the writing process keeps its data, and which round it is.
const FOLDER: &str = "HELENUS_CRASH_FOLDER";
const ROUND: &str = "HELENUS_CRASH_ROUND";
/// Every so many rounds the process is writing checkpoints when it is killed.
const CHECKPOINT_ROUNDS: i32 = 3;
/// Every so many rounds it is killed while it opens.
const OPENING_ROUNDS: i32 = 7;
const ACKNOWLEDGED: &str = "acknowledged ";

/// Not a test: what the killed process does.
#[test]
fn writes_until_it_is_killed() {
    let (Some(folder), Ok(round)) = (std::env::var_os(FOLDER), std::env::var(ROUND)) else {
        return;
    };
    let round: i32 = round.parse().unwrap();
    let database = open(Arc::new(SystemDisk), Path::new(&folder)).unwrap();
    for text in SCHEMA {
        run(&mut database.session(), text).unwrap();
    }
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let mut session = database.session();
            scope.spawn(move || {
                for number in 0..i32::MAX {
                    run(&mut session, &statement((round, thread, number))).unwrap();
                    let line = format!("\n{ACKNOWLEDGED}{thread} {number}\n");
                    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
                }
            });
        }
        if round % CHECKPOINT_ROUNDS == 0 {
            scope.spawn(|| {
                loop {
                    database.checkpoint().unwrap();
                }
            });
        }
    });
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let full = std::env::var_os("HELENUS_FULL").is_some();
    let rounds = if full { ROUNDS_FULL } else { ROUNDS };
    let folder = std::env::temp_dir().join(format!("helenus-crash-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let mut rng = Rng::new(1);
    let mut acknowledged = BTreeSet::new();
    for round in 0..rounds {
        acknowledged.extend(run_and_kill(&folder, round, &mut rng));
        check(&folder, round, &acknowledged);
    }
    crate::print_uncaptured(&format!(
        "crash: killed {rounds} times, {} acknowledged writes, none lost",
        acknowledged.len()
    ));
    let _ = fs::remove_dir_all(&folder);
}

/// Starts a writer, kills it, and tells what it acknowledged.
fn run_and_kill(folder: &PathBuf, round: i32, rng: &mut Rng) -> Vec<WriteKey> {
    let mut writer = Command::new(std::env::current_exe().expect("this binary has a path"))
        .args(["--exact", "crash::process_kill::writes_until_it_is_killed", "--nocapture"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this binary starts");
    let mut lines =
        BufReader::new(writer.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let parse = |line: &str| -> Option<WriteKey> {
        let (thread, number) = line.strip_prefix(ACKNOWLEDGED)?.split_once(' ')?;
        Some((round, thread.parse().ok()?, number.parse().ok()?))
    };
    let mut acknowledged = Vec::new();
    if round % OPENING_ROUNDS != OPENING_ROUNDS - 1 {
        let first = lines.find_map(|line| parse(&line));
        acknowledged.push(first.unwrap_or_else(|| panic!("round {round}: nothing was written")));
    }
    // Nobody reads meanwhile: a pipe holds more than a writer says in this time.
    std::thread::sleep(Duration::from_micros(rng.next() % 120_000));
    writer.kill().expect("it is killed");
    writer.wait().expect("it ends");
    acknowledged.extend(lines.filter_map(|line| parse(&line)));
    acknowledged
}

/// Opens the folder: everything acknowledged is there, nothing is torn, and nothing is there that was never asked for.
fn check(folder: &Path, round: i32, acknowledged: &BTreeSet<WriteKey>) {
    let database = open(Arc::new(SystemDisk), folder).unwrap_or_else(|error| {
        panic!("round {round}: {} does not open: {error}", folder.display())
    });
    let mut session = database.session();
    for text in SCHEMA {
        run(&mut session, text).unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
    let first: BTreeSet<_> = read_writes(&mut session, "first").into_iter().collect();
    let second: BTreeSet<_> = read_writes(&mut session, "second").into_iter().collect();
    let lost: Vec<_> = acknowledged.difference(&first).collect();
    assert!(lost.is_empty(), "round {round}: lost {lost:?}; see {}", folder.display());
    let twice: BTreeSet<_> = first.iter().copied().filter(|one| is_in_both_tables(one.2)).collect();
    assert_eq!(twice, second, "round {round}: a batch is torn; see {}", folder.display());
    let mut last = BTreeMap::new();
    for (round, thread, number) in acknowledged {
        last.insert((*round, *thread), *number);
    }
    for (round, thread, number) in &first {
        let known = last.get(&(*round, *thread)).copied().unwrap_or(-1);
        assert!(*number <= known + 1, "round {round}: thread {thread} has written {number}");
    }
    if round % 5 == 4 {
        database.checkpoint().unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
}
