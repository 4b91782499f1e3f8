//! How often `helenus check` is right about public schemas: precision and recall against `tests/corpus/oracles.txt`.
//!
//! ```text
//! cargo bench -p helenus --bench corpus --profile dev -- FOLDER
//! ```
//!
//! FOLDER holds a folder for each project, with the paths that the table names. Nothing of it is part of this repository; what
//! is missing is told and left out.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark that fails has nothing to say")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ORACLES: &str = include_str!("../../../tests/corpus/oracles.txt");

/// What an expert says of a project.
#[derive(Default)]
struct Oracle {
    project: &'static str,
    paths: Vec<&'static str>,
    must: Vec<Saying>,
    may: Vec<Saying>,
    must_not: Vec<Saying>,
}

/// `PS001/PS005 tasks`.
struct Saying {
    codes: Vec<&'static str>,
    table: &'static str,
}

/// A finding that matters here.
struct Finding {
    code: String,
    table: String,
    severity: String,
    message: String,
}

/// What came of a project.
#[derive(Default)]
struct Score {
    musts: usize,
    found: usize,
    wrong: usize,
}

impl Saying {
    fn of(words: &'static str) -> Self {
        let (codes, table) = words.split_once(' ').unwrap();
        Self { codes: codes.split('/').collect(), table: table.trim() }
    }

    fn is(&self, finding: &Finding) -> bool {
        let is_here = self.table == "*" || self.table == finding.table;
        is_here && self.codes.contains(&finding.code.as_str())
    }
}

impl Score {
    fn print(&self, name: &str) {
        let (musts, found, wrong) = (self.musts as f64, self.found as f64, self.wrong as f64);
        let recall = if self.musts == 0 { 1.0 } else { found / musts };
        let told = found + wrong;
        let precision = if told == 0.0 { 1.0 } else { 1.0 - wrong / told };
        println!(
            "{name:<14} recall {recall:.2} ({} of {})  precision {precision:.2} ({} wrong)",
            self.found, self.musts, self.wrong
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        println!("nothing measured: name the folder of the projects");
        return;
    };
    let mut all = Score::default();
    for oracle in oracles() {
        let home = folder.join(oracle.project);
        let (there, missing): (Vec<PathBuf>, Vec<PathBuf>) =
            oracle.paths.iter().map(|path| home.join(path)).partition(|path| path.exists());
        for path in missing {
            println!("LEFT OUT: {} is not there", path.display());
        }
        if !there.is_empty() {
            let score = judge(&oracle, &findings(&home, &there));
            score.print(oracle.project);
            all.musts += score.musts;
            all.found += score.found;
            all.wrong += score.wrong;
        }
    }
    all.print("all");
}

/// The table of what experts say.
fn oracles() -> Vec<Oracle> {
    let mut oracles: Vec<Oracle> = Vec::new();
    let lines = ORACLES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (word, rest) in lines.map(|line| line.split_once(' ').unwrap()) {
        if word == "project" {
            oracles.push(Oracle { project: rest, ..Oracle::default() });
            continue;
        }
        let oracle = oracles.last_mut().unwrap();
        match word {
            "read" => oracle.paths.push(rest),
            "must" => oracle.must.push(Saying::of(rest)),
            "may" => oracle.may.push(Saying::of(rest)),
            _ => oracle.must_not.push(Saying::of(rest)),
        }
    }
    oracles
}

/// What the command finds in these paths.
fn findings(home: &Path, paths: &[PathBuf]) -> Vec<Finding> {
    let arguments = ["check", "--format", "json", "--min-severity", "info", "--templates"];
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(arguments)
        .arg("--programs")
        .args(paths)
        .current_dir(home)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let finding = |found: &Value| Finding {
        code: text(&found["code"]),
        table: text(&found["subject"]["table"]),
        severity: text(&found["severity"]),
        message: text(&found["message"]),
    };
    report["findings"].as_array().unwrap().iter().map(finding).collect()
}

/// Compares; prints what is missing, what is wrong, and what nobody spoke of.
fn judge(oracle: &Oracle, findings: &[Finding]) -> Score {
    let mut score = Score { musts: oracle.must.len(), ..Score::default() };
    for must in &oracle.must {
        if findings.iter().any(|finding| must.is(finding)) {
            score.found += 1;
        } else {
            println!("  missing    {} {}", must.codes.join("/"), must.table);
        }
    }
    let mut wrong: BTreeSet<(&str, &str)> = BTreeSet::new();
    for finding in findings {
        let is = |sayings: &[Saying]| sayings.iter().any(|saying| saying.is(finding));
        let Finding { code, table, severity, message } = finding;
        if is(&oracle.must) || is(&oracle.may) {
            continue;
        }
        if is(&oracle.must_not) {
            if severity != "info" && wrong.insert((code, table)) {
                println!("  wrong      {severity} {code} {table}: {message}");
            }
        } else if !matches!(severity.as_str(), "info" | "low") {
            println!("  unlisted   {severity} {code} {table}: {message}");
        }
    }
    score.wrong = wrong.len();
    score
}
