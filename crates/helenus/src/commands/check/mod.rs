//! `helenus check`: what would Cassandra refuse, and what will hurt?

mod arguments;
mod choices;
mod fingerprint;
mod inputs;

use std::io::Write;

use check::{Finding, Project, Severity};

pub(crate) use arguments::Check;

use super::{Failure, Outcome, session};
use crate::render::findings::{self, Report, Told};
use choices::Choices;
use inputs::Inputs;

/// What the rules found.
struct Checked {
    findings: Vec<Finding>,
    /// Of each finding.
    fingerprints: Vec<String>,
    /// In the texts that are told.
    statements: usize,
}

impl Check {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let choices = Choices::of(self)?;
        let inputs = Inputs::read(self)?;
        let checked = self.judge(&inputs, &choices)?;
        let report = report(&inputs, &checked, &choices);
        if self.statistics {
            findings::write_statistics(self.format, &report, out)?;
        } else {
            findings::write(self.format, &report, out)?;
        }
        Ok(outcome(&inputs, &checked, choices.fail_on))
    }

    /// Asks the rules.
    fn judge(&self, inputs: &Inputs, choices: &Choices) -> Result<Checked, Failure> {
        let texts = inputs.texts(inputs.parse(self.templates));
        let statements = || texts.iter().flat_map(|text| &text.parsed.statements);
        let session = session::start(&self.keyspace, statements())?;
        let told = texts.iter().filter(|text| text.is_told);
        let statements = told.map(|text| text.parsed.statements.len()).sum();
        let project = Project::new(texts, session, &choices.settings, None);
        let findings = check::check(&project);
        let texts: Vec<_> = project.texts.iter().map(|text| (text.text, &text.parsed)).collect();
        let fingerprints = fingerprint::all(&texts, &findings);
        Ok(Checked { findings, fingerprints, statements })
    }
}

fn report<'a>(inputs: &'a Inputs, checked: &'a Checked, choices: &Choices) -> Report<'a> {
    let all = checked.findings.iter().zip(&checked.fingerprints);
    let told = all
        .filter(|(finding, _)| finding.severity >= choices.min_severity)
        .map(|(finding, fingerprint)| Told { finding, fingerprint });
    let told: Vec<_> = told.collect();
    let milder = checked.findings.len() - told.len();
    Report {
        sources: inputs.all.iter().map(|input| &input.source).collect(),
        told,
        problems: &inputs.problems,
        statements: checked.statements,
        milder,
        known: 0,
        stale: Vec::new(),
    }
}

/// How the command ends.
fn outcome(inputs: &Inputs, checked: &Checked, fail_on: Severity) -> Outcome {
    if inputs.all.is_empty() && !inputs.problems.is_empty() {
        return Outcome::BadInput;
    }
    let fails = checked.findings.iter().any(|finding| finding.severity >= fail_on)
        || inputs.problems.iter().any(|problem| problem.is_unread);
    if fails { Outcome::Findings } else { Outcome::Fine }
}
