//! How fast CQL is read, beside sqlparser on SQL of the same size: `cargo bench -p cql`.
#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use sqlparser::dialect::PostgreSqlDialect;

const RUNS: u32 = 3;

fn main() {
    println!("best of {RUNS} runs on one core; lines are 60 bytes or more on average");
    compare(
        "schema and queries, 100,000 lines",
        &schema_and_queries(100_000),
        &sql_of_lines(100_000),
    );
    compare("statements, 20 MB", &statements(20_000_000), &sql_statements(20_000_000));
}

fn compare(name: &str, cql_text: &str, sql_text: &str) {
    let parsed = cql::parse(cql_text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics.first());
    let ours =
        report(&format!("cql        {name}"), cql_text, || cql::parse(cql_text).statements.len());
    let theirs = report(&format!("sqlparser  {name}"), sql_text, || {
        sqlparser::parser::Parser::parse_sql(&PostgreSqlDialect {}, sql_text)
            .expect("valid SQL")
            .len()
    });
    println!("ratio      {:.1} times sqlparser's bytes per second\n", ours / theirs);
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

fn schema_and_queries(lines: usize) -> String {
    let mut text = String::new();
    let mut i = 0;
    while text.len() < lines * 64 {
        let _ = writeln!(
            text,
            "-- Readings of sensors in group {i}, newest first, in buckets of one day.\n\
             CREATE TABLE IF NOT EXISTS telemetry_keyspace.readings_by_sensor_{i} (\n    \
               sensor_identifier uuid, reading_day date, reading_time timestamp,\n    \
               temperature_celsius double, humidity_percentage double STATIC,\n    \
               attributes frozen<map<text, text>>, tags set<text>, samples list<int>,\n    \
               PRIMARY KEY ((sensor_identifier, reading_day), reading_time)\n\
             ) WITH CLUSTERING ORDER BY (reading_time DESC) AND gc_grace_seconds = 86400\n  \
               AND compaction = {{'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': 1}};\n\
             SELECT sensor_identifier, reading_time, temperature_celsius FROM telemetry_keyspace.readings_by_sensor_{i} \
             WHERE sensor_identifier = ? AND reading_day = '2024-03-0{}' AND reading_time >= ? LIMIT 100;\n\
             INSERT INTO telemetry_keyspace.readings_by_sensor_{i} (sensor_identifier, reading_day, reading_time) \
             VALUES (123e4567-e89b-12d3-a456-426614174000, '2024-03-01', {i}) USING TTL 86400;\n\
             UPDATE telemetry_keyspace.readings_by_sensor_{i} SET temperature_celsius = 21.5, tags = tags + {{'x'}} \
             WHERE sensor_identifier = ? AND reading_day = ? AND reading_time = ? IF EXISTS;",
            i % 9 + 1,
        );
        i += 1;
    }
    text
}

fn sql_of_lines(lines: usize) -> String {
    let mut text = String::new();
    let mut i = 0;
    while text.len() < lines * 64 {
        let _ = writeln!(
            text,
            "-- Readings of sensors in group {i}, newest first, in buckets of one day.\n\
             CREATE TABLE IF NOT EXISTS telemetry_schema.readings_by_sensor_{i} (\n    \
               sensor_identifier uuid, reading_day date, reading_time timestamp,\n    \
               temperature_celsius double precision, humidity_percentage double precision,\n    \
               attributes jsonb, tags text[], samples int[],\n    \
               PRIMARY KEY (sensor_identifier, reading_day, reading_time)\n\
             );\n\
             SELECT sensor_identifier, reading_time, temperature_celsius FROM telemetry_schema.readings_by_sensor_{i} \
             WHERE sensor_identifier = $1 AND reading_day = '2024-03-0{}' AND reading_time >= $2 LIMIT 100;\n\
             INSERT INTO telemetry_schema.readings_by_sensor_{i} (sensor_identifier, reading_day, reading_time) \
             VALUES ('123e4567-e89b-12d3-a456-426614174000', '2024-03-01', {i});\n\
             UPDATE telemetry_schema.readings_by_sensor_{i} SET temperature_celsius = 21.5, tags = tags || $4 \
             WHERE sensor_identifier = $1 AND reading_day = $2 AND reading_time = $3;",
            i % 9 + 1,
        );
        i += 1;
    }
    text
}

fn statements(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    let mut i = 0;
    while text.len() < bytes {
        let _ = writeln!(
            text,
            "INSERT INTO shop.orders_by_customer (customer, placed_at, number, total, note) \
             VALUES ('customer-{i}', {i}, {}, {i}.25, 'left at the door, rang twice');",
            i * 7,
        );
        i += 1;
    }
    text
}

fn sql_statements(bytes: usize) -> String {
    statements(bytes)
}
