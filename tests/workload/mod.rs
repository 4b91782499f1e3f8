//! Random workloads: the same statements on the engine and on a real Cassandra, and the same answers.
//!
//! `HELENUS_WORKLOAD=seed` runs that round only, `HELENUS_STATEMENTS` chooses how many statements are run,
//! `HELENUS_FULL=1` runs 50,000.

mod condition;
mod difference;
mod read;
mod round;
mod schema;
mod side;
mod statement;
mod value;
mod write;

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Statements of a run.
const STATEMENTS: u64 = 2_000;
const STATEMENTS_FULL: u64 = 50_000;
/// Statements of one schema.
const ROUND: u64 = 500;
/// Rounds that run at the same time: the node works while the engine does.
const THREADS: usize = 2;
/// Differences after which a run gives up.
const DIFFERENCES_MAX: usize = 5;

#[derive(Default)]
struct Totals {
    asked: AtomicU64,
    refused: AtomicU64,
    failures: AtomicU64,
    rows: AtomicU64,
    differences: Mutex<Vec<String>>,
}

#[test]
fn the_engine_answers_as_cassandra_does() {
    let Some(address) = crate::cassandra::node() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let only = number("HELENUS_WORKLOAD");
    let full = std::env::var_os("HELENUS_FULL").is_some();
    let usual = if full { STATEMENTS_FULL } else { STATEMENTS };
    let wanted = if only.is_some() { 1 } else { number("HELENUS_STATEMENTS").unwrap_or(usual) };
    let (seed, totals) = (AtomicU64::new(only.unwrap_or(1)), Totals::default());
    std::thread::scope(|scope| {
        for _ in 0..if only.is_some() { 1 } else { THREADS } {
            scope.spawn(|| work(&seed, wanted, address, &totals));
        }
    });
    let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
    let line = format!(
        "workload: {} statements, {} refused by both, {} failed on the node itself, {} rows",
        count(&totals.asked),
        count(&totals.refused),
        count(&totals.failures),
        count(&totals.rows)
    );
    let differences = totals.differences.into_inner().unwrap();
    assert!(differences.is_empty(), "{line}\n{}", differences.join("\n\n"));
    crate::print_uncaptured(&line);
}

fn work(seed: &AtomicU64, wanted: u64, address: SocketAddr, totals: &Totals) {
    while totals.asked.load(Ordering::Relaxed) < wanted {
        let seed = seed.fetch_add(1, Ordering::Relaxed);
        let round = round::run(seed, ROUND, address).expect("the node answers");
        totals.asked.fetch_add(round.asked, Ordering::Relaxed);
        totals.refused.fetch_add(round.refused, Ordering::Relaxed);
        totals.failures.fetch_add(round.failures, Ordering::Relaxed);
        totals.rows.fetch_add(round.rows, Ordering::Relaxed);
        let mut differences = totals.differences.lock().expect("nobody panicked");
        differences.extend(round.difference);
        if differences.len() >= DIFFERENCES_MAX {
            return;
        }
    }
}
