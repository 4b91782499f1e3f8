//! `helenus check`: reports what Cassandra would reject and what will cause problems in production.

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

use crate::fix::Fixer;
use crate::outcome::{Failure, Outcome};
use crate::page_file;
use crate::render::findings::{self, FindingFormat, FindingOrder, FindingReport, ReportedFinding};
use crate::workspace::baseline::Baseline;
use crate::workspace::choices::Choices;
use crate::workspace::inputs::{InputSources, Inputs};
use crate::workspace::{CheckResult, FileStamps, POLL_INTERVAL, ProjectArguments, check_inputs};

const EXAMPLES: &str = "\
Examples:
  helenus check examples/video.cql
  helenus check examples/ --html findings.html
  helenus check --diff --unsafe examples/video.cql
  helenus check --target astra --format sarif examples/ > findings.sarif
  echo 'SELECT * FROM video.users' | helenus check --schema examples/video.cql -

Statements are checked in order, as a server would run them: first the schema, then the
statements that use it. Statements with bind markers (? or :name) are checked as prepared
statements. Files without CREATE KEYSPACE and USE are checked in a keyspace `ks`; use
--keyspace to name existing keyspaces.

`helenus rules` lists the rules, `helenus rule CODE` explains one. A comment
`-- helenus: allow(CODE) reason` above or inside a statement suppresses the findings of
that rule.

Exit code: 0 no finding at or above --fail-on, 1 findings, 2 nothing could be checked, or invalid
usage, 3 a file is missing or cannot be read.";

/// Check schemas and statements for errors that Cassandra would report and for problems in
/// production
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    project: ProjectArguments,
    /// Create the baseline, or remove fixed findings from it; findings are never added to an
    /// existing one
    #[arg(long)]
    write_baseline: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = FindingFormat::Text)]
    format: FindingFormat,
    /// Write the findings as one HTML file as well
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    html: Option<PathBuf>,
    /// Order of the findings
    #[arg(long, value_enum, default_value_t = FindingOrder::File)]
    sort: FindingOrder,
    /// Print only the number of findings per rule
    #[arg(long)]
    statistics: bool,
    /// Apply the safe fixes, which do not change what statements do
    #[arg(long)]
    fix: bool,
    /// With --fix or --diff, also apply fixes that change what statements do
    #[arg(long)]
    r#unsafe: bool,
    /// Show what --fix would change, without changing files; exit with 1 if there are changes
    #[arg(long)]
    diff: bool,
    /// Keep running, and check again whenever a file changes
    #[arg(long)]
    watch: bool,
}

impl CheckArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if self.watch {
            return self.check_on_changes(out);
        }
        self.check_once(&Choices::from_arguments(&self.project)?, out)
    }

    /// Runs `--watch`: checks, and checks again after every change, until the process is
    /// terminated.
    fn check_on_changes(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let mut last_error = String::new();
        loop {
            let choices = match Choices::from_arguments(&self.project) {
                Ok(choices) => choices,
                Err(Failure::Stopped(_, message)) => {
                    if message != last_error {
                        writeln!(out, "error: {message}")?;
                        out.flush()?;
                        last_error = message;
                    }
                    thread::sleep(POLL_INTERVAL);
                    continue;
                }
                Err(broken_pipe) => return Err(broken_pipe),
            };
            last_error.clear();
            let stamps = FileStamps::read(&choices);
            match self.check_once(&choices, out) {
                Ok(_) => {}
                Err(Failure::Stopped(_, message)) => writeln!(out, "error: {message}")?,
                Err(broken_pipe) => return Err(broken_pipe),
            }
            writeln!(out, "-- waiting for changes --")?;
            out.flush()?;
            while FileStamps::read(&choices) == stamps {
                thread::sleep(POLL_INTERVAL);
            }
        }
    }

    fn check_once(&self, choices: &Choices, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let (mut inputs, parsed) = Inputs::read(&InputSources {
            schema: &choices.schema,
            paths: &choices.paths,
            migrations: self.project.migrations,
            programs: choices.programs,
            options: choices.parse_options(),
        });
        let mut checked = check_inputs(&inputs, parsed, choices)?;
        let baseline = Baseline::prepare(choices, &inputs, &checked, self.write_baseline)?;
        let fixer = Fixer { choices, baseline: &baseline, include_unsafe: self.r#unsafe };
        if self.diff {
            let has_changes = fixer.write_diff(&mut inputs, &mut checked, out)?;
            return Ok(if has_changes { Outcome::Findings } else { Outcome::Fine });
        }
        let mut fixed = 0;
        if self.fix {
            fixed = fixer.fix_files(&mut inputs, &mut checked)?;
        }
        let mut report = report(&inputs, &checked, choices, &baseline, fixed);
        if self.sort == FindingOrder::Severity {
            report.findings.sort_by_key(|reported| Reverse(reported.finding.severity));
        }
        if let Some(path) = &self.html {
            page_file::write(path, &findings::html::page(&report))?;
        }
        if self.statistics {
            findings::write_statistics(self.format, &report, out)?;
        } else {
            findings::write(self.format, &report, out)?;
        }
        Ok(outcome(&inputs, &checked, choices, &baseline))
    }
}

/// The findings to report, and the number of the others.
fn report<'a>(
    inputs: &'a Inputs,
    checked: &'a CheckResult,
    choices: &Choices,
    baseline: &Baseline,
    fixed: usize,
) -> FindingReport<'a> {
    let (known, new): (Vec<_>, Vec<_>) =
        checked.pairs().partition(|(_, fingerprint)| baseline.contains(fingerprint));
    let (reported, below): (Vec<_>, Vec<_>) =
        new.into_iter().partition(|(finding, _)| finding.severity >= choices.min_severity);
    FindingReport {
        sources: inputs.all.iter().map(|input| &input.source).collect(),
        findings: reported.into_iter().map(ReportedFinding::from).collect(),
        fail_on: choices.fail_on,
        problems: &inputs.problems,
        statements: checked.statements,
        below_min_severity: below.len(),
        known: known.len(),
        stale: baseline.describe_stale(inputs, checked),
        fixed,
    }
}

/// The exit code: findings at or above `--fail-on`, or files that could not be read, fail.
fn outcome(
    inputs: &Inputs,
    checked: &CheckResult,
    choices: &Choices,
    baseline: &Baseline,
) -> Outcome {
    let failure = inputs.problems.iter().filter_map(|problem| problem.failure).max();
    if failure == Some(Outcome::EnvironmentFailed) {
        return Outcome::EnvironmentFailed;
    }
    if !inputs.all.iter().any(|input| input.is_reported) && !inputs.problems.is_empty() {
        return Outcome::BadInput;
    }
    let mut pairs = checked.pairs();
    let fails = pairs
        .any(|(finding, print)| finding.severity >= choices.fail_on && !baseline.contains(print))
        || failure.is_some();
    if fails { Outcome::Findings } else { Outcome::Fine }
}
