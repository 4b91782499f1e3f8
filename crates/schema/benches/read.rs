//! The speed of parsing and binding CQL, compared with sqlparser parsing SQL of the same size:
//! `cargo bench -p schema`.
#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use sqlparser::dialect::PostgreSqlDialect;

const RUNS: u32 = 3;

fn main() {
    println!("best of {RUNS} runs on one core; lines are 60 bytes or more on average");
    compare(
        "schema and queries, 100,000 lines",
        &repeat_block(CQL_BLOCK, 100_000),
        &repeat_block(SQL_BLOCK, 100_000),
    );
    let text = statements(20_000_000);
    compare("statements, 20 MB", &text, &text);
}

fn compare(name: &str, cql_text: &str, sql_text: &str) {
    let parsed = cql::parse(cql_text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.first());
    let ours =
        report(&format!("cql        {name}"), cql_text, || cql::parse(cql_text).statements.len());
    report(&format!("cql+model  {name}"), cql_text, || bind_all(cql_text));
    let theirs = report(&format!("sqlparser  {name}"), sql_text, || {
        sqlparser::parser::Parser::parse_sql(&PostgreSqlDialect {}, sql_text)
            .expect("valid SQL")
            .len()
    });
    println!("ratio      {:.1} times sqlparser's bytes per second\n", ours / theirs);
}

/// Parses and binds all statements; the server must accept them.
fn bind_all(text: &str) -> usize {
    let mut session = schema::Session::with_system_tables();
    for keyspace in ["telemetry_keyspace", "shop"] {
        session.assume_keyspace(keyspace).expect("a legal name");
    }
    let parsed = cql::parse(text);
    for statement in cql::parse(ORDERS).statements.iter().chain(&parsed.statements) {
        if let Err(refusal) = session.run(statement) {
            panic!("{}: {}", refusal.message(), refusal.span.text(text));
        }
    }
    parsed.statements.len()
}

/// Prints and returns the megabytes per second of the best run.
#[expect(clippy::cast_precision_loss, reason = "figures for a person")]
fn report(name: &str, text: &str, mut parse: impl FnMut() -> usize) -> f64 {
    let mut best = Duration::MAX;
    let mut statements = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        statements = parse();
        best = best.min(start.elapsed());
    }
    let seconds = best.as_secs_f64();
    let (bytes, lines) = (text.len() as f64, text.lines().count() as f64);
    println!(
        "{name}: {:.1} MB/s, {:.0} lines/s ({statements} statements, {:.0} bytes a line, {:.0} ms)",
        bytes / seconds / 1e6,
        lines / seconds,
        bytes / lines,
        seconds * 1e3,
    );
    bytes / seconds / 1e6
}

/// Repeats a block of lines, `#` in it being its number, until there are that many lines.
fn repeat_block(block: &str, lines: usize) -> String {
    let mut text = String::new();
    for i in 0..lines.div_ceil(block.lines().count()) {
        text.push_str(&block.replace('#', &i.to_string()));
    }
    text
}

const CQL_BLOCK: &str = "\
-- Readings of the sensors of group #, newest first, one day a bucket.
CREATE TABLE IF NOT EXISTS telemetry_keyspace.readings_by_sensor_# (
    sensor_identifier uuid, reading_day date, reading_time timestamp,
    temperature_celsius double, humidity_percentage double STATIC,
    attributes frozen<map<text, text>>, tags set<text>, samples list<int>,
    PRIMARY KEY ((sensor_identifier, reading_day), reading_time)
) WITH CLUSTERING ORDER BY (reading_time DESC) AND gc_grace_seconds = 864
  AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': 1};
SELECT sensor_identifier, reading_time, temperature_celsius, samples
FROM telemetry_keyspace.readings_by_sensor_# WHERE sensor_identifier = ?
  AND reading_day = '2024-03-01' AND reading_time >= ? LIMIT 100;
INSERT INTO telemetry_keyspace.readings_by_sensor_# (sensor_identifier,
  reading_day, reading_time, tags) VALUES (:sensor, '2024-03-01', 1709251,
  {'indoor', 'north', 'second floor'}) USING TTL 86400 AND TIMESTAMP 17;
UPDATE telemetry_keyspace.readings_by_sensor_# SET tags = tags + {'x'}
WHERE sensor_identifier = 123e4567-e89b-12d3-a456-426614174000 AND
  reading_day = ? AND reading_time = ? IF temperature_celsius > 21.5;
";

const SQL_BLOCK: &str = "\
-- Readings of the sensors of group #, newest first, one day a bucket.
CREATE TABLE IF NOT EXISTS telemetry_schema.readings_by_sensor_# (
    sensor_identifier uuid, reading_day date, reading_time timestamp,
    temperature_celsius double precision, humidity double precision,
    attributes jsonb, tags text[], samples int[], description text,
    PRIMARY KEY (sensor_identifier, reading_day, reading_time)
);
CREATE INDEX readings_# ON telemetry_schema.readings_by_sensor_# (tags);
SELECT sensor_identifier, reading_time, temperature_celsius, samples
FROM telemetry_schema.readings_by_sensor_# WHERE sensor_identifier = $1
  AND reading_day = '2024-03-01' AND reading_time >= $2 LIMIT 100;
INSERT INTO telemetry_schema.readings_by_sensor_# (sensor_identifier,
  reading_day, reading_time, tags) VALUES ($1, '2024-03-01', 1709251,
  ARRAY['indoor', 'north', 'second floor']);
UPDATE telemetry_schema.readings_by_sensor_# SET tags = tags || $4
WHERE sensor_identifier = '123e4567-e89b-12d3-a456-426614174000' AND
  reading_day = $2 AND reading_time = $3 AND temperature_celsius > 21.5;
";

/// The table of [`statements`].
const ORDERS: &str = "CREATE TABLE shop.orders_by_customer (customer text, placed_at bigint, number int, \
    total decimal, PRIMARY KEY (customer, placed_at));";

/// One statement after the other, valid in both languages.
fn statements(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    let mut i = 0;
    while text.len() < bytes {
        let _ = writeln!(
            text,
            "INSERT INTO shop.orders_by_customer (customer, placed_at, number, total)\n  \
             VALUES ('customer-{i}', {i}, {}, {i}.25);\n\
             SELECT number, total FROM shop.orders_by_customer WHERE customer = 'c{i}';",
            i * 7,
        );
        i += 1;
    }
    text
}
