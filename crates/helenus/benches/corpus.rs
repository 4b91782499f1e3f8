//! How often `helenus check` is right about public schemas: precision and recall against an expert's assessment.
//!
//! ```text
//! cargo bench -p helenus --bench corpus --profile dev -- FOLDER [ORACLES]
//! ```
//!
//! FOLDER holds a folder for each project, with the paths that the assessment names. Nothing of it is part of this repository; missing
//! paths are reported and skipped. ORACLES is `tests/corpus/oracles.txt` unless another file is named.
//!
//! A finding is wrong if the expert denies it, or if it is of low severity or above and the expert does not mention it. Findings of one
//! rule on one table count once.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads files")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark may panic on errors")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ORACLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/oracles.txt");

/// All severities, the mildest first.
const SEVERITIES: [&str; 6] = ["info", "low", "medium", "high", "critical", "error"];

/// An expert's assessment of a project: findings that must, may and must not be reported.
#[derive(Default)]
struct Oracle {
    project: String,
    paths: Vec<String>,
    must: Vec<Claim>,
    may: Vec<Claim>,
    must_not: Vec<Claim>,
}

/// `PS001/PS005 tasks high`, `CO007 span.tags`.
struct Claim {
    codes: Vec<String>,
    table: String,
    column: Option<String>,
    /// Its place among [`SEVERITIES`].
    severity: Option<usize>,
}

/// The compared fields of a finding.
struct Finding {
    code: String,
    table: String,
    column: String,
    severity: usize,
    message: String,
}

/// The result for a project.
#[derive(Default)]
struct Score {
    musts: usize,
    found: usize,
    /// Required findings at most one step from the expert's severity, or without one.
    near: usize,
    /// Required findings with the expert's severity, or without one.
    exact: usize,
    /// Findings that the expert denies.
    denied: usize,
    /// Findings of low severity or above that the expert does not mention.
    unlisted: usize,
    /// Those of them that are of medium severity or above.
    unlisted_medium: usize,
}

impl Claim {
    fn parse(words: &str) -> Self {
        let mut words = words.split_whitespace();
        let codes = words.next().unwrap().split('/').map(str::to_owned).collect();
        let name = words.next().unwrap_or("*");
        let (table, column) = match name.split_once('.') {
            Some((table, column)) => (table, Some(column.to_owned())),
            None => (name, None),
        };
        let severity = words.next().and_then(rank);
        Self { codes, table: table.to_owned(), column, severity }
    }

    fn matches(&self, finding: &Finding) -> bool {
        let is_here = self.table == "*" || self.table == finding.table;
        let is_column = self.column.as_ref().is_none_or(|column| *column == finding.column);
        let is_code = |code: &String| match code.strip_suffix('*') {
            Some(family) => finding.code.starts_with(family),
            None => finding.code == *code,
        };
        is_here && is_column && self.codes.iter().any(is_code)
    }

    fn name(&self) -> String {
        let column = self.column.as_ref().map_or_else(String::new, |column| format!(".{column}"));
        let severity = self.severity.map_or_else(String::new, |at| format!(" {}", SEVERITIES[at]));
        format!("{} {}{column}{severity}", self.codes.join("/"), self.table)
    }
}

/// How bad a severity is.
fn rank(severity: &str) -> Option<usize> {
    SEVERITIES.iter().position(|known| *known == severity)
}

impl Score {
    fn print(&self, name: &str) {
        let share = |part: usize, all: usize| if all == 0 { 1.0 } else { part as f64 / all as f64 };
        let recall = |part: usize| share(part, self.musts);
        let precision = |wrong: usize| share(self.found, self.found + wrong);
        println!(
            "{name:<24} precision {:.3} ({} denied, {} unlisted; from medium on {:.3})  recall {:.3} ({} of {})  \
             within one step {:.3} ({})  exact severity {:.3} ({})",
            precision(self.denied + self.unlisted),
            self.denied,
            self.unlisted,
            precision(self.denied + self.unlisted_medium),
            recall(self.found),
            self.found,
            self.musts,
            recall(self.near),
            self.near,
            recall(self.exact),
            self.exact,
        );
    }

    fn add(&mut self, other: &Self) {
        self.musts += other.musts;
        self.found += other.found;
        self.near += other.near;
        self.exact += other.exact;
        self.denied += other.denied;
        self.unlisted += other.unlisted;
        self.unlisted_medium += other.unlisted_medium;
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        println!("nothing measured: pass the folder of the projects");
        return;
    };
    let text = std::fs::read_to_string(arguments.next().as_deref().unwrap_or(ORACLES)).unwrap();
    let (mut all, mut projects) = (Score::default(), 0);
    for oracle in parse_oracles(&text) {
        let home = folder.join(&oracle.project);
        let (there, missing): (Vec<PathBuf>, Vec<PathBuf>) =
            oracle.paths.iter().map(|path| home.join(path)).partition(|path| path.exists());
        for path in missing {
            println!("SKIPPED: {} does not exist", path.display());
        }
        if !there.is_empty() {
            let score = score_project(&oracle, &collect_findings(&home, &there));
            score.print(&oracle.project);
            all.add(&score);
            projects += 1;
        }
    }
    all.print(&format!("all {projects} projects"));
}

/// The experts' assessments.
fn parse_oracles(text: &str) -> Vec<Oracle> {
    let mut oracles: Vec<Oracle> = Vec::new();
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (word, rest) in lines.map(|line| line.split_once(' ').unwrap()) {
        let rest = rest.split(" #").next().unwrap_or(rest).trim();
        if word == "project" {
            oracles.push(Oracle { project: rest.to_owned(), ..Oracle::default() });
            continue;
        }
        let oracle = oracles.last_mut().unwrap();
        match word {
            "read" => oracle.paths.push(rest.to_owned()),
            "must" => oracle.must.push(Claim::parse(rest)),
            "may" => oracle.may.push(Claim::parse(rest)),
            "must-not" => oracle.must_not.push(Claim::parse(rest)),
            _ => println!("IGNORED: `{word}` is none of project, read, must, may, must-not"),
        }
    }
    oracles
}

/// The findings of the command in these paths.
fn collect_findings(home: &Path, paths: &[PathBuf]) -> Vec<Finding> {
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
        severity: rank(&text(&found["severity"])).unwrap(),
        message: text(&found["message"]),
    };
    report["findings"].as_array().unwrap().iter().map(finding).collect()
}

/// Compares findings with the assessment; prints what is missing, of another severity, or wrong.
fn score_project(oracle: &Oracle, findings: &[Finding]) -> Score {
    let mut score = Score { musts: oracle.must.len(), ..Score::default() };
    for must in &oracle.must {
        let matching = findings.iter().filter(|finding| must.matches(finding));
        let Some(worst) = matching.map(|finding| finding.severity).max() else {
            println!("  missing    {}", must.name());
            continue;
        };
        let distance = must.severity.map_or(0, |expected| expected.abs_diff(worst));
        score.found += 1;
        score.near += usize::from(distance <= 1);
        score.exact += usize::from(distance == 0);
        if distance > 0 {
            let size = if distance > 1 { "far from  " } else { "near      " };
            println!("  {size} {}: is {}", must.name(), SEVERITIES[worst]);
        }
    }
    count_wrong(oracle, findings, &mut score);
    score
}

/// Counts the findings that the expert denies or does not mention, once for each rule and table.
fn count_wrong(oracle: &Oracle, findings: &[Finding], score: &mut Score) {
    let mut wrong: BTreeSet<(&str, &str)> = BTreeSet::new();
    let is_listed =
        |claims: &[Claim], finding: &Finding| claims.iter().any(|claim| claim.matches(finding));
    for finding in findings {
        let Finding { code, table, severity, message, .. } = finding;
        if is_listed(&oracle.must, finding) || is_listed(&oracle.may, finding) {
            continue;
        }
        let denied = oracle.must_not.iter().find(|claim| claim.matches(finding));
        let most = denied.map_or(0, |claim| claim.severity.unwrap_or(0));
        if *severity <= most || !wrong.insert((code, table)) {
            continue;
        }
        if denied.is_some() {
            score.denied += 1;
            println!("  wrong      {} {code} {table}: {message}", SEVERITIES[*severity]);
        } else {
            score.unlisted += 1;
            score.unlisted_medium += usize::from(*severity > 1);
            println!("  unlisted   {} {code} {table}: {message}", SEVERITIES[*severity]);
        }
    }
}
