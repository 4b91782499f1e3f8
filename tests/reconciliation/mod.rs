//! The engine against a model of maps, while a virtual clock moves: TTLs run out, deletions are forgotten, the power fails.
//!
//! `HELENUS_MAPS=seed` runs that seed only, `HELENUS_FULL=1` runs many.

mod model;
mod writer;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use engine::{Database, Options, Parameters, ResultMessage, SeededEntropy, Session};
use storage::DataDirectory;
use storage::clock::{Clock, VirtualClock};
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::MemoryDisk;

use crate::rng::Rng;
use model::{COLUMNS, TableModel, VisibleCell, VisibleRow};
use writer::ModelWriter;

const SEEDS: u64 = 8;
const SEEDS_FULL: u64 = 200;
/// Statements of a seed, and how many come between two looks at everything.
const STATEMENTS: usize = 400;
const STATEMENTS_PER_CHECK: usize = 5;
/// The start: some day in 2023.
const START: i64 = 1_700_000_000_000_000;
/// How far the clock moves at a time, in seconds. Deletions are kept for an hour.
const STEPS: [u64; 6] = [1, 1, 4, 60, 4_000, 400_000];
const KEYSPACE: &str =
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

/// A row as the engine shows it: its key, and its columns in the form of the model.
type EngineRow = (i32, VisibleRow);

struct EngineComparison {
    disk: MemoryDisk,
    clock: Arc<VirtualClock>,
    database: Option<Database>,
    session: Option<Session>,
    descending: bool,
    model: TableModel,
    writer: ModelWriter,
    /// What was done, for the report of a difference.
    done: Vec<String>,
}

#[test]
fn the_engine_agrees_with_a_model_of_maps() {
    let only = std::env::var("HELENUS_MAPS").ok().and_then(|text| text.parse().ok());
    let full = std::env::var_os("HELENUS_FULL").is_some();
    let seeds = only.map_or(0..if full { SEEDS_FULL } else { SEEDS }, |seed| seed..seed + 1);
    for seed in seeds {
        let mut world = EngineComparison::new(seed);
        for number in 0..STATEMENTS {
            world.write();
            if number % STATEMENTS_PER_CHECK == 0 {
                world.check_everything(seed);
                world.check_slice(seed);
                world.check_indexes(seed);
                world.disturb();
            }
        }
    }
}

impl EngineComparison {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let descending = rng.roll(50);
        let clock = Arc::new(VirtualClock::new(START));
        let writer = ModelWriter { rng, now: START / 1_000_000 };
        let (disk, model) = (MemoryDisk::new(), TableModel::default());
        let (database, session, done) = (None, None, Vec::new());
        let mut world = Self { disk, clock, database, session, descending, model, writer, done };
        world.open();
        let order = if descending { "DESC" } else { "ASC" };
        let table = format!(
            "CREATE TABLE t (p int, c int, s int static, v int, w text, m map<int, int>, z set<int>, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c {order}) AND gc_grace_seconds = 3600"
        );
        let view = "CREATE MATERIALIZED VIEW by_c AS SELECT * FROM t WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)";
        let view = view.replace('*', "p, c, v, w, m, z");
        let indexes = ["CREATE INDEX ON t (v)", "CREATE INDEX ON t (w) USING 'sai'"];
        for text in [KEYSPACE, &table, &view, indexes[0], indexes[1]] {
            world.run(text);
        }
        world
    }

    fn open(&mut self) {
        drop((self.session.take(), self.database.take()));
        let log = LogOptions { sync: SyncMode::Batch, segment_size: 32 << 10 };
        let directory =
            DataDirectory { disk: Arc::new(self.disk.clone()), folder: "/data".into(), log };
        let options = Options {
            directory: Some(directory),
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            entropy: Arc::new(SeededEntropy::new(self.writer.rng.next())),
            ..Options::default()
        };
        let database = Database::open(options).expect("the folder opens");
        let mut session = database.session();
        session.set_keyspace("k");
        (self.database, self.session) = (Some(database), Some(session));
    }

    fn run(&mut self, text: &str) -> ResultMessage {
        self.done.push(text.to_owned());
        self.query(text, None).0
    }

    /// The answer, and where the next page begins.
    fn query(
        &mut self,
        text: &str,
        page: Option<(i32, Option<Vec<u8>>)>,
    ) -> (ResultMessage, Option<Vec<u8>>) {
        let session = self.session.as_mut().expect("the database is open");
        let (page_size, state) = page.map_or((None, None), |(size, state)| (Some(size), state));
        let parameters =
            Parameters { page_size, paging_state: state.as_deref(), ..Parameters::default() };
        let answer = session.query(text, &parameters);
        let answer =
            answer.unwrap_or_else(|error| panic!("{text}: {error}\n{}", self.done.join(";\n")));
        match answer.outcome {
            ResultMessage::Rows(mut rows) => {
                let next = rows.paging_state.take();
                (ResultMessage::Rows(rows), next)
            }
            other => (other, None),
        }
    }

    fn write(&mut self) {
        let write = self.writer.next();
        self.run(&write.text);
        for (key, change) in &write.changes {
            self.model.apply(*key, change);
        }
    }

    /// The clock moves, a checkpoint is written, the database is closed, or the power fails.
    fn disturb(&mut self) {
        if self.writer.rng.roll(60) {
            let step = *self.writer.rng.pick(&STEPS);
            self.clock.advance(Duration::from_secs(step));
            self.writer.now = self.clock.now_micros() / 1_000_000;
            self.done.push(format!("-- {step} seconds pass"));
        }
        if self.writer.rng.roll(20) {
            self.done.push("-- checkpoint".to_owned());
            let written = self.database.as_ref().map(Database::checkpoint);
            assert!(matches!(written, Some(Ok(()))), "{written:?}");
        }
        match self.writer.rng.number_below(20) {
            0 | 1 => self.open(),
            2 => self.fail_power(MemoryDisk::crash),
            3 => self.fail_power(MemoryDisk::kill),
            4 => self.fail_power(|disk| disk.crash_torn(7)),
            _ => {}
        }
    }

    fn fail_power(&mut self, how: impl Fn(&MemoryDisk) -> MemoryDisk) {
        self.done.push("-- the power fails".to_owned());
        self.disk = how(&self.disk);
        self.open();
    }

    /// Rows of the engine, in pages of some size.
    fn rows(&mut self, rest: &str) -> Vec<EngineRow> {
        let names: Vec<_> =
            COLUMNS.iter().map(|name| format!("{name}, writetime({name}), ttl({name})")).collect();
        let text = format!("SELECT p, c, {} FROM t{rest}", names.join(", "));
        let size = *self.writer.rng.pick(&[1, 2, 3, 7, 5_000]);
        let (mut shown, mut state) = (Vec::new(), None);
        loop {
            let (outcome, next) = self.query(&text, Some((size, state)));
            let ResultMessage::Rows(rows) = outcome else { panic!("{text}: no rows") };
            shown.extend(rows.iter().map(|row| engine_row(&row)));
            if next.is_none() {
                return shown;
            }
            state = next;
        }
    }

    fn assert_rows(&self, seed: u64, what: &str, found: &[EngineRow], wanted: &[EngineRow]) {
        assert!(
            found == wanted,
            "seed {seed}: {what}\nfound {found:#?}\nwanted {wanted:#?}\n{};",
            self.done.join(";\n")
        );
    }

    /// The rows of a partition, as the table orders them.
    fn partition(&self, key: i32) -> Vec<EngineRow> {
        let mut rows = self.model.partition(key, self.writer.now);
        if self.descending {
            rows.reverse();
        }
        rows.into_iter().map(|row| (key, row)).collect()
    }

    fn check_everything(&mut self, seed: u64) {
        let found = self.rows("");
        // The order of partitions is the ring's, which the model does not know: they come as they come, each in one piece.
        let mut wanted = Vec::new();
        let mut keys: Vec<i32> = found.iter().map(|(key, _)| *key).collect();
        keys.dedup();
        keys.extend(self.model.keys().filter(|key| !keys.contains(key)).collect::<Vec<_>>());
        for key in keys {
            wanted.extend(self.partition(key));
        }
        self.assert_rows(seed, "everything", &found, &wanted);
    }

    /// A slice of a partition, in either order, perhaps with a limit.
    fn check_slice(&mut self, seed: u64) {
        use std::ops::RangeBounds;
        let key = self.writer.key();
        let (range, bounds) = self.writer.range();
        let (turned, limit) = (self.writer.rng.roll(50), 1 + self.writer.rng.number_below(4));
        let order = if turned == self.descending { "ASC" } else { "DESC" };
        let rest = format!(" WHERE p = {key}{bounds} ORDER BY c {order} LIMIT {limit}");
        let found = self.rows(&rest);
        let mut wanted = self.partition(key);
        wanted.retain(|(_, row)| row.c.is_some_and(|c| range.contains(&c)));
        if turned {
            wanted.reverse();
        }
        wanted.truncate(limit);
        self.assert_rows(seed, &rest, &found, &wanted);
    }

    /// Searches by the two indexes, and a count of the view's rows.
    fn check_indexes(&mut self, seed: u64) {
        let number = i32::try_from(self.writer.rng.number_below(4)).unwrap_or_default();
        let word = *self.writer.rng.pick(&["a", "b", "ab"]);
        let searches: [(_, _, &[u8]); 2] = [
            (format!(" WHERE v = {number}"), "v", &number.to_be_bytes()),
            (format!(" WHERE w = '{word}'"), "w", word.as_bytes()),
        ];
        for (rest, column, value) in searches {
            let mut found = self.rows(&rest);
            let keys: Vec<_> = self.model.keys().collect();
            let mut wanted: Vec<_> = keys.iter().flat_map(|key| self.partition(*key)).collect();
            let holds = |cells: &Vec<VisibleCell>| cells.iter().any(|cell| cell.1 == value);
            wanted.retain(|(_, row)| row.c.is_some() && row.cells.get(column).is_some_and(holds));
            let place = |shown: &EngineRow| (shown.0, shown.1.c);
            found.sort_by_key(place);
            wanted.sort_by_key(place);
            self.assert_rows(seed, &rest, &found, &wanted);
        }
        let (outcome, _) = self.query("SELECT p, c FROM by_c", None);
        let ResultMessage::Rows(rows) = outcome else { panic!("no rows") };
        let keys: Vec<_> = self.model.keys().collect();
        let rows_of =
            |key: &i32| self.partition(*key).iter().filter(|row| row.1.c.is_some()).count();
        let wanted: usize = keys.iter().map(rows_of).sum();
        assert_eq!(rows.count, wanted, "seed {seed}: the view\n{};", self.done.join(";\n"));
    }
}

fn int(bytes: &[u8]) -> i32 {
    bytes.try_into().map(i32::from_be_bytes).expect("four bytes")
}

/// The elements of a list.
fn elements(bytes: &[u8]) -> Vec<Option<&[u8]>> {
    let (count, mut rest) = bytes.split_at(4);
    let mut elements = Vec::new();
    for _ in 0..int(count) {
        let (length, tail) = rest.split_at(4);
        let length = usize::try_from(int(length)).ok();
        let (element, tail) = tail.split_at(length.unwrap_or(0));
        elements.push(length.map(|_| element));
        rest = tail;
    }
    elements
}

fn engine_row(row: &[Option<&[u8]>]) -> EngineRow {
    let mut cells = BTreeMap::new();
    for (column, values) in COLUMNS.iter().zip(row[2..].chunks(3)) {
        let Some(value) = values[0] else { continue };
        let long = |bytes: &[u8]| bytes.try_into().map(i64::from_be_bytes).expect("eight bytes");
        let seen: Vec<VisibleCell> = if matches!(*column, "m" | "z") {
            let times = elements(values[1].expect("a list of times"));
            let left = elements(values[2].expect("a list of seconds"));
            let width = if *column == "m" { 2 } else { 1 };
            // A map is a list of keys and values but for its count.
            let count = i32::try_from(width).unwrap_or(1) * int(&value[..4]);
            let parts = [&count.to_be_bytes()[..], &value[4..]].concat();
            let parts: Vec<_> =
                elements(&parts).into_iter().flatten().map(<[u8]>::to_vec).collect();
            let entries = parts.chunks(width).zip(times.iter().zip(left));
            entries
                .map(|(entry, (time, left))| {
                    let value = entry.get(1).cloned().unwrap_or_default();
                    (Some(int(&entry[0])), value, long(time.expect("a time")), left.map(int))
                })
                .collect()
        } else {
            let time = long(values[1].expect("a time"));
            vec![(None, value.to_vec(), time, values[2].map(int))]
        };
        cells.insert(*column, seen);
    }
    (int(row[0].expect("a key")), VisibleRow { c: row[1].map(int), cells })
}
