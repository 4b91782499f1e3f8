//! How the time of reading and designing grows with the model, and what each example takes: `cargo
//! bench -p design`.
#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use design::Options;
use diagram::{Level, chebotko};
use model::sql::ModelFile;

const RUNS: u32 = 3;
const QUERIES_PER_TABLE: usize = 5;

fn main() {
    println!("best of {RUNS} runs on one core; {QUERIES_PER_TABLE} queries and 2 writes a table\n");
    println!(
        "{:>6} {:>8} {:>10} {:>10} {:>10} {:>9} {:>10}",
        "tables", "queries", "read ms", "design ms", "all ms", "growth", "draw ms"
    );
    let mut before: Option<(usize, f64)> = None;
    for tables in [25, 50, 100, 200] {
        let text = generate_model(tables);
        let Timings { reading, designing, drawing, file } = measure(&text, "scale");
        let all = (reading + designing).as_secs_f64() * 1e3;
        println!(
            "{tables:>6} {:>8} {:>10.1} {:>10.1} {all:>10.1} {:>9} {:>10.1}",
            file.workload.reads.len(),
            reading.as_secs_f64() * 1e3,
            designing.as_secs_f64() * 1e3,
            before.map_or(String::new(), |(fewer, less)| growth(tables, fewer, all, less)),
            drawing.as_secs_f64() * 1e3,
        );
        before = Some((tables, all));
    }
    println!("\ngrowth: times the time, for times the tables; equal is in proportion\n");
    for path in examples() {
        example(&path);
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures for a person")]
fn growth(tables: usize, fewer: usize, all: f64, less: f64) -> String {
    format!("{:.1}/{:.1}", all / less, tables as f64 / fewer as f64)
}

/// The best times of a model.
struct Timings {
    reading: Duration,
    designing: Duration,
    drawing: Duration,
    file: ModelFile,
}

/// The best times of reading and designing a model and of drawing its diagram.
fn measure(text: &str, name: &str) -> Timings {
    let (mut reading, mut designing, mut drawing) = (Duration::MAX, Duration::MAX, Duration::MAX);
    let mut last = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        let file = model::sql::read(text, name).unwrap_or_else(|complaints| {
            let first = complaints.first().expect("a refusal says why");
            panic!("{name}: {} ({})", first.message, first.span.text(text));
        });
        reading = reading.min(start.elapsed());
        let start = Instant::now();
        let design = design::design(&file.concept, &file.workload, &Options::default());
        designing = designing.min(start.elapsed());
        assert!(!design.tables.is_empty(), "{name}: nothing designed");
        let start = Instant::now();
        let picture = chebotko(&file.concept, &file.workload, &design, Level::Physical);
        assert!(picture.svg().ends_with("</svg>\n"), "{name}: nothing drawn");
        drawing = drawing.min(start.elapsed());
        last = Some(file);
    }
    Timings { reading, designing, drawing, file: last.expect("at least one run") }
}

/// Prints what one example takes.
fn example(path: &Path) {
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("model");
    let text = std::fs::read_to_string(path).expect("an example that can be read");
    let Timings { reading, designing, drawing, file } = measure(&text, name);
    println!(
        "{name:<40} {:>8.2} ms, drawn in {:>6.2} ms  ({} tables, {} queries, {} writes)",
        (reading + designing).as_secs_f64() * 1e3,
        drawing.as_secs_f64() * 1e3,
        file.concept.entities.len(),
        file.workload.reads.len(),
        file.workload.writes.len(),
    );
}

/// The model files under `examples/`, in order.
fn examples() -> Vec<PathBuf> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sql") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A model of so many tables: each refers to two others and is asked in five ways.
fn generate_model(tables: usize) -> String {
    let mut text = String::from("-- @keyspace scale  @replication dc1:3  @nodes 12\n\n");
    for table in 0..tables {
        let parent = table.saturating_sub(1 + table % 7);
        let other = (table * 7 + 3) % tables;
        let _ = writeln!(
            text,
            "-- @rows 10M  @grows 50k/day
CREATE TABLE things_{table} (
  id_{table} uuid PRIMARY KEY,
  parent_id uuid NOT NULL REFERENCES things_{parent},  -- @each 20 p99 500 max 20k
  other_id uuid REFERENCES things_{other},
  email_{table} text NOT NULL UNIQUE,                  -- @bytes 24
  state text NOT NULL,                                 -- @distinct 5
  tags text[],                                         -- @items 4 @distinct 20k @set
  amount int NOT NULL,
  created timestamp NOT NULL
);

-- name: ById{table} :one
-- @rate 500/s
SELECT * FROM things_{table} WHERE id_{table} = ?;

-- name: ByEmail{table} :one
-- @rate 50/s
SELECT id_{table}, state FROM things_{table} WHERE email_{table} = ?;

-- name: OfParent{table} :many
-- @rate 200/s  @after ById{table}, ByEmail{table}
SELECT c.id_{table}, c.amount, c.created, p.email_{parent}
FROM things_{table} c JOIN things_{parent} p ON p.id_{parent} = c.parent_id
WHERE c.parent_id = ? ORDER BY c.created DESC LIMIT 20;

-- name: ByTag{table} :many
-- @rate 100/s
SELECT id_{table}, state, created FROM things_{table}
WHERE ? = ANY(tags) AND created >= ? AND created < ? ORDER BY created DESC;

-- name: CountOf{table} :many
-- @rate 20/s  @after ById{table}
SELECT state, COUNT(*) AS number FROM things_{table} WHERE parent_id = ? GROUP BY state;

-- name: Add{table} :exec
-- @rate 50k/day
INSERT INTO things_{table} (id_{table}, parent_id, other_id, email_{table}, state, tags, amount, created)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: Move{table} :exec
-- @rate 5k/day  @after ById{table}
UPDATE things_{table} SET state = ?, email_{table} = ? WHERE id_{table} = ?;
"
        );
    }
    text
}
