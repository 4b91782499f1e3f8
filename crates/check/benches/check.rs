//! How fast texts are parsed, replayed and checked, and how the time grows with them: `cargo bench -p check`.
//!
//! `-- --tree` measures nothing else, `-- --rules` adds the rules that take longest, `-- --large` one text of 100 MB of either shape. Where the command `sqlfluff` is
//! found, it lints SQL of the same kind for comparison.
#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "the figures are the purpose")]

use std::fmt::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use check::{Check, Level, Project, Settings, SourceText, TextKind};
use schema::Session;

/// As in the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const FILES: usize = 2_000;
const LINES_PER_FILE: usize = 300;
/// The statements of the smallest text whose growth is measured.
const STATEMENTS: usize = 10_000;
const LARGE: usize = 100_000_000;

fn main() {
    let has = |flag: &str| std::env::args().any(|word| word == flag);
    let tree: Vec<String> = (0..FILES).map(file).collect();
    println!("one core; a tree of {FILES} files, four times: what else the machine does shows");
    let runs = (0..4).map(|run| measure("tree", &tree, has("--rules") && run == 3));
    let ours = runs.fold(0.0, f64::max);
    if has("--tree") {
        return;
    }
    println!("\ngrowth with the number of statements");
    for times in [1, 2, 4, 8] {
        let text = [tables(STATEMENTS / 4 * times)];
        measure(&format!("{times}x tables"), &text, has("--rules") && times == 8);
    }
    for times in [1, 2, 4, 8] {
        let text = [statements(STATEMENTS * times)];
        measure(&format!("{times}x statements"), &text, has("--rules") && times == 8);
    }
    if has("--large") {
        println!("\none text of {} MB", LARGE / 1_000_000);
        measure("tables", &[generate_text(tables, LARGE)], false);
        measure("statements", &[generate_text(statements, LARGE)], false);
    }
    editor();
    sqlfluff(ours);
}

/// Parses, replays and checks the texts; prints the time of each and returns the lines per second of all together.
fn measure(name: &str, texts: &[String], with_rules: bool) -> f64 {
    let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
    let settings = Settings::default();
    let start = Clock::start();
    let parsed: Vec<SourceText<'_>> = texts.iter().map(|text| parse_text(text)).collect();
    let parse = start.elapsed();
    let start = Clock::start();
    let project = Project::new(parsed, session(), &settings, None);
    let replay = start.elapsed();
    let start = Clock::start();
    let found = check::check(&project);
    let check = start.elapsed();
    let refused = found.iter().find(|finding| finding.error.is_some());
    assert!(refused.is_none(), "{refused:?}");
    let all = parse + replay + check;
    println!(
        "{name:>14}: {lines:>8} lines, {:>7} statements, {:>6} findings, {:>5} ms: {:>9.0} lines/s \
         (parse {:>9.0}, replay {:>9.0}, check {:>9.0})",
        project.statements.len(),
        found.len(),
        all.as_millis(),
        rate(lines, all),
        rate(lines, parse),
        rate(lines, replay),
        rate(lines, check),
    );
    drop((found, project));
    if with_rules {
        rules(texts);
    }
    rate(lines, all)
}

#[expect(clippy::cast_precision_loss, reason = "figures for a person")]
fn rate(lines: usize, time: Duration) -> f64 {
    lines as f64 / time.as_secs_f64()
}

fn parse_text(text: &str) -> SourceText<'_> {
    let parsed = cql::parse(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.first());
    SourceText { name: "file.cql", text, parsed, kind: TextKind::Cql, is_reported: true }
}

fn session() -> Session {
    let mut session = Session::with_system_tables();
    session.catalog.datacenters.clear();
    session
}

/// The rules that take longest, and what is asked without any.
fn rules(texts: &[String]) {
    let is_asked = |rule: &&check::Rule| {
        let is_silent = matches!(rule.check, Check::Server | Check::ServerFix(_));
        rule.by_default && !is_silent
    };
    let mut silent = Settings::default();
    for rule in check::rules::all() {
        silent.levels.insert(rule.code.to_owned(), Level::Off);
    }
    let asked: Vec<(&check::Rule, Settings)> = check::rules::all()
        .filter(is_asked)
        .map(|rule| {
            let mut settings = silent.clone();
            settings.levels.insert(rule.code.to_owned(), Level::On);
            (rule, settings)
        })
        .collect();
    let texts = texts.iter().map(|text| parse_text(text)).collect();
    let mut project = Project::new(texts, session(), &silent, None);
    let nothing = time_check(&project);
    let mut times = Vec::new();
    for (rule, settings) in &asked {
        project.settings = settings;
        times.push((time_check(&project).saturating_sub(nothing), rule));
    }
    times.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    println!("{:>8.1} ms without any rule", nothing.as_secs_f64() * 1e3);
    for (time, rule) in times.iter().take(15) {
        println!("{:>8.1} ms {} {}", time.as_secs_f64() * 1e3, rule.code, rule.name);
    }
}

/// The time that this thread spends on a core, where the system tells it; else the time that passes.
struct Clock {
    passed: Instant,
    on_core: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { passed: Instant::now(), on_core: core_time() }
    }

    fn elapsed(&self) -> Duration {
        match (core_time(), self.on_core) {
            (Some(now), Some(start)) => now.saturating_sub(start),
            _ => self.passed.elapsed(),
        }
    }
}

fn core_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn time_check(project: &Project<'_>) -> Duration {
    let start = Clock::start();
    check::check(project);
    start.elapsed()
}

/// What an editor waits for: a text of 5,000 lines is parsed and replayed, and completed in the middle.
fn editor() {
    let mut text = String::new();
    let mut lines = 0;
    for at in 0.. {
        text.push_str(&file(at));
        lines = text.lines().count();
        if lines >= 5_000 {
            break;
        }
    }
    let settings = Settings::default();
    let mut worst = Duration::ZERO;
    for _ in 0..20 {
        let start = Clock::start();
        let project = Project::new(vec![parse_text(&text)], session(), &settings, None);
        check::editor::completions(&project, 0, text.len() / 2);
        worst = worst.max(start.elapsed());
    }
    let worst = worst.as_secs_f64() * 1e3;
    println!("\na completion in a text of {lines} lines: {worst:.1} ms at worst");
}

/// How many lines sqlfluff lints a second, where it is installed.
fn sqlfluff(ours: f64) {
    let path = std::env::temp_dir().join("helenus-bench.sql");
    let text = sql(2_000);
    let lines = text.lines().count();
    if std::fs::write(&path, &text).is_err() {
        return;
    }
    let start = Instant::now();
    let ran = Command::new("sqlfluff").args(["lint", "--dialect", "postgres"]).arg(&path).output();
    let time = start.elapsed();
    // It is in the directory for such files; one that stays does no harm.
    let _ = std::fs::remove_file(&path);
    if ran.is_err() {
        println!("\nsqlfluff is not installed");
        return;
    }
    let theirs = rate(lines, time);
    println!("\nsqlfluff: {theirs:.0} lines/s; helenus checks {:.0} times as many", ours / theirs);
}

/// Figures that look random and are the same every time.
struct Seed(u64);

impl Seed {
    /// One of so many.
    fn next_below(&mut self, many: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % many
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.next_below(words.len())]
    }
}

const THINGS: [&str; 12] = [
    "orders", "users", "events", "sessions", "readings", "messages", "payments", "products",
    "carts", "alerts", "devices", "reviews",
];
const KEYS: [&str; 6] = [
    "user_id uuid",
    "device_id uuid",
    "tenant text",
    "order_id uuid",
    "email text",
    "account bigint",
];
const PLAIN: [&str; 16] = [
    "name text",
    "status text",
    "amount decimal",
    "price double",
    "created_at timestamp",
    "updated_at timestamp",
    "payload blob",
    "country text",
    "quantity int",
    "is_active boolean",
    "tags set<text>",
    "attributes map<text, text>",
    "address text",
    "city text",
    "score float",
    "notes list<text>",
];
const OPTIONS: [&str; 5] = [
    "comment = 'kept by the service'",
    "default_time_to_live = 2592000",
    "gc_grace_seconds = 432000",
    "compaction = {'class': 'LeveledCompactionStrategy'}",
    "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}",
];

/// A table, as far as statements need it.
struct GeneratedTable {
    name: String,
    key: &'static str,
    columns: Vec<&'static str>,
}

fn word(column: &str) -> &str {
    column.split(' ').next().unwrap_or_default()
}

/// CREATE TABLE with one column a line.
fn table(text: &mut String, seed: &mut Seed, at: usize) -> GeneratedTable {
    let name = format!("{}_{at}", seed.pick(&THINGS));
    let key = seed.pick(&KEYS);
    let first = seed.next_below(8);
    let columns: Vec<&str> =
        PLAIN.iter().skip(first).take(4 + seed.next_below(5)).copied().collect();
    let _ = writeln!(text, "-- What the service keeps of its {name}.\nCREATE TABLE {name} (");
    let _ = writeln!(text, "  {key}, -- who it belongs to\n  at timeuuid,");
    for column in &columns {
        let _ = writeln!(text, "  {column},");
    }
    let _ = writeln!(text, "  PRIMARY KEY ({}, at)", word(key));
    let _ = write!(text, ") WITH CLUSTERING ORDER BY (at DESC)");
    for option in OPTIONS.iter().skip(seed.next_below(5)).take(2) {
        let _ = write!(text, "\n  AND {option}");
    }
    text.push_str(";\n\n");
    GeneratedTable { name, key, columns }
}

/// A statement over several lines, with a name.
fn statement(text: &mut String, seed: &mut Seed, known: &GeneratedTable, at: usize) {
    let (name, key) = (&known.name, word(known.key));
    let column = word(known.columns[seed.next_below(known.columns.len())]);
    let _ = writeln!(text, "-- name: Statement{at} :many");
    let _ = match seed.next_below(6) {
        0 | 1 => {
            writeln!(text, "SELECT {key}, at, {column}\nFROM {name}\nWHERE {key} = ?\nLIMIT 100;")
        }
        2 => writeln!(text, "SELECT {column}\nFROM {name}\nWHERE {key} = ?\n  AND at = ?;"),
        3 => writeln!(text, "INSERT INTO {name} ({key}, at, {column})\nVALUES (?, ?, ?);"),
        4 => writeln!(text, "UPDATE {name}\nSET {column} = ?\nWHERE {key} = ?\n  AND at = ?;"),
        _ => writeln!(text, "DELETE FROM {name}\nWHERE {key} = ?\n  AND at = ?;"),
    };
    text.push('\n');
}

/// A file of a tree: six tables and the statements of a service.
fn file(at: usize) -> String {
    let mut seed = Seed(at as u64);
    let mut text = keyspace(at);
    let tables: Vec<GeneratedTable> =
        (0..6).map(|number| table(&mut text, &mut seed, at * 6 + number)).collect();
    let mut lines = text.lines().count();
    for number in 0.. {
        if lines >= LINES_PER_FILE {
            break;
        }
        let from = text.len();
        let known = &tables[seed.next_below(tables.len())];
        statement(&mut text, &mut seed, known, at * 100 + number);
        lines += text[from..].lines().count();
    }
    text
}

fn keyspace(at: usize) -> String {
    let name = format!("service_{}", at / 100);
    format!(
        "CREATE KEYSPACE IF NOT EXISTS {name}\n\
         WITH replication = {{'class': 'NetworkTopologyStrategy', 'dc1': 3}};\n\nUSE {name};\n\n"
    )
}

/// So many tables.
fn tables(many: usize) -> String {
    let mut seed = Seed(1);
    let mut text = keyspace(0);
    for at in 0..many {
        table(&mut text, &mut seed, at);
    }
    text
}

/// So many statements on two tables.
fn statements(many: usize) -> String {
    let mut seed = Seed(2);
    let mut text = keyspace(0);
    let tables = [table(&mut text, &mut seed, 0), table(&mut text, &mut seed, 1)];
    for at in 0..many {
        let known = &tables[seed.next_below(2)];
        statement(&mut text, &mut seed, known, at);
    }
    text
}

/// A text of about so many bytes.
fn generate_text(shape: fn(usize) -> String, bytes: usize) -> String {
    let sample = shape(1_000).len();
    shape(bytes / sample * 1_000)
}

/// SQL of the same kind.
fn sql(lines: usize) -> String {
    let mut text = String::new();
    for at in 0.. {
        let _ = write!(
            text,
            "-- What the service keeps.\nCREATE TABLE orders_{at} (\n    user_id uuid,\n    at timestamp,\n    \
             name text,\n    status text,\n    amount decimal,\n    PRIMARY KEY (user_id, at)\n);\n\n\
             SELECT\n    user_id,\n    at,\n    status\nFROM orders_{at}\nWHERE user_id = 1\nLIMIT 100;\n\n\
             UPDATE orders_{at}\nSET status = 'a'\nWHERE user_id = 1;\n\n"
        );
        if text.lines().count() >= lines {
            break;
        }
    }
    text
}
