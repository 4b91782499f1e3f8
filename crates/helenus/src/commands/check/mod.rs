//! `helenus check`: what would Cassandra refuse, and what will hurt?

mod fixing;
mod mending;
mod watch;

use std::io::Write;

use check::Finding;

use crate::outcome::{Failure, Outcome};
use crate::render::findings::{self, Report, Told};
use crate::workspace::baseline::Baseline;
use crate::workspace::choices::Choices;
use crate::workspace::inputs::{Inputs, Wanted};
use crate::workspace::{Checked, judge};

pub(crate) use crate::workspace::CheckArguments as Check;

impl Check {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if self.watch {
            return watch::run(self, out);
        }
        self.once(&Choices::of(self)?, out)
    }

    fn once(&self, choices: &Choices, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let (mut inputs, parsed) = Inputs::read(&Wanted {
            schema: &choices.schema,
            paths: &choices.paths,
            migrations: self.migrations,
            programs: choices.programs,
            options: choices.options(),
        });
        let mut checked = judge(&inputs, parsed, choices)?;
        let baseline = self.baseline(choices, &inputs, &checked)?;
        if self.diff {
            let wrote = mending::diff(self, choices, (&mut inputs, &mut checked), &baseline, out)?;
            return Ok(if wrote { Outcome::Findings } else { Outcome::Fine });
        }
        let mut mended = 0;
        if self.fix {
            mended = mending::fix(self, choices, (&mut inputs, &mut checked), &baseline)?;
        }
        let told = |(finding, print): &(&Finding, &String)| {
            finding.severity >= choices.min_severity && !baseline.knows(print)
        };
        let report = Report {
            sources: inputs.all.iter().map(|input| &input.source).collect(),
            told: checked.pairs().filter(told).map(Told::from).collect(),
            problems: &inputs.problems,
            statements: checked.statements,
            milder: checked
                .pairs()
                .filter(|(one, print)| {
                    one.severity < choices.min_severity && !baseline.knows(print)
                })
                .count(),
            known: checked.fingerprints.iter().filter(|print| baseline.knows(print)).count(),
            stale: baseline.stale_in_words(&inputs, &checked),
            mended,
        };
        if self.statistics {
            findings::write_statistics(self.format, &report, out)?;
        } else {
            findings::write(self.format, &report, out)?;
        }
        Ok(outcome(&inputs, &checked, choices, &baseline))
    }

    /// The baseline, shrunk or made if that is asked for; without one, an empty one.
    fn baseline(
        &self,
        choices: &Choices,
        inputs: &Inputs,
        checked: &Checked,
    ) -> Result<Baseline, Failure> {
        let Some(path) = &choices.baseline else { return Ok(Baseline::default()) };
        let known = Baseline::read(path)?;
        if !self.write_baseline {
            return known.ok_or_else(|| {
                let message =
                    format!("there is no baseline {}: --write-baseline makes it", path.display());
                Failure::Stopped(Outcome::BadInput, message)
            });
        }
        let told = checked.pairs().filter(|(one, _)| one.severity >= choices.min_severity);
        let written = match &known {
            Some(known) => known.shrunk(inputs, checked),
            None => Baseline::of(inputs, told),
        };
        if known.as_ref() != Some(&written) {
            written.write(path)?;
            let count = findings::counted(written.len(), "known finding");
            anstream::eprintln!("wrote {}: {count}", path.display());
        }
        Ok(written)
    }
}

/// How the command ends.
fn outcome(inputs: &Inputs, checked: &Checked, choices: &Choices, baseline: &Baseline) -> Outcome {
    if !inputs.all.iter().any(|input| input.is_told) && !inputs.problems.is_empty() {
        return Outcome::BadInput;
    }
    let mut pairs = checked.pairs();
    let fails = pairs.any(|(one, print)| one.severity >= choices.fail_on && !baseline.knows(print))
        || inputs.problems.iter().any(|problem| problem.is_unread);
    if fails { Outcome::Findings } else { Outcome::Fine }
}
