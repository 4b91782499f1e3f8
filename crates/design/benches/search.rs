//! The search for the cheapest tables: against published figures, and how it grows with the model:
//! `cargo bench -p design --bench search`, or with `-- 80` for one random model of 80 entities.
#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use design::{DesignProgram, Options, SearchOptions, prices};
use model::plan::{Design, DesignChoice};
use model::sql::ModelFile;

/// What `NoSE` took: tables, cost, bytes, seconds.
const MEASURED: [(&str, usize, f64, f64, f64); 5] = [
    ("ebay", 4, 0.109_90, 4.90e6, 1.0),
    ("rubis_browsing", 9, 1.006_00, 55.9e6, 10.4),
    ("rubis_bidding", 18, 2.306_45, 96.0e6, 438.0),
    ("rubis_write_medium", 18, 12.867_0, 94.0e6, 445.0),
    ("rubis_write_heavy", 18, 112.893, 94.0e6, 470.0),
];

/// The longest that a published workload may take, with all that is said of it.
const LONGEST: Duration = Duration::from_secs(2);

/// The longest that a random model may take.
const LONGEST_OF_RANDOM: Duration = Duration::from_secs(5);

/// The numbers of entities of random models.
const SIZES: [u64; 4] = [10, 20, 40, 80];

fn main() {
    let sizes: Vec<u64> = std::env::args().filter_map(|size| size.parse().ok()).collect();
    if sizes.is_empty() {
        compare_published();
        println!();
        scale(&SIZES);
    } else {
        scale(&sizes);
    }
}

/// A design with all that is said of it, and the program of its search.
fn measure_design(
    file: &ModelFile,
    prices: &prices::Prices,
) -> (Design, DesignChoice, Option<DesignProgram>, Duration) {
    let search =
        SearchOptions { prices: prices.clone(), explain: true, ..SearchOptions::default() };
    let options = Options { search, ..Options::default() };
    let start = Instant::now();
    let (design, program) = design::design_with_program(&file.concept, &file.workload, &options);
    let took = start.elapsed();
    let choice = design.choice.clone().expect("a choice");
    (design, choice, program, took)
}

fn read(text: &str) -> ModelFile {
    model::sql::read(text, "bench").unwrap_or_else(|wrong| panic!("{wrong:#?}"))
}

fn compare_published() {
    println!(
        "{:<20} {:>6} {:>10} {:>9} {:>7}   {:>6} {:>10} {:>9} {:>7} {:>6} {:>8}",
        "NoSE", "tables", "cost", "MB", "s", "tables", "cost", "MB", "s", "gap %", "times"
    );
    for (name, its_tables, its_cost, its_bytes, its_seconds) in MEASURED {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nose");
        let path = folder.join(name).with_extension("sql");
        let file = read(&std::fs::read_to_string(path).expect("an example that can be read"));
        let (design, choice, _, took) = measure_design(&file, &prices::NOSE);
        let bytes: f64 =
            design.tables.iter().map(|table| table.volume.table_bytes_after(0.0)).sum();
        let seconds = took.as_secs_f64();
        println!(
            "{name:<20} {its_tables:>6} {its_cost:>10.5} {:>9.1} {its_seconds:>7.1}   {:>6} {:>10.5} {:>9.1} {seconds:>7.2} {:>6.2} {:>8.0}",
            its_bytes / 1e6,
            design.tables.len(),
            choice.price.total(),
            bytes / 1e6,
            choice.gap() * 100.0,
            its_seconds / seconds
        );
        if took > LONGEST {
            println!("  longer than {LONGEST:?}");
        }
    }
}

fn scale(sizes: &[u64]) {
    println!("random models, three queries and two writes an entity");
    println!(
        "s: the whole design with its alternatives; HiGHS: its time for the integer program alone"
    );
    println!(
        "{:>8} {:>8} {:>8} {:>9} {:>12} {:>12} {:>7} {:>9} {:>11} {:>8} {:>10}",
        "entities",
        "queries",
        "s",
        "gap %",
        "cost",
        "by rules",
        "saved %",
        "variables",
        "constraints",
        "HiGHS s",
        "difference"
    );
    for &entities in sizes {
        let file = read(&random_model(entities));
        let (_, choice, program, took) = measure_design(&file, &prices::HELENUS);
        let (total, rules) =
            (choice.price.total(), choice.by_rules.map_or(0.0, |rules| rules.total()));
        let program = program.expect("a search");
        let (variables, constraints) = program.size();
        let (highs, difference) = match solve_with_highs(&program, entities) {
            Some((seconds, optimum)) => {
                let cost = program.cost().expect("a solution");
                (format!("{seconds:.2}"), format!("{:.0e}", (cost - optimum).abs() / optimum))
            }
            None => ("-".to_owned(), "-".to_owned()),
        };
        println!(
            "{entities:>8} {:>8} {:>8.2} {:>9.3} {total:>12.3} {rules:>12.3} {:>7.1} {variables:>9} {constraints:>11} {highs:>8} {difference:>10}",
            file.workload.reads.len(),
            took.as_secs_f64(),
            choice.gap() * 100.0,
            (1.0 - total / rules) * 100.0
        );
        if took > LONGEST_OF_RANDOM {
            println!("  longer than {LONGEST_OF_RANDOM:?}");
        }
    }
    if find_python().is_none() {
        println!("HiGHS was not found: cargo test -p helenus --test main optimality installs it");
    }
}

/// The seconds that `HiGHS` takes for a program on one thread, and its optimum; `None` without `HiGHS`.
fn solve_with_highs(program: &DesignProgram, entities: u64) -> Option<(f64, f64)> {
    let python = find_python()?;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("entities_{entities}.lp"));
    std::fs::write(&path, program.program_text()).expect("the program can be written");
    std::fs::write(path.with_extension("sol"), program.solution_text()).expect("so can its sol");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/optimality/solve.py");
    let output = Command::new(python).arg(script).arg("600").arg(&path).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [.., "optimal", optimum, _, seconds, _, _] = words.as_slice() else {
        println!("  HiGHS: {text}");
        return None;
    };
    Some((seconds.parse().ok()?, optimum.parse().ok()?))
}

/// The Python with `HiGHS` that `tests/optimality` installed, or the one on the path if that has it.
fn find_python() -> Option<PathBuf> {
    let installed = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR")).ok()?.flatten();
    let mut installed: Vec<PathBuf> = installed
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("highspy-"))
        .map(|entry| entry.path().join("bin/python"))
        .collect();
    installed.push(PathBuf::from("python3"));
    installed.into_iter().find(|python| {
        let tried = Command::new(python).args(["-c", "import highspy"]).output();
        tried.is_ok_and(|output| output.status.success())
    })
}

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn next_below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end.max(1)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let at = usize::try_from(self.next_below(all.len() as u64)).unwrap_or(0);
        all[at]
    }
}

/// A model of so many entities, each referring to one or two earlier ones.
fn random_model(entities: u64) -> String {
    let mut random = Random(entities);
    let mut text = String::from("-- @keyspace scale  @replication dc1:3  @nodes 12\n\n");
    for entity in 0..entities {
        let parent = random.next_below(entity.max(1));
        let other = random.next_below(entity.max(1));
        let rows = random.one_of(&["10k", "100k", "1M", "10M"]);
        let refers = if entity > 0 {
            format!(
                "\n  parent_id uuid NOT NULL REFERENCES e{parent},\n  other_id uuid NOT NULL REFERENCES e{other},"
            )
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "-- @rows {rows}
CREATE TABLE e{entity} (
  id{entity} uuid PRIMARY KEY,{refers}
  kind text NOT NULL,     -- @distinct 20
  name text NOT NULL,     -- @distinct 5k @bytes 20
  amount int NOT NULL,
  note text NOT NULL,     -- @bytes 200
  created timestamp NOT NULL
);
"
        );
    }
    for entity in 0..entities {
        for nr in 0..3 {
            query(&mut random, &mut text, entity, nr);
        }
        let (add, change) = (random.one_of(&[1, 10, 100]), random.one_of(&[1, 10, 100]));
        let refers = if entity > 0 { "parent_id, other_id, " } else { "" };
        let marks = if entity > 0 { "?, ?, " } else { "" };
        let _ = writeln!(
            text,
            "-- name: Add{entity} :exec
-- @rate {add}/s
INSERT INTO e{entity} (id{entity}, {refers}kind, name, amount, note, created) VALUES (?, {marks}?, ?, ?, ?, ?);

-- name: Change{entity} :exec
-- @rate {change}/s
UPDATE e{entity} SET amount = ?, note = ? WHERE id{entity} = ?;
"
        );
    }
    text
}

/// One query over an entity and perhaps what it refers to.
fn query(random: &mut Random, text: &mut String, entity: u64, nr: u64) {
    let rate = random.one_of(&[1, 10, 100, 1_000]);
    let (joined, shown) = match (entity, random.next_below(3)) {
        (1.., 1) => {
            (join_clause(text, entity, "parent_id"), ", p.name AS p_name, p.amount AS p_amount")
        }
        (1.., 2) => (join_clause(text, entity, "other_id"), ", p.note AS p_note"),
        _ => (String::new(), ""),
    };
    let by = match (entity, random.next_below(5)) {
        (_, 0) => format!("c.id{entity} = ?"),
        (1.., 1) => "c.parent_id = ?".to_owned(),
        (1.., 2) => "c.other_id = ? AND c.kind = ?".to_owned(),
        (_, 3) => "c.name = ? AND c.kind = ?".to_owned(),
        _ => "c.name = ?".to_owned(),
    };
    let order =
        random.one_of(&["", " ORDER BY c.created DESC LIMIT 20", " ORDER BY c.amount LIMIT 10"]);
    let _ = writeln!(
        text,
        "-- name: Q{entity}_{nr} :many
-- @rate {rate}/s
SELECT c.id{entity}, c.amount, c.note, c.created{shown} FROM e{entity} c{joined} WHERE {by}{order};
"
    );
}

/// The join to what a column refers to, as the text has it.
fn join_clause(text: &str, entity: u64, column: &str) -> String {
    let table = text.split(&format!("CREATE TABLE e{entity} (")).nth(1).unwrap_or_default();
    let refers = table.split(&format!("{column} uuid NOT NULL REFERENCES e")).nth(1);
    let target = refers.and_then(|rest| rest.split(',').next()).unwrap_or("0");
    format!(" JOIN e{target} p ON p.id{target} = c.{column}")
}
