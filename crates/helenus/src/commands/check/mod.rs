//! `helenus check`: what would Cassandra refuse, and what will hurt?

mod against;
mod arguments;
mod baseline;
mod choices;
mod config;
mod decoding;
mod editing;
mod fingerprint;
mod fixing;
mod inputs;
mod keyspace;
mod mending;
mod ordering;
mod overrides;
mod reading;
mod repeated;
mod walking;
mod watch;

use std::io::Write;

use check::{Finding, Project, Settings, Text, TextKind};
use cql::Parsed;
use schema::Session;

pub(crate) use arguments::Check;
pub(crate) use editing::{Opened, View, Workspace};

use super::{Failure, Outcome, session};
use crate::render::excerpt::floor;
use crate::render::findings::{self, Report, Told};
use baseline::Baseline;
use choices::Choices;
use inputs::{Inputs, Wanted};

/// Longer words are cut.
const WORDS_MAX: usize = 4_000;

/// What the rules found.
struct Checked {
    findings: Vec<Finding>,
    /// Of each finding.
    fingerprints: Vec<String>,
    /// In the texts that are told.
    statements: usize,
    /// The texts.
    parsed: Vec<Parsed>,
}

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

impl Checked {
    /// The findings with their fingerprints.
    fn pairs(&self) -> impl Iterator<Item = (&Finding, &String)> {
        self.findings.iter().zip(&self.fingerprints)
    }
}

/// Asks the rules.
fn judge(inputs: &Inputs, parsed: Vec<Parsed>, choices: &Choices) -> Result<Checked, Failure> {
    let texts = inputs.texts(parsed);
    let session = session_of(&texts, choices)?;
    let told = texts.iter().filter(|text| text.is_told);
    let statements = told.map(|text| text.parsed.statements.len()).sum();
    let rollbacks = inputs.rollbacks.clone();
    let settings = Settings { rollbacks, ..choices.settings.clone() };
    let project = Project::new(texts, session, &settings, choices.before.as_ref());
    let (findings, fingerprints) = findings_of(&project, inputs, choices);
    let parsed = project.texts.into_iter().map(|text| text.parsed).collect();
    Ok(Checked { findings, fingerprints, statements, parsed })
}

/// The session that the texts run in.
fn session_of(texts: &[Text<'_>], choices: &Choices) -> Result<Session, Failure> {
    // What programs create and use is nothing to the schema's own keyspaces.
    let schema = texts.iter().filter(|text| text.kind != TextKind::Program);
    let statements = schema.flat_map(|text| &text.parsed.statements);
    let mut session = session::start(&choices.keyspaces, statements)?;
    session.keyspace = session.keyspace.or_else(|| keyspace::meant(texts));
    if session.keyspace.is_none() && keyspace::is_left_open(texts) {
        // A name that the server accepts.
        let _ = session.assume_keyspace("ks");
    }
    Ok(session)
}

/// What the rules find, at the levels that the user wants, with fingerprints.
fn findings_of(
    project: &Project<'_>,
    inputs: &Inputs,
    choices: &Choices,
) -> (Vec<Finding>, Vec<String>) {
    let mut findings = check::check(project);
    choices.overrides.apply(inputs, &mut findings);
    for finding in &mut findings {
        shorten(&mut finding.message);
        finding.notes.iter_mut().chain(&mut finding.help).for_each(shorten);
    }
    let texts: Vec<_> = project.texts.iter().map(|text| (text.text, &text.parsed)).collect();
    let fingerprints = fingerprint::all(&texts, &findings);
    (findings, fingerprints)
}

/// Servers quote literals and statements as they are, however long: the middle of what nobody would read is left out.
fn shorten(words: &mut String) {
    if words.len() > WORDS_MAX {
        let start = floor(words, WORDS_MAX / 2);
        let end = floor(words, words.len() - WORDS_MAX / 4);
        words.replace_range(start..end, " ... ");
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
