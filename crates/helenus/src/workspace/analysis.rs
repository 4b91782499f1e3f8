//! Runs the rules on the inputs: builds the session and the project, collects findings with their
//! fingerprints.

use check::{Finding, Project, Settings, SourceText, TextKind};
use cql::ParsedSource;
use schema::Session;

use super::choices::Choices;
use super::inputs::Inputs;
use super::{fingerprint, keyspace, session};
use crate::outcome::Failure;
use crate::progress_bar::ProgressBar;
use crate::render::excerpt::floor_char_boundary;

/// Longer messages are shortened.
const MESSAGE_BYTES_MAX: usize = 4_000;

/// The findings in the inputs.
pub(crate) struct CheckResult {
    pub(crate) findings: Vec<Finding>,
    /// The fingerprint of each finding, in the same order.
    pub(crate) fingerprints: Vec<String>,
    /// The number of statements in the texts that are reported.
    pub(crate) statements: usize,
    /// The parsed texts, in the order of the inputs.
    pub(crate) parsed: Vec<ParsedSource>,
}

impl CheckResult {
    /// The findings with their fingerprints.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Finding, &String)> {
        self.findings.iter().zip(&self.fingerprints)
    }
}

/// Runs the rules on parsed inputs.
pub(crate) fn check_inputs(
    inputs: &Inputs,
    parsed: Vec<ParsedSource>,
    choices: &Choices,
) -> Result<CheckResult, Failure> {
    let bar = ProgressBar::new("check");
    bar.show("statements", 0, 0);
    let texts = inputs.texts(parsed);
    let session = start_session(&texts, choices)?;
    let reported = texts.iter().filter(|text| text.is_reported);
    let statements = reported.map(|text| text.parsed.statements.len()).sum();
    let rollbacks = inputs.rollbacks.clone();
    let settings = Settings { rollbacks, ..choices.settings.clone() };
    let project = Project::new(texts, session, &settings, choices.before.as_ref());
    bar.show("rules", 0, 0);
    let (findings, fingerprints) = collect_findings(&project, inputs, choices);
    let parsed = project.texts.into_iter().map(|text| text.parsed).collect();
    Ok(CheckResult { findings, fingerprints, statements, parsed })
}

/// The session in which the statements of the texts are checked.
pub(crate) fn start_session(
    texts: &[SourceText<'_>],
    choices: &Choices,
) -> Result<Session, Failure> {
    // Keyspaces created or used in source code are not those of the schema.
    let schema = texts.iter().filter(|text| text.kind != TextKind::Program);
    let statements = schema.flat_map(|text| &text.parsed.statements);
    let mut session = session::start(&choices.keyspaces, statements)?;
    if choices.keyspaces.is_empty() {
        session.keyspace = keyspace::infer_keyspace(texts).or(session.keyspace);
    }
    if session.keyspace.is_none() && keyspace::is_missing(texts) {
        // `ks` is a valid name: this cannot fail.
        let _ = session.assume_keyspace("ks");
    }
    Ok(session)
}

/// The findings of the rules at the configured levels, with their fingerprints.
pub(crate) fn collect_findings(
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
    let fingerprints = fingerprint::compute(&texts, &findings);
    (findings, fingerprints)
}

/// Cuts out the middle of a long message: Cassandra's messages quote literals and statements in
/// full, however long they are.
fn shorten(message: &mut String) {
    if message.len() > MESSAGE_BYTES_MAX {
        let start = floor_char_boundary(message, MESSAGE_BYTES_MAX / 2);
        let end = floor_char_boundary(message, message.len() - MESSAGE_BYTES_MAX / 4);
        message.replace_range(start..end, " ... ");
    }
}
