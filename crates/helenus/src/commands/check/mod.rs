//! `helenus check`: reports what Cassandra would reject and what will cause problems in production.
//!
//! `edits` selects and applies fixes, `fix_rounds` repeats that for `--fix` and `--diff`, `watch`
//! checks again on changes. The arguments and the analysis are in `workspace`.

mod edits;
mod fix_rounds;
mod watch;

use std::io::Write;

use check::Finding;

use crate::outcome::{Failure, Outcome};
use crate::render::findings::{self, FindingReport, ReportedFinding};
use crate::workspace::baseline::Baseline;
use crate::workspace::choices::Choices;
use crate::workspace::inputs::{InputSources, Inputs};
use crate::workspace::{CheckResult, check_inputs};

pub(crate) use crate::workspace::CheckArguments;

impl CheckArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if self.watch {
            return watch::run(self, out);
        }
        self.check_once(&Choices::from_arguments(self)?, out)
    }

    fn check_once(&self, choices: &Choices, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let (mut inputs, parsed) = Inputs::read(&InputSources {
            schema: &choices.schema,
            paths: &choices.paths,
            migrations: self.migrations,
            programs: choices.programs,
            options: choices.parse_options(),
        });
        let mut checked = check_inputs(&inputs, parsed, choices)?;
        let baseline = self.prepare_baseline(choices, &inputs, &checked)?;
        if self.diff {
            let has_changes =
                fix_rounds::write_diff(self, choices, (&mut inputs, &mut checked), &baseline, out)?;
            return Ok(if has_changes { Outcome::Findings } else { Outcome::Fine });
        }
        let mut fixed = 0;
        if self.fix {
            fixed = fix_rounds::fix_files(self, choices, (&mut inputs, &mut checked), &baseline)?;
        }
        let is_reported = |(finding, print): &(&Finding, &String)| {
            finding.severity >= choices.min_severity && !baseline.contains(print)
        };
        let report = FindingReport {
            sources: inputs.all.iter().map(|input| &input.source).collect(),
            findings: checked.pairs().filter(is_reported).map(ReportedFinding::from).collect(),
            problems: &inputs.problems,
            statements: checked.statements,
            milder: checked
                .pairs()
                .filter(|(finding, print)| {
                    finding.severity < choices.min_severity && !baseline.contains(print)
                })
                .count(),
            known: checked.fingerprints.iter().filter(|print| baseline.contains(print)).count(),
            stale: baseline.describe_stale(&inputs, &checked),
            fixed,
        };
        if self.statistics {
            findings::write_statistics(self.format, &report, out)?;
        } else {
            findings::write(self.format, &report, out)?;
        }
        Ok(outcome(&inputs, &checked, choices, &baseline))
    }

    /// The baseline, written first if `--write-baseline` is given; empty if none is configured.
    fn prepare_baseline(
        &self,
        choices: &Choices,
        inputs: &Inputs,
        checked: &CheckResult,
    ) -> Result<Baseline, Failure> {
        let Some(path) = &choices.baseline else { return Ok(Baseline::default()) };
        let known = Baseline::read(path)?;
        if !self.write_baseline {
            return known.ok_or_else(|| {
                let message = format!(
                    "baseline {} does not exist; create it with --write-baseline",
                    path.display()
                );
                Failure::Stopped(Outcome::BadInput, message)
            });
        }
        let reported =
            checked.pairs().filter(|(finding, _)| finding.severity >= choices.min_severity);
        let written = match &known {
            Some(known) => known.prune(inputs, checked),
            None => Baseline::from_findings(inputs, reported),
        };
        if known.as_ref() != Some(&written) {
            written.write(path)?;
            let count = findings::pluralise(written.len(), "known finding");
            anstream::eprintln!("wrote {}: {count}", path.display());
        }
        Ok(written)
    }
}

/// The exit code: findings at or above `--fail-on`, or files that could not be read, fail.
fn outcome(
    inputs: &Inputs,
    checked: &CheckResult,
    choices: &Choices,
    baseline: &Baseline,
) -> Outcome {
    if !inputs.all.iter().any(|input| input.is_reported) && !inputs.problems.is_empty() {
        return Outcome::BadInput;
    }
    let mut pairs = checked.pairs();
    let fails = pairs
        .any(|(finding, print)| finding.severity >= choices.fail_on && !baseline.contains(print))
        || inputs.problems.iter().any(|problem| problem.is_unread);
    if fails { Outcome::Findings } else { Outcome::Fine }
}
