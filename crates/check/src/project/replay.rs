//! Statements, one after the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::{Diagnostic, StatementKind};
use model::access::{AccessPath, ReadPath, WritePath};
use model::bind::Bound;
use model::ddl::Change;
use model::session::Accepted;
use model::{Session, access};

use super::changed::{self, ObjectChange};
use super::forgive::forgive;
use super::{Project, Said, Text, said};
use crate::{Place, Settings};

/// A statement, and what became of it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Where it stands.
    pub place: Place,
    /// Its position among the statements of its text.
    pub at: usize,
    /// The keyspace in use.
    pub keyspace: Option<Arc<str>>,
    /// What became of it.
    pub outcome: Outcome,
    /// What comments say of it: its name, its rate.
    pub said: Said,
}

/// What became of a statement.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The server refuses it.
    Refused(Box<Diagnostic>),
    /// It could not be read; the diagnostics of its text say why.
    Broken,
    /// It reads or writes.
    Runs(AccessPath),
    /// It changes the schema.
    Changes(Option<ObjectChange>),
    /// Anything else: USE, roles, commands of cqlsh.
    Other,
}

impl Seen {
    /// How it runs, if it reads or writes.
    pub fn path(&self) -> Option<&AccessPath> {
        match &self.outcome {
            Outcome::Runs(path) => Some(path),
            _ => None,
        }
    }

    /// How it reads, if it is a SELECT.
    pub fn read(&self) -> Option<&ReadPath> {
        match self.path()? {
            AccessPath::Read(read) => Some(read),
            _ => None,
        }
    }

    /// What it writes: one for an INSERT, UPDATE or DELETE, each statement of a batch.
    pub fn writes(&self) -> &[WritePath] {
        match self.path() {
            Some(AccessPath::Write(write)) => std::slice::from_ref(write),
            Some(AccessPath::Batch(batch)) => &batch.statements,
            _ => &[],
        }
    }

    /// What to call it in a sentence: its name, or that it is this one.
    pub fn called(&self) -> String {
        self.said
            .name
            .as_deref()
            .map_or_else(|| "This statement".to_owned(), |name| format!("`{name}`"))
    }

    /// How often it runs, per second, where that is said.
    pub fn rate(&self) -> Option<f64> {
        self.said.rate
    }
}

/// Replays all statements.
pub(super) fn replay<'a>(
    texts: Vec<Text<'a>>,
    mut session: Session,
    settings: &'a Settings,
) -> Project<'a> {
    session.now_ms = settings.now_ms;
    let mut statements = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        replay_text(at, text, &mut session, &mut statements);
    }
    Project {
        texts,
        settings,
        catalog: session.catalog,
        statements,
        tables: Vec::new(),
        steps: Vec::new(),
        complaints: Vec::new(),
        by_name: BTreeMap::new(),
        index_creations: BTreeMap::new(),
    }
}

fn replay_text(at: usize, text: &Text<'_>, session: &mut Session, seen: &mut Vec<Seen>) {
    let said = said::all(text);
    let mut broken = text.parsed.diagnostics.iter().peekable();
    let mut keyspace: Option<Arc<str>> = session.keyspace.as_deref().map(Arc::from);
    for ((position, statement), said) in text.parsed.statements.iter().enumerate().zip(said) {
        while broken.next_if(|found| found.span.end < statement.span.start).is_some() {}
        let is_broken = broken.peek().is_some_and(|found| found.span.start <= statement.span.end);
        let outcome = if is_broken { Outcome::Broken } else { run(session, statement) };
        if keyspace.as_deref() != session.keyspace.as_deref() {
            keyspace = session.keyspace.as_deref().map(Arc::from);
        }
        let place = Place { text: at, span: statement.span };
        seen.push(Seen { place, at: position, keyspace: keyspace.clone(), outcome, said });
    }
}

fn run(session: &mut Session, statement: &cql::Statement) -> Outcome {
    let before = changed::before(session, statement);
    match session.run(statement) {
        Err(refusal) => {
            forgive(session, statement, &refusal);
            Outcome::Refused(refusal)
        }
        Ok(Accepted::Schema(Change::Nothing)) => Outcome::Changes(None),
        Ok(Accepted::Schema(change)) => Outcome::Changes(changed::change(before, &change, session)),
        Ok(Accepted::Bound(bound)) => match bound.kind {
            Bound::Select(_) | Bound::Write(_) | Bound::Batch(_) => {
                Outcome::Runs(access::path(&bound.kind))
            }
            _ if matches!(statement.kind, StatementKind::Truncate(_)) => Outcome::Changes(None),
            _ => Outcome::Other,
        },
        Ok(Accepted::Shell) => Outcome::Other,
    }
}
