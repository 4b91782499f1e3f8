//! Text that could exhaust a reader: the time grows with the length only, and no nesting overflows the stack.

use std::fs;
use std::time::{Duration, Instant};

use super::{MODEL, SCHEMA, make_folder, remove_folder, run, text};

/// What is repeated.
const PIECES: [&str; 24] = [
    ",",
    " ",
    "\t",
    "'",
    "\"",
    "`",
    "(",
    ")",
    "((",
    "-",
    "--",
    "/*",
    "*/",
    "/",
    "@",
    "@ ",
    "@rows ",
    "@after a,",
    "$$",
    "\\",
    ";",
    "[",
    "{",
    "é",
];
/// The length of the repetitions in bytes. What needs the square of it takes minutes.
const LENGTH: usize = 200_000;
/// The programs of this test are not optimised, and the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(15);

/// The places where a repetition stands.
fn contexts(repeated: &str) -> Vec<String> {
    vec![
        repeated.to_owned(),
        format!("-- {repeated}\n"),
        format!("-- @rows 5 {repeated}\n"),
        format!("-- @after {repeated}\n"),
        format!("-- name: {repeated}\n"),
        format!("/* {repeated} */"),
        format!("/* @each {repeated}\n*/"),
    ]
}

fn expect_soon<T>(what: &str, work: impl FnOnce() -> T) {
    let start = Instant::now();
    let _ = work();
    assert!(start.elapsed() < PATIENCE, "{what} takes {:?}", start.elapsed());
}

#[test]
fn models_are_read_in_linear_time() {
    for piece in PIECES {
        for before in contexts(&piece.repeat(LENGTH / piece.len())) {
            let start: String = before.chars().take(20).collect();
            expect_soon(&start, || model::sql::read(&format!("{before}\n{MODEL}"), "app"));
            let within = format!("CREATE TABLE t (a int PRIMARY KEY {before}\n);");
            expect_soon(&start, || model::sql::read(&within, "app"));
        }
    }
}

#[test]
fn cql_is_read_in_linear_time() {
    for piece in PIECES {
        for before in contexts(&piece.repeat(LENGTH / piece.len())) {
            let start: String = before.chars().take(20).collect();
            expect_soon(&start, || cql::parse(&format!("{before}\n{SCHEMA}")));
            expect_soon(&start, || cql::parse(&format!("SELECT {before}")));
        }
    }
}

/// The whole commands, with comments that declare volumes and with nesting.
#[test]
fn commands_read_in_linear_time() {
    let folder = make_folder("hostile");
    for (number, piece) in [",", "'", "(", "/*", "@rows ", "-"].iter().enumerate() {
        // Each wrong directive is a finding with its excerpt: linear, but slow where nothing is optimised.
        let repeated = piece.repeat(LENGTH / 4 / piece.len());
        let name = format!("hostile{number}.cql");
        let comment = format!("-- @rows 5 {}\n{SCHEMA}", repeated.replace('\n', " "));
        for text in [comment, format!("{SCHEMA}SELECT {repeated}")] {
            fs::write(folder.join(&name), text).unwrap();
            for command in ["check", "estimate", "fmt"] {
                let what = format!("{command} of {piece}");
                expect_soon(&what, || expect_no_panic(&run(&folder, &[command, &name])));
            }
        }
        let name = format!("hostile{number}.sql");
        fs::write(folder.join(&name), format!("-- @after {repeated}\n{MODEL}")).unwrap();
        for command in ["design", "diagram", "estimate"] {
            let what = format!("{command} of {piece}");
            expect_soon(&what, || expect_no_panic(&run(&folder, &[command, &name])));
        }
    }
    remove_folder(&folder);
}

fn expect_no_panic(output: &std::process::Output) {
    assert!(output.status.code().is_some(), "it was killed: {}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
}
