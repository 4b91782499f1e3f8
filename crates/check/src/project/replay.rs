//! Statements, one after the other.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use cql::StatementKind;
use schema::access::{AccessPlan, ReadPlan, WritePlan};
use schema::bind::Bound;
use schema::ddl::Change;
use schema::session::Accepted;
use schema::{Refusal, Session, access};

use super::changed::{self, ObjectChange};
use super::{Project, Said, Text, TextKind, assumed, meant, recover, said};
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
    Refused(Box<Refusal>),
    /// It could not be read; the diagnostics of its text say why.
    Broken,
    /// It reads or writes.
    Runs(AccessPlan),
    /// It changes the schema.
    Changes(Option<ObjectChange>),
    /// Anything else: USE, roles, commands of cqlsh.
    Other,
}

impl Seen {
    /// How it runs, if it reads or writes.
    pub fn plan(&self) -> Option<&AccessPlan> {
        match &self.outcome {
            Outcome::Runs(plan) => Some(plan),
            _ => None,
        }
    }

    /// How it reads, if it is a SELECT.
    pub fn read(&self) -> Option<&ReadPlan> {
        match self.plan()? {
            AccessPlan::Read(read) => Some(read),
            _ => None,
        }
    }

    /// What it writes: one for an INSERT, UPDATE or DELETE, each statement of a batch.
    pub fn writes(&self) -> impl ExactSizeIterator<Item = &WritePlan> {
        let plans = match self.plan() {
            Some(AccessPlan::Write(write)) => std::slice::from_ref(write),
            Some(AccessPlan::Batch(batch)) => &batch.statements,
            _ => &[],
        };
        plans.iter().map(|plan| &**plan)
    }

    /// What to call it in a sentence: its name, or that it is this one.
    pub fn called(&self) -> String {
        self.said
            .name
            .as_deref()
            .map_or_else(|| "This statement".to_owned(), |name| format!("`{name}`"))
    }

    /// Whether it is a lightweight transaction: it has an IF, or is a batch with one.
    pub fn is_conditional(&self) -> bool {
        match self.plan() {
            Some(AccessPlan::Write(write)) => write.conditional,
            Some(AccessPlan::Batch(batch)) => batch.conditional,
            _ => false,
        }
    }

    /// How often it runs, per second, where that is said.
    pub fn rate(&self) -> Option<f64> {
        self.said.rate
    }
}

/// Replays all statements.
pub(super) fn replay<'a>(
    mut texts: Vec<Text<'a>>,
    mut session: Session,
    settings: &'a Settings,
) -> Project<'a> {
    session.now_ms = settings.now_ms;
    assumed::keyspaces(&texts, &mut session);
    let mut replay = Replay { session, statements: Vec::new(), refusals: Vec::new() };
    for (at, text) in texts.iter_mut().enumerate() {
        let used = replay.session.keyspace.clone();
        let is_program = text.kind == TextKind::Program;
        if is_program {
            meant::complete_all(&mut text.parsed, &replay.session);
        }
        replay.text(at, text);
        if is_program {
            // What one program uses is nothing to the others.
            replay.session.keyspace = used;
        }
    }
    Project {
        texts,
        settings,
        catalog: replay.session.catalog,
        statements: replay.statements,
        refusals: replay.refusals,
        definitions: Vec::new(),
        tables: Vec::new(),
        steps: Vec::new(),
        complaints: Vec::new(),
        by_name: HashMap::new(),
        index_creations: BTreeMap::new(),
        clones: OnceLock::new(),
        copies: OnceLock::new(),
    }
}

/// A replay on its way.
struct Replay {
    session: Session,
    statements: Vec<Seen>,
    refusals: Vec<(usize, Refusal)>,
}

impl Replay {
    fn text(&mut self, at: usize, text: &Text<'_>) {
        let said = said::all(text);
        let mut broken = text.parsed.errors.iter().peekable();
        let mut keyspace: Option<Arc<str>> = self.session.keyspace.as_deref().map(Arc::from);
        for ((position, statement), said) in text.parsed.statements.iter().enumerate().zip(said) {
            while broken.next_if(|found| found.span.end < statement.span.start).is_some() {}
            let is_broken =
                broken.peek().is_some_and(|found| found.span.start <= statement.span.end);
            let outcome = if text.kind == TextKind::Program && passes(statement) {
                Outcome::Other
            } else {
                self.statement(statement, is_broken)
            };
            if keyspace.as_deref() != self.session.keyspace.as_deref() {
                keyspace = self.session.keyspace.as_deref().map(Arc::from);
            }
            let place = Place { text: at, span: statement.span };
            let keyspace = keyspace.clone();
            self.statements.push(Seen { place, at: position, keyspace, outcome, said });
        }
    }

    /// What becomes of a statement. A broken one that is complete all the same (a semicolon is missing) still has its effect.
    fn statement(&mut self, statement: &cql::Statement, is_broken: bool) -> Outcome {
        if is_broken && statement.kind == StatementKind::Invalid {
            return Outcome::Broken;
        }
        let before = changed::before(&self.session, statement);
        let (accepted, mut refusals) = recover::run(&mut self.session, statement);
        let outcome = match (accepted, refusals.pop()) {
            (None, Some(_)) if is_broken => return Outcome::Broken,
            (None, Some(refusal)) => Outcome::Refused(Box::new(refusal)),
            (None, None) => Outcome::Other,
            (Some(accepted), last) => {
                refusals.extend(last);
                self.accepted(statement, before, accepted)
            }
        };
        let position = self.statements.len();
        self.refusals.extend(refusals.into_iter().map(|refusal| (position, refusal)));
        outcome
    }

    fn accepted(
        &self,
        statement: &cql::Statement,
        before: changed::Before,
        accepted: Accepted,
    ) -> Outcome {
        match accepted {
            Accepted::Schema(Change::Nothing) => Outcome::Changes(None),
            Accepted::Schema(change) => {
                Outcome::Changes(changed::change(before, &change, &self.session))
            }
            Accepted::Bound(bound) => match bound.kind {
                Bound::Select(_) | Bound::Write(_) | Bound::Batch(_) => {
                    match self.session.check_when_executed(statement, &bound) {
                        Ok(()) => Outcome::Runs(access::plan(&bound.kind)),
                        Err(refusal) => Outcome::Refused(refusal),
                    }
                }
                _ if matches!(statement.kind, StatementKind::Truncate(_)) => Outcome::Changes(None),
                _ => Outcome::Other,
            },
            Accepted::Shell => Outcome::Other,
        }
    }
}

/// Whether a statement of a program changes no schema that is checked. Programs drop things in tests and at the end of their
/// lives, and make keyspaces whose names only they know.
fn passes(statement: &cql::Statement) -> bool {
    match &statement.kind {
        StatementKind::CreateKeyspace(create) => cql::is_template(&create.name.text),
        StatementKind::AlterKeyspace(alter) => cql::is_template(&alter.name.text),
        StatementKind::DropKeyspace(_)
        | StatementKind::DropTable(_)
        | StatementKind::DropIndex(_)
        | StatementKind::DropView(_)
        | StatementKind::DropType(_)
        | StatementKind::DropFunction(_)
        | StatementKind::DropTrigger(_) => true,
        _ => false,
    }
}
