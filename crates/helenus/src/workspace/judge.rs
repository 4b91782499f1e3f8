//! The rules, asked about what was read.

use check::{Finding, Project, Settings, Text, TextKind};
use cql::Parsed;
use schema::Session;

use super::choices::Choices;
use super::inputs::Inputs;
use super::{fingerprint, keyspace, session};
use crate::outcome::Failure;
use crate::render::excerpt::floor;

/// Longer words are cut.
const WORDS_MAX: usize = 4_000;

/// What the rules found.
pub(crate) struct Checked {
    pub(crate) findings: Vec<Finding>,
    /// Of each finding.
    pub(crate) fingerprints: Vec<String>,
    /// In the texts that are told.
    pub(crate) statements: usize,
    /// The texts.
    pub(crate) parsed: Vec<Parsed>,
}

impl Checked {
    /// The findings with their fingerprints.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Finding, &String)> {
        self.findings.iter().zip(&self.fingerprints)
    }
}

/// Asks the rules.
pub(crate) fn judge(
    inputs: &Inputs,
    parsed: Vec<Parsed>,
    choices: &Choices,
) -> Result<Checked, Failure> {
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
pub(crate) fn session_of(texts: &[Text<'_>], choices: &Choices) -> Result<Session, Failure> {
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
pub(crate) fn findings_of(
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
