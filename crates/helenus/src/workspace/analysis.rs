//! The rules, asked about what was read.

use check::{Finding, Project, Settings, SourceText, TextKind};
use cql::ParsedSource;
use schema::Session;

use super::choices::Choices;
use super::inputs::Inputs;
use super::{fingerprint, keyspace, session};
use crate::outcome::Failure;
use crate::render::excerpt::floor_char_boundary;

/// Longer words are cut.
const MESSAGE_BYTES_MAX: usize = 4_000;

/// What the rules found.
pub(crate) struct CheckResult {
    pub(crate) findings: Vec<Finding>,
    /// Of each finding.
    pub(crate) fingerprints: Vec<String>,
    /// In the texts that are told.
    pub(crate) statements: usize,
    /// The texts.
    pub(crate) parsed: Vec<ParsedSource>,
}

impl CheckResult {
    /// The findings with their fingerprints.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Finding, &String)> {
        self.findings.iter().zip(&self.fingerprints)
    }
}

/// Asks the rules.
pub(crate) fn check_inputs(
    inputs: &Inputs,
    parsed: Vec<ParsedSource>,
    choices: &Choices,
) -> Result<CheckResult, Failure> {
    let texts = inputs.texts(parsed);
    let session = start_session(&texts, choices)?;
    let told = texts.iter().filter(|text| text.is_reported);
    let statements = told.map(|text| text.parsed.statements.len()).sum();
    let rollbacks = inputs.rollbacks.clone();
    let settings = Settings { rollbacks, ..choices.settings.clone() };
    let project = Project::new(texts, session, &settings, choices.before.as_ref());
    let (findings, fingerprints) = collect_findings(&project, inputs, choices);
    let parsed = project.texts.into_iter().map(|text| text.parsed).collect();
    Ok(CheckResult { findings, fingerprints, statements, parsed })
}

/// The session that the texts run in.
pub(crate) fn start_session(
    texts: &[SourceText<'_>],
    choices: &Choices,
) -> Result<Session, Failure> {
    // What programs create and use is nothing to the schema's own keyspaces.
    let schema = texts.iter().filter(|text| text.kind != TextKind::Program);
    let statements = schema.flat_map(|text| &text.parsed.statements);
    let mut session = session::start(&choices.keyspaces, statements)?;
    session.keyspace = session.keyspace.or_else(|| keyspace::infer_keyspace(texts));
    if session.keyspace.is_none() && keyspace::is_missing(texts) {
        // A name that the server accepts.
        let _ = session.assume_keyspace("ks");
    }
    Ok(session)
}

/// What the rules find, at the levels that the user wants, with fingerprints.
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

/// Servers quote literals and statements as they are, however long: the middle of what nobody would read is left out.
fn shorten(words: &mut String) {
    if words.len() > MESSAGE_BYTES_MAX {
        let start = floor_char_boundary(words, MESSAGE_BYTES_MAX / 2);
        let end = floor_char_boundary(words, words.len() - MESSAGE_BYTES_MAX / 4);
        words.replace_range(start..end, " ... ");
    }
}
