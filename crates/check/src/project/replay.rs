//! Statements, one after the other.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use cql::StatementKind;
use schema::access::{AccessPlan, ReadPlan, WritePlan};
use schema::bind::BoundKind;
use schema::ddl::CatalogChange;
use schema::session::AcceptedStatement;
use schema::{Refusal, Session, access};

use super::assumption::AssumedObjects;
use super::change::{self, ObjectChange};
use super::{
    Project, SourceText, StatementAnnotations, TextKind, annotations, external_keyspaces,
    name_resolution, recovery,
};
use crate::vocabulary::vendors::is_accepted_by_target;
use crate::{Location, Settings, Target};

/// A statement, and what became of it.
#[derive(Clone, Debug)]
pub struct ReplayedStatement {
    /// Where it stands.
    pub place: Location,
    /// Its position among the statements of its text.
    pub(crate) at: usize,
    /// The keyspace in use.
    pub(crate) keyspace: Option<Arc<str>>,
    /// What became of it.
    pub(crate) outcome: StatementOutcome,
    /// What comments say of it: its name, its rate.
    pub(crate) annotations: StatementAnnotations,
}

/// What became of a statement.
#[derive(Clone, Debug)]
pub(crate) enum StatementOutcome {
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

impl ReplayedStatement {
    /// How it runs, if it reads or writes.
    pub fn plan(&self) -> Option<&AccessPlan> {
        match &self.outcome {
            StatementOutcome::Runs(plan) => Some(plan),
            _ => None,
        }
    }

    /// How it reads, if it is a SELECT.
    pub(crate) fn read(&self) -> Option<&ReadPlan> {
        match self.plan()? {
            AccessPlan::Read(read) => Some(read),
            _ => None,
        }
    }

    /// What it writes: one for an INSERT, UPDATE or DELETE, each statement of a batch.
    pub(crate) fn writes(&self) -> impl ExactSizeIterator<Item = &WritePlan> {
        let plans = match self.plan() {
            Some(AccessPlan::Write(write)) => std::slice::from_ref(write),
            Some(AccessPlan::Batch(batch)) => &batch.statements,
            _ => &[],
        };
        plans.iter().map(|plan| &**plan)
    }

    /// What to call it in a sentence: its name, or that it is this one.
    pub(crate) fn display_name(&self) -> String {
        self.annotations
            .name
            .as_deref()
            .map_or_else(|| "This statement".to_owned(), |name| format!("`{name}`"))
    }

    /// Whether it is a lightweight transaction: it has an IF, or is a batch with one.
    pub(crate) fn is_conditional(&self) -> bool {
        match self.plan() {
            Some(AccessPlan::Write(write)) => write.conditional,
            Some(AccessPlan::Batch(batch)) => batch.conditional,
            _ => false,
        }
    }

    /// How often it runs, per second, where that is said.
    pub(crate) fn rate(&self) -> Option<f64> {
        self.annotations.rate
    }
}

/// Replays all statements.
pub(super) fn replay<'a>(
    mut texts: Vec<SourceText<'a>>,
    mut session: Session,
    settings: &'a Settings,
) -> Project<'a> {
    session.now_ms = settings.now_ms;
    external_keyspaces::assume(&texts, &mut session);
    let mut replay = Replay {
        session,
        target: settings.target,
        assumed: AssumedObjects::default(),
        statements: Vec::new(),
        refusals: Vec::new(),
    };
    for (at, text) in texts.iter_mut().enumerate() {
        let used = replay.session.keyspace.clone();
        let is_program = text.kind == TextKind::Program;
        if is_program {
            name_resolution::resolve_all(&mut text.parsed, &replay.session);
        }
        replay.replay_text(at, text);
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
        nodes: settings.model.as_ref().map_or(settings.nodes, |model| model.nodes),
        directive_errors: Vec::new(),
        by_name: HashMap::new(),
        index_creations: BTreeMap::new(),
        clones: OnceLock::new(),
        copies: OnceLock::new(),
    }
}

/// A replay on its way.
struct Replay {
    session: Session,
    target: Target,
    assumed: AssumedObjects,
    statements: Vec<ReplayedStatement>,
    refusals: Vec<(usize, Refusal)>,
}

impl Replay {
    fn replay_text(&mut self, at: usize, text: &SourceText<'_>) {
        let said = annotations::collect(text);
        let mut broken = text.parsed.errors.iter().peekable();
        let mut keyspace: Option<Arc<str>> = self.session.keyspace.as_deref().map(Arc::from);
        for ((position, statement), said) in text.parsed.statements.iter().enumerate().zip(said) {
            while broken.next_if(|found| found.span.end < statement.span.start).is_some() {}
            let is_broken =
                broken.peek().is_some_and(|found| found.span.start <= statement.span.end);
            let outcome = if text.kind == TextKind::Program && is_ignored_in_program(statement) {
                StatementOutcome::Other
            } else {
                self.replay_statement(text.text, statement, is_broken)
            };
            if keyspace.as_deref() != self.session.keyspace.as_deref() {
                keyspace = self.session.keyspace.as_deref().map(Arc::from);
            }
            let place = Location { text: at, span: statement.span };
            let keyspace = keyspace.clone();
            self.statements.push(ReplayedStatement {
                place,
                at: position,
                keyspace,
                outcome,
                annotations: said,
            });
        }
    }

    /// What becomes of a statement. A broken one that is complete all the same (a semicolon is missing) still has its effect.
    fn replay_statement(
        &mut self,
        text: &str,
        statement: &cql::Statement,
        is_broken: bool,
    ) -> StatementOutcome {
        if is_broken && statement.kind == StatementKind::Invalid {
            return StatementOutcome::Broken;
        }
        let before = change::prior_state(&self.session, statement);
        let (accepted, mut refusals) = self.run_statement(text, statement, is_broken);
        let outcome = match (accepted, refusals.pop()) {
            (None, Some(_)) if is_broken => return StatementOutcome::Broken,
            (None, Some(refusal)) => StatementOutcome::Refused(Box::new(refusal)),
            (None, None) => StatementOutcome::Other,
            (Some(accepted), last) => {
                refusals.extend(last);
                self.build_outcome(statement, before, accepted)
            }
        };
        let position = self.statements.len();
        self.refusals.extend(refusals.into_iter().map(|refusal| (position, refusal)));
        outcome
    }

    /// What the server makes of a statement. Objects that it refused to create are not in its way.
    fn run_statement(
        &mut self,
        text: &str,
        statement: &cql::Statement,
        is_broken: bool,
    ) -> (Option<AcceptedStatement>, Vec<Refusal>) {
        let as_meant = self.assumed.make_way(&mut self.session, statement);
        let keyspaces = self.session.catalog.keyspaces.len();
        let (accepted, refusals) = recovery::run(&mut self.session, statement);
        let is_assumed_keyspace =
            accepted.is_none() && self.session.catalog.keyspaces.len() > keyspaces;
        let creates = match &accepted {
            Some(AcceptedStatement::Schema(change)) => !matches!(change, CatalogChange::Nothing),
            _ => is_assumed_keyspace,
        };
        if let Some(as_meant) = as_meant {
            if creates {
                AssumedObjects::keep_content(&mut self.session, statement, &as_meant);
            } else {
                self.session.catalog = as_meant;
            }
        }
        if creates {
            let is_refused = |refusal: &Refusal| {
                !is_accepted_by_target(self.target, &refusal.reason, refusal.span.text(text))
            };
            let is_refused = is_broken || refusals.iter().any(is_refused);
            self.assumed.record(&self.session, statement, is_refused);
        }
        (accepted, refusals)
    }

    fn build_outcome(
        &self,
        statement: &cql::Statement,
        before: change::PriorState,
        accepted: AcceptedStatement,
    ) -> StatementOutcome {
        match accepted {
            AcceptedStatement::Schema(CatalogChange::Nothing) => StatementOutcome::Changes(None),
            AcceptedStatement::Schema(change) => {
                StatementOutcome::Changes(change::object_change(before, &change, &self.session))
            }
            AcceptedStatement::Bound(bound) => match bound.kind {
                BoundKind::Select(_) | BoundKind::Write(_) | BoundKind::Batch(_) => {
                    match self.session.check_when_executed(statement, &bound) {
                        Ok(()) => StatementOutcome::Runs(access::plan(&bound.kind)),
                        Err(refusal) => StatementOutcome::Refused(refusal),
                    }
                }
                _ if matches!(statement.kind, StatementKind::Truncate(_)) => {
                    StatementOutcome::Changes(None)
                }
                _ => StatementOutcome::Other,
            },
            AcceptedStatement::Shell => StatementOutcome::Other,
        }
    }
}

/// Whether a statement of a program changes no schema that is checked. Programs drop things in tests and at the end of their
/// lives, and make keyspaces whose names only they know.
fn is_ignored_in_program(statement: &cql::Statement) -> bool {
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

/// A statement as people speak of it: the name that a comment gives it, else its text in one line, cut where it is long.
pub(crate) fn statement_title(project: &Project<'_>, seen: &ReplayedStatement) -> String {
    const LONGEST: usize = 80;
    if let Some(name) = &seen.annotations.name {
        return name.to_string();
    }
    let words: Vec<&str> = project.text_at(seen.place).split_whitespace().collect();
    let text = words.join(" ").trim_end_matches(';').to_owned();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("`{}...`", text.get(..cut).unwrap_or_default().trim_end()),
        None => format!("`{text}`"),
    }
}
