//! The predicted distribution of partition sizes against `sstablepartitions`: three models with a known skew, whose
//! tables are filled by the designed write paths.

use std::net::SocketAddr;
use std::time::Instant;

use cluster::{Connection, ConnectionOptions, Request};
use cql::BatchKind;
use design::{Limits, Options};
use model::id::WriteId;
use model::plan::{Bucket, PlannedTable};
use sim::{Answer, Failure, ProofSubject, Server, ServerStatement};

use crate::cassandra::{self, NodeHome};
use crate::print_uncaptured;
use crate::rng::Rng;

const KEYSPACE: &str = "volumes";
/// The deviation of p50, p99 and max that is allowed.
const DEVIATION: f64 = 0.05;
/// The first millisecond of 2026, a Thursday.
const START_MILLIS: i64 = 1_767_225_600_000;
const DAY_MILLIS: i64 = 86_400_000;
/// Statements that are sent at once.
const AT_ONCE: usize = 2_000;

/// A model with the rows that it speaks of: for each the values of the parameters of its INSERT.
struct KnownVolume {
    name: &'static str,
    model: String,
    /// The most rows of a partition.
    rows_most: f64,
    /// Whether the coarsest bucket is taken instead of the cheapest.
    rules_only: bool,
    rows: Vec<Vec<Option<Vec<u8>>>>,
    is_split_as_intended: fn(&PlannedTable) -> bool,
}

#[test]
fn partitions_have_the_predicted_sizes() {
    let Some((address, home)) = cassandra::node_with_files() else { return };
    let mut wrong = Vec::new();
    for volume in [popular_artists(), sensors_by_day(), topics_in_shards()] {
        let (said, is_near) = compare(address, home, &volume);
        print_uncaptured(&said);
        if !is_near {
            wrong.push(said);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Artists with a popularity by Zipf: so many plays of each.
fn popular_artists() -> KnownVolume {
    let (artists, plays, exponent) = (500, 20_000.0, 0.8);
    let weights: Vec<f64> = (1..=artists).map(|rank| f64::from(rank).powf(-exponent)).collect();
    let all: f64 = weights.iter().sum();
    let counts = weights.iter().map(|weight| (plays * weight / all).round());
    let mut rows = Vec::new();
    for (artist, count) in counts.enumerate() {
        for _ in 0..to_count(count) {
            let number = rows.len();
            let title = format!("{number:030}");
            rows.push(vec![
                Some(uuid(number)),
                Some(format!("artist-{artist:05}").into_bytes()),
                Some(title.into_bytes()),
                Some(180_i32.to_be_bytes().to_vec()),
            ]);
        }
    }
    let model = format!(
        "-- @keyspace {KEYSPACE} @replication dc1:1 @nodes 1
-- @rows {}
CREATE TABLE plays (
  id uuid PRIMARY KEY,
  artist text NOT NULL,  -- @bytes 12 @distinct {artists} @skew zipf {exponent}
  title text NOT NULL,   -- @bytes 30
  seconds int NOT NULL
);
-- name: PlaysOfArtist :many
-- @rate 100/s
SELECT id, title, seconds FROM plays WHERE artist = ?;
-- name: AddPlay :exec
-- @rate 1/day
INSERT INTO plays (id, artist, title, seconds) VALUES (?, ?, ?, ?);
",
        rows.len()
    );
    KnownVolume {
        name: "popularity by Zipf",
        model,
        rows_most: 300_000.0,
        rules_only: false,
        rows,
        is_split_as_intended: |table| table.bucket().is_none() && table.shards() == 1,
    }
}

/// Sensors of which some measure far more often than others: a log-normal number of readings a day.
fn sensors_by_day() -> KnownVolume {
    let (sensors, days) = (100, 4);
    let counts: Vec<f64> = (0..sensors)
        .map(|at| (40.0 * (0.6 * normal_quantile((f64::from(at) + 0.5) / 100.0)).exp()).round())
        .collect();
    let mut rows = Vec::new();
    for day in 0..days {
        for (sensor, count) in counts.iter().enumerate() {
            let count = to_count(*count);
            for reading in 0..count {
                let step = DAY_MILLIS / i64::try_from(count).expect("few");
                let time =
                    START_MILLIS + day * DAY_MILLIS + step * i64::try_from(reading).expect("few");
                rows.push(vec![
                    Some(uuid(sensor)),
                    Some(time.to_be_bytes().to_vec()),
                    Some(21.5_f64.to_be_bytes().to_vec()),
                    Some(format!("{reading:08}").into_bytes()),
                ]);
            }
        }
    }
    let mean = counts.iter().sum::<f64>() / f64::from(sensors);
    let (p99, max) = (counts[98], counts[99]);
    let model = format!(
        "-- @keyspace {KEYSPACE} @replication dc1:1 @nodes 1
-- @rows {sensors}
CREATE TABLE sensors (sensor uuid PRIMARY KEY);
-- @rows {}
CREATE TABLE readings (
  sensor uuid NOT NULL REFERENCES sensors,  -- @each {mean}/day p99 {p99}/day max {max}/day
  at timestamp NOT NULL,
  value double NOT NULL,
  note text NOT NULL,                       -- @bytes 8
  PRIMARY KEY (sensor, at)
);
-- name: LatestReadings :many
-- @rate 100/s
SELECT at, value, note FROM readings WHERE sensor = ? ORDER BY at DESC LIMIT 20;
-- name: AddReading :exec
INSERT INTO readings (sensor, at, value, note) VALUES (?, ?, ?, ?);
",
        rows.len()
    );
    KnownVolume {
        name: "log-normal growth in buckets",
        model,
        // A day of the busiest sensor.
        rows_most: max * 1.5,
        rules_only: true,
        rows,
        is_split_as_intended: |table| table.bucket().is_some_and(|(_, _, it)| it == Bucket::DAY),
    }
}

/// Topics with the same number of messages, too many for one partition.
fn topics_in_shards() -> KnownVolume {
    let (topics, messages) = (40, 500);
    let rng = &mut Rng::new(7);
    let mut rows = Vec::new();
    for topic in 0..topics {
        for _ in 0..messages {
            let id = [rng.next().to_be_bytes(), rng.next().to_be_bytes()].concat();
            rows.push(vec![
                Some(format!("topic-{topic:02}").into_bytes()),
                Some(id),
                Some(vec![b'm'; 40]),
            ]);
        }
    }
    let model = format!(
        "-- @keyspace {KEYSPACE} @replication dc1:1 @nodes 1
-- @rows {}
CREATE TABLE messages (
  topic text NOT NULL,  -- @bytes 8 @distinct {topics}
  id uuid NOT NULL,
  body text NOT NULL,   -- @bytes 40
  PRIMARY KEY (topic, id)
);
-- name: MessagesOfTopic :many
-- @rate 100/s
SELECT id, body FROM messages WHERE topic = ?;
-- name: AddMessage :exec
-- @rate 1/day
INSERT INTO messages (topic, id, body) VALUES (?, ?, ?);
",
        rows.len()
    );
    KnownVolume {
        name: "even shards by hash",
        model,
        rows_most: 180.0,
        rules_only: false,
        rows,
        is_split_as_intended: |table| table.shards() > 1,
    }
}

/// Designs the model, fills its table and compares; says the figures and whether they are near.
fn compare(address: SocketAddr, home: &NodeHome, volume: &KnownVolume) -> (String, bool) {
    let file = model::sql::read(&volume.model, "volumes").unwrap_or_else(|e| panic!("{e:?}"));
    let limits = Limits { partition_rows: volume.rows_most, ..Limits::default() };
    let options = Options { limits, rules_only: volume.rules_only, ..Options::default() };
    let design = design::design(&file.concept, &file.workload, &options);
    let mut schema = design::create_statements::types(&file.concept, &design);
    schema.extend(design::create_statements::tables(&design));
    let subject = ProofSubject {
        concept: &file.concept,
        workload: &file.workload,
        design: &design,
        schema: &schema,
    };
    let served = design.tables.iter().find(|table| !table.serves.is_empty());
    let table = served.expect("a table of the query");
    assert!((volume.is_split_as_intended)(table), "{}: {schema:?}", volume.name);
    let seconds = load(address, subject, &volume.rows);
    home.nodetool(&["flush", KEYSPACE]);
    home.nodetool(&["compact", KEYSPACE]);
    let measured = partition_sizes(home, &table.name);
    let options = Options { file_span_days: Some(seconds / 86_400.0), ..options };
    let tables = std::slice::from_ref(table);
    let estimates =
        design::estimate::estimate_tables(&file.concept, &file.workload, &options, tables);
    let (_, predicted) = estimates[0].size_after(0.0);
    let quantile = |percent: usize| measured[(measured.len() * percent).div_ceil(100) - 1];
    let figures = [
        ("p50", predicted.p50, quantile(50)),
        ("p99", predicted.p99, quantile(99)),
        ("max", predicted.max, quantile(100)),
    ];
    let mut said = vec![format!("{}, {} partitions", volume.name, measured.len())];
    let mut is_near = true;
    for (name, predicted, measured) in figures {
        let deviation = predicted / measured - 1.0;
        is_near &= deviation.abs() <= DEVIATION;
        said.push(format!(
            "{name} {predicted:.0} predicted, {measured:.0} measured ({:+.1} %)",
            deviation * 100.0
        ));
    }
    (said.join("; "), is_near)
}

/// Creates the tables and runs the INSERT for every row by its plan; returns the seconds that it took.
fn load(address: SocketAddr, subject: ProofSubject<'_>, rows: &[Vec<Option<Vec<u8>>>]) -> f64 {
    let options =
        ConnectionOptions { hosts: vec![address.to_string()], credentials: None, tls: None };
    let mut connection = Connection::open(&options).expect("the node answers");
    let replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
    for statement in [
        format!("DROP KEYSPACE IF EXISTS {KEYSPACE}"),
        format!("CREATE KEYSPACE {KEYSPACE} WITH replication = {replication}"),
    ] {
        connection.run(&statement, &[]).expect("a keyspace");
    }
    connection.use_keyspace(KEYSPACE).expect("a keyspace");
    for statement in subject.schema {
        connection.run(statement, &[]).expect("a table");
    }
    let mut recorder = StatementRecorder::default();
    let mut began = None;
    for some in rows.chunks(AT_ONCE) {
        for values in some {
            let now = START_MILLIS * 1_000;
            sim::run_write(subject, WriteId::new(0), values, now, &mut recorder)
                .expect("nothing is sent yet");
        }
        let statements = std::mem::take(&mut recorder.statements);
        let requests = statements.iter().map(|it| Request { cql: &it.cql, values: &it.values });
        began.get_or_insert_with(Instant::now);
        connection.run_all(&requests.collect::<Vec<_>>()).expect("rows are written");
    }
    began.expect("there are rows").elapsed().as_secs_f64()
}

/// The sizes of the partitions of a table in ascending order, by the tool that comes with Cassandra.
fn partition_sizes(home: &NodeHome, table: &str) -> Vec<f64> {
    let file = home.newest_data_file(KEYSPACE, table);
    let file = file.to_str().expect("a path is text");
    let text = home.run_tool("SSTablePartitions", &["--csv", "--min-size", "1", file]);
    let mut lines = text.lines().filter(|line| line.contains(','));
    let header: Vec<_> = lines.next().expect("a header").split(',').collect();
    let at = header.iter().position(|name| *name == "size").expect("a column of sizes");
    let size = |line: &str| line.split(',').nth(at)?.parse::<f64>().ok();
    let mut sizes: Vec<_> = lines.map(|line| size(line).expect("a size")).collect();
    sizes.sort_by(f64::total_cmp);
    sizes
}

/// Records the statements of writes that read nothing.
#[derive(Default)]
struct StatementRecorder {
    statements: Vec<ServerStatement>,
}

impl Server for StatementRecorder {
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure> {
        assert!(!statement.cql.starts_with("SELECT"), "{}", statement.cql);
        self.statements.push(statement.clone());
        Ok(Answer::default())
    }

    fn run_batch(&mut self, _: BatchKind, statements: &[ServerStatement]) -> Result<(), Failure> {
        self.statements.extend_from_slice(statements);
        Ok(())
    }

    fn clear(&mut self, _: &[String]) -> Result<(), Failure> {
        Ok(())
    }
}

fn uuid(number: usize) -> Vec<u8> {
    (number as u128).to_be_bytes().to_vec()
}

fn to_count(number: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
    let count = number as usize;
    count
}

/// The quantile of the normal distribution.
fn normal_quantile(share: f64) -> f64 {
    // The integral of the density from 0 on, in small steps.
    let mut sum = 0.5;
    let mut at: f64 = 0.0;
    let step = 1e-4;
    let wanted = share.max(1.0 - share);
    while sum < wanted {
        sum += step * (-at * at / 2.0).exp() / std::f64::consts::TAU.sqrt();
        at += step;
    }
    if share < 0.5 { -at } else { at }
}
