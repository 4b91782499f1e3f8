//! How often `helenus check` is right about public schemas: precision and recall against
//! `tests/corpus/oracles.txt`.
//!
//! ```text
//! cargo bench -p helenus --bench corpus --profile dev -- FOLDER
//! ```
//!
//! FOLDER holds a folder for each project, with the paths that the table names. Nothing of it is
//! part of this repository; missing paths are reported and skipped.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark may panic on errors")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ORACLES: &str = include_str!("../../../tests/corpus/oracles.txt");

/// An expert's assessment of a project: findings that must, may and must not be reported.
#[derive(Default)]
struct Oracle {
    project: &'static str,
    paths: Vec<&'static str>,
    must: Vec<Claim>,
    may: Vec<Claim>,
    must_not: Vec<Claim>,
}

/// `PS001/PS005 tasks high`, `CO007 span.tags`.
struct Claim {
    codes: Vec<&'static str>,
    table: &'static str,
    column: Option<&'static str>,
    severity: Option<&'static str>,
}

/// The compared fields of a finding.
struct Finding {
    code: String,
    table: String,
    column: String,
    severity: String,
    message: String,
}

/// The result for a project.
#[derive(Default)]
struct Score {
    musts: usize,
    found: usize,
    wrong: usize,
    /// Required findings with at least the expert's severity.
    severe_enough: usize,
    /// Required findings for which the expert gives a severity.
    rated: usize,
}

impl Claim {
    fn parse(words: &'static str) -> Self {
        let mut words = words.split_whitespace();
        let codes = words.next().unwrap().split('/').collect();
        let name = words.next().unwrap();
        let (table, column) = match name.split_once('.') {
            Some((table, column)) => (table, Some(column)),
            None => (name, None),
        };
        Self { codes, table, column, severity: words.next() }
    }

    fn matches(&self, finding: &Finding) -> bool {
        let is_here = self.table == "*" || self.table == finding.table;
        let is_column = self.column.is_none_or(|column| column == finding.column);
        let is_code = |code: &&str| match code.strip_suffix('*') {
            Some(family) => finding.code.starts_with(family),
            None => finding.code == *code,
        };
        is_here && is_column && self.codes.iter().any(is_code)
    }

    fn name(&self) -> String {
        let column = self.column.map_or_else(String::new, |column| format!(".{column}"));
        format!("{} {}{column}", self.codes.join("/"), self.table)
    }
}

/// How bad a severity is.
fn rank(severity: &str) -> usize {
    const ALL: [&str; 6] = ["info", "low", "medium", "high", "critical", "error"];
    ALL.iter().position(|known| *known == severity).unwrap()
}

impl Score {
    fn print(&self, name: &str) {
        let (musts, found, wrong) = (self.musts as f64, self.found as f64, self.wrong as f64);
        let recall = if self.musts == 0 { 1.0 } else { found / musts };
        let reported = found + wrong;
        let precision = if reported == 0.0 { 1.0 } else { 1.0 - wrong / reported };
        println!(
            "{name:<14} recall {recall:.2} ({} of {})  precision {precision:.2} ({} wrong)  severity at least as expected {} of {}",
            self.found, self.musts, self.wrong, self.severe_enough, self.rated
        );
    }

    fn add(&mut self, other: &Self) {
        self.musts += other.musts;
        self.found += other.found;
        self.wrong += other.wrong;
        self.severe_enough += other.severe_enough;
        self.rated += other.rated;
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        println!("nothing measured: pass the folder of the projects");
        return;
    };
    let mut all = Score::default();
    for oracle in oracles() {
        let home = folder.join(oracle.project);
        let (there, missing): (Vec<PathBuf>, Vec<PathBuf>) =
            oracle.paths.iter().map(|path| home.join(path)).partition(|path| path.exists());
        for path in missing {
            println!("SKIPPED: {} does not exist", path.display());
        }
        if !there.is_empty() {
            let score = score_project(&oracle, &findings(&home, &there));
            score.print(oracle.project);
            all.add(&score);
        }
    }
    all.print("all");
}

/// The experts' assessments.
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
            "must" => oracle.must.push(Claim::parse(rest)),
            "may" => oracle.may.push(Claim::parse(rest)),
            _ => oracle.must_not.push(Claim::parse(rest)),
        }
    }
    oracles
}

/// The findings of the command in these paths.
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
        column: text(&found["subject"]["column"]),
        severity: text(&found["severity"]),
        message: text(&found["message"]),
    };
    report["findings"].as_array().unwrap().iter().map(finding).collect()
}

/// Compares findings with the assessment; prints missing, wrong and unlisted ones.
fn score_project(oracle: &Oracle, findings: &[Finding]) -> Score {
    let mut score = Score { musts: oracle.must.len(), ..Score::default() };
    for must in &oracle.must {
        let matching = findings.iter().filter(|finding| must.matches(finding));
        let severities = matching.map(|finding| &*finding.severity);
        let Some(worst) = severities.max_by_key(|severity| rank(severity)) else {
            println!("  missing    {}", must.name());
            continue;
        };
        score.found += 1;
        if let Some(expected) = must.severity {
            score.rated += 1;
            score.severe_enough += usize::from(rank(worst) >= rank(expected));
            if rank(worst) < rank(expected) {
                println!("  milder     {worst} {}: expected {expected}", must.name());
            }
        }
    }
    let mut wrong: BTreeSet<(&str, &str)> = BTreeSet::new();
    for finding in findings {
        let Finding { code, table, severity, message, .. } = finding;
        let is_listed = |claims: &[Claim]| claims.iter().any(|claim| claim.matches(finding));
        if is_listed(&oracle.must) || is_listed(&oracle.may) {
            continue;
        }
        let denied = oracle.must_not.iter().find(|claim| claim.matches(finding));
        let most = denied.map_or("low", |claim| claim.severity.unwrap_or("info"));
        if rank(severity) <= rank(most) {
            continue;
        }
        if denied.is_none() {
            println!("  unlisted   {severity} {code} {table}: {message}");
        } else if wrong.insert((code, table)) {
            println!("  wrong      {severity} {code} {table}: {message}");
        }
    }
    score.wrong = wrong.len();
    score
}
