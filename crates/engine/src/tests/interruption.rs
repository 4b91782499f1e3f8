//! Statements that are told to stop while they search an index, build one, match a pattern or compute
//! with long numbers.

use std::cell::Cell;
use std::fmt::Write;
use std::time::{Duration, Instant};

use cql::ErrorCode;

use crate::node::index::IndexHandle;
use crate::{
    Database, Error, Interruption, Options, Parameters, RequestGovernor, ResultMessage, Session,
};

const KEYSPACE: &str =
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
const ROWS: usize = 6_000;
/// The time between two checks that a test accepts, also of a build without optimisation on a busy
/// machine.
const PAUSE_MAX: Duration = Duration::from_millis(1500);

/// Ends a request at a check, and measures the longest time without one.
#[derive(Debug)]
struct CountingGovernor {
    checks: Cell<usize>,
    ends_at: usize,
    last: Cell<Instant>,
    longest_pause: Cell<Duration>,
}

impl CountingGovernor {
    fn new(ends_at: usize) -> Self {
        Self {
            checks: Cell::new(0),
            ends_at,
            last: Cell::new(Instant::now()),
            longest_pause: Cell::default(),
        }
    }
}

impl RequestGovernor for CountingGovernor {
    fn start(&self, _limit: Duration) {
        self.last.set(Instant::now());
    }

    fn check(&self) -> Result<(), Interruption> {
        let pause = self.last.replace(Instant::now()).elapsed();
        self.longest_pause.set(self.longest_pause.get().max(pause));
        self.checks.set(self.checks.get() + 1);
        if self.checks.get() >= self.ends_at { Err(Interruption::TimedOut) } else { Ok(()) }
    }

    fn check_result(&self, _bytes: usize) -> Result<(), Interruption> {
        Ok(())
    }
}

fn open(statements: &[&str]) -> (Database, Session) {
    let database = Database::open_in_memory(Options::default()).unwrap();
    let mut session = database.session();
    run(&mut session, KEYSPACE);
    session.set_keyspace("k");
    for statement in statements {
        run(&mut session, statement);
    }
    (database, session)
}

fn run(session: &mut Session, text: &str) {
    session.query(text, &Parameters::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
}

/// Runs a statement to its end or to a check; returns the governor and the number of rows.
fn run_governed(
    session: &mut Session,
    text: &str,
    ends_at: usize,
) -> (CountingGovernor, Result<usize, Error>) {
    let governor = CountingGovernor::new(ends_at);
    let parameters =
        Parameters { page_size: None, governor: Some(&governor), ..Parameters::default() };
    let outcome = session.query(text, &parameters).map(|result| result.outcome);
    let rows = outcome.map(|outcome| match outcome {
        ResultMessage::Rows(rows) => rows.iter().count(),
        _ => 0,
    });
    (governor, rows)
}

/// Runs a statement that makes this many checks at least, and ends it at the one in the middle.
fn end_halfway(session: &mut Session, text: &str, checks_min: usize) {
    let (all, rows) = run_governed(session, text, usize::MAX);
    rows.unwrap_or_else(|e| panic!("{text}: {e}"));
    let (checks, pause) = (all.checks.get(), all.longest_pause.get());
    assert!(checks >= checks_min, "{checks} checks: {text:.100}");
    assert!(pause < PAUSE_MAX, "{pause:?} without a check: {text:.100}");
    let (half, refused) = run_governed(session, text, checks / 2);
    assert_eq!(refused.unwrap_err().code, ErrorCode::ReadTimeout);
    // A function that stops asks once more for the reason.
    assert!(half.checks.get() <= checks / 2 + 1, "{half:?}");
}

/// Inserts rows with the same value, in one partition or in one each.
fn fill(session: &mut Session, is_wide: bool) {
    for at in 0..ROWS {
        let key = if is_wide { 0 } else { at };
        run(session, &format!("INSERT INTO t (k, c, v, w) VALUES ({key}, {at}, 1, {at})"));
    }
}

fn is_complete(index: &IndexHandle) -> bool {
    index.read().is_complete
}

#[test]
fn the_build_of_an_index_ends_in_time_and_goes_on_later() {
    for is_wide in [false, true] {
        let (database, mut session) =
            open(&["CREATE TABLE t (k int, c int, v int, w int, PRIMARY KEY (k, c))"]);
        fill(&mut session, is_wide);
        run(&mut session, "CREATE INDEX ON t (v)");
        let index = database.node().schema().table("k", "t").unwrap().indexes[0].clone();
        let search = "SELECT c FROM t WHERE v = 1 LIMIT 1";
        let (mut requests, mut entries) = (0, 0);
        while !is_complete(&index) {
            // A few checks for each request: the first ones are those of the build.
            let (governor, _) = run_governed(&mut session, search, 4);
            assert!(governor.longest_pause.get() < PAUSE_MAX, "{governor:?}");
            let now = index.read().entries.len();
            assert!(now > entries || is_complete(&index), "no progress from {entries} entries");
            (requests, entries) = (requests + 1, now);
            // A row that is written between two parts of the build is found as well.
            run(&mut session, &format!("INSERT INTO t (k, c, v) VALUES (0, {}, 1)", -requests));
        }
        assert!(requests > 2, "{requests} requests");
        let (_, found) = run_governed(&mut session, "SELECT c FROM t WHERE v = 1", usize::MAX);
        assert_eq!(found, Ok(ROWS + usize::try_from(requests).unwrap()));
    }
}

#[test]
fn a_request_that_waits_for_the_build_of_another_ends_in_time() {
    let (database, mut session) =
        open(&["CREATE TABLE t (k int PRIMARY KEY, v int)", "CREATE INDEX ON t (v)"]);
    let index = database.node().schema().table("k", "t").unwrap().indexes[0].clone();
    let building = index.builds.start().unwrap();
    let (governor, refused) = run_governed(&mut session, "SELECT k FROM t WHERE v = 1", 5);
    assert_eq!(refused.unwrap_err().code, ErrorCode::ReadTimeout);
    assert_eq!(governor.checks.get(), 5);
    drop(building);
    assert_eq!(run_governed(&mut session, "SELECT k FROM t WHERE v = 1", 50).1, Ok(0));
}

#[test]
fn an_index_search_ends_in_time() {
    for is_wide in [false, true] {
        let (_database, mut session) = open(&[
            "CREATE TABLE t (k int, c int, v int, w int, PRIMARY KEY (k, c))",
            "CREATE INDEX ON t (v)",
            "CREATE INDEX ON t (w) USING 'sai'",
        ]);
        fill(&mut session, is_wide);
        // No row is returned, so that only the search is checked.
        let none = "SELECT c FROM t WHERE v = 1 AND w = -1 ALLOW FILTERING";
        run_governed(&mut session, none, usize::MAX).1.unwrap();
        end_halfway(&mut session, "SELECT c FROM t WHERE v = 1 LIMIT 100000", ROWS / 256);
        end_halfway(&mut session, "SELECT c FROM t WHERE w >= 0", ROWS / 256);
        // Entries of rows that have changed are dropped on the way: nothing is found.
        for at in 0..ROWS / 2 {
            let key = if is_wide { 0 } else { at };
            run(&mut session, &format!("UPDATE t SET v = 2 WHERE k = {key} AND c = {at}"));
        }
        let (governor, found) =
            run_governed(&mut session, "SELECT c FROM t WHERE v = 1", usize::MAX);
        assert_eq!(found, Ok(ROWS - ROWS / 2));
        assert!(governor.checks.get() >= ROWS / 256, "{governor:?}");
    }
}

#[test]
fn matching_a_pattern_ends_in_time() {
    let (_database, mut session) = open(&[
        "CREATE TABLE t (k int PRIMARY KEY, v text)",
        "CREATE CUSTOM INDEX ON t (v) USING 'org.apache.cassandra.index.sasi.SASIIndex' WITH \
         OPTIONS = {'mode': 'CONTAINS'}",
    ]);
    // A comparison at each place would compare 20 million times 30,000 letters.
    let value = "a".repeat(1_000_000);
    for key in 0..20 {
        run(&mut session, &format!("INSERT INTO t (k, v) VALUES ({key}, '{value}')"));
    }
    let text = format!("SELECT k FROM t WHERE v LIKE '%{}b%'", "a".repeat(30_000));
    end_halfway(&mut session, &text, 15);
    let found = run_governed(&mut session, "SELECT k FROM t WHERE v LIKE '%aaa%'", usize::MAX).1;
    assert_eq!(found, Ok(20));
}

#[test]
fn computing_with_long_numbers_and_printing_them_ends_in_time() {
    let (_database, mut session) = open(&[
        "CREATE TABLE t (k int PRIMARY KEY, v varint, l list<varint>)",
        "INSERT INTO t (k) VALUES (1)",
    ]);
    let mut hex = String::from("0x71");
    for at in 0..10_000_u32 {
        write!(hex, "{:02x}", at.wrapping_mul(2_654_435_769) >> 24).unwrap();
    }
    run(&mut session, &format!("UPDATE t SET v = blob_as_varint({hex}) WHERE k = 1"));
    for _ in 0..16 {
        run(&mut session, &format!("UPDATE t SET l += [blob_as_varint({hex})] WHERE k = 1"));
    }
    let product = vec!["v * v"; 20].join(", ");
    let printed = vec!["CAST(v AS text)"; 20].join(", ");
    for text in [
        format!("SELECT {product} FROM t WHERE k = 1"),
        format!("SELECT {printed} FROM t WHERE k = 1"),
        "SELECT to_json(l) FROM t WHERE k = 1".to_owned(),
        "SELECT JSON l FROM t WHERE k = 1".to_owned(),
    ] {
        end_halfway(&mut session, &text, 16);
    }
}
