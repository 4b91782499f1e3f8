//! A session: statements of one client, one after the other.

use std::borrow::Cow;
use std::sync::Arc;

use cql::BatchKind;
use cql::{ErrorCode, Severity, Statement, StatementKind};
use schema::bind::{self, Bound, BoundStatement};

use crate::answer::{Answer, Outcome};
use crate::error::{Error, Result};
use crate::execution::Execution;
use crate::function::Env;
use crate::node::Node;
use crate::prepared::Prepared;
use crate::request::{Parameters, Values};
use crate::schema::Schema;
use crate::schema_lock::SchemaGuard;
use crate::trace::Traced;
use crate::values::{self, Manner};
use crate::{auth, command, consistency, ddl, guard, read, trace, write};

/// A client's session.
pub struct Session {
    pub(crate) node: Arc<Node>,
    keyspace: Option<Box<str>>,
    role: Option<Box<str>>,
}

/// A statement about to run.
#[derive(Clone, Copy)]
pub(crate) struct Running<'a> {
    pub(crate) statement: &'a Statement,
    pub(crate) bound: &'a BoundStatement,
    pub(crate) text: &'a str,
    pub(crate) manner: Manner,
}

/// A statement of a batch that comes in parts.
#[derive(Clone, Copy, Debug)]
pub enum BatchPart<'a> {
    /// By its text.
    Text(&'a str),
    /// Prepared before.
    Prepared(&'a Prepared),
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("keyspace", &self.keyspace).finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn new(node: Arc<Node>) -> Self {
        Self { node, keyspace: None, role: None }
    }

    /// The keyspace in use.
    pub fn keyspace(&self) -> Option<&str> {
        self.keyspace.as_deref()
    }

    /// Uses another keyspace, without asking whether it exists.
    pub fn set_keyspace(&mut self, keyspace: &str) {
        self.keyspace = Some(keyspace.into());
    }

    /// Logs in. Where clients must authenticate, a session can do nothing before; elsewhere it changes nothing.
    pub fn login(&mut self, name: &str, password: &str) -> Result<()> {
        if self.node.settings.authentication {
            auth::login(&self.node, name, password)?;
            self.role = Some(name.into());
        }
        Ok(())
    }

    /// Runs a text.
    pub fn query(&mut self, text: &str, parameters: &Parameters<'_>) -> Result<Answer> {
        let statement = only_statement(text)?;
        let schema = self.node.schema();
        let bound = self.bind(&schema, &statement)?;
        self.run(
            schema,
            Running { statement: &statement, bound: &bound, text, manner: Manner::Query },
            parameters,
        )
    }

    /// Prepares a text.
    pub fn prepare(&mut self, text: &str) -> Result<Prepared> {
        let statement = only_statement(text)?;
        let schema = self.node.schema();
        let bound = self.bind(&schema, &statement)?;
        check_marker_count(&statement)?;
        let parameters = Parameters::default();
        let who = (self.role.as_deref(), self.keyspace.as_deref());
        let execution = Execution::new(&self.node, Arc::clone(&schema), &parameters, who);
        if auth::answers(&execution, &statement.kind) {
            auth::validate(&execution, &statement.kind)?;
        } else {
            bind::validate(&bound)?;
        }
        Ok(Prepared::new(text, self.keyspace.as_deref(), &schema, statement, bound))
    }

    /// Runs a prepared statement. If the schema changed since, it is bound anew; one whose columns are others now must
    /// be prepared again by the client, who knows the old ones.
    pub fn execute(&mut self, prepared: &Prepared, parameters: &Parameters<'_>) -> Result<Answer> {
        if let Some(outcome) = self.take_short_cut(prepared, parameters) {
            return Ok(Answer { outcome: outcome?, ..Answer::default() });
        }
        let schema = self.node.schema();
        if schema.version == prepared.schema_version {
            return self.run(schema, prepared.running(), parameters);
        }
        let again = self.rebind(prepared, &schema)?;
        self.run(schema, again.running(), parameters)
    }

    fn take_short_cut(
        &self,
        prepared: &Prepared,
        parameters: &Parameters<'_>,
    ) -> Option<Result<Outcome>> {
        let fast = prepared.fast.as_ref()?;
        let schema = SchemaGuard::hold(&self.node);
        if schema.version != prepared.schema_version {
            return None;
        }
        fast.run(&schema, parameters, prepared.markers.len())
    }

    /// A prepared statement bound anew, if the schema changed since it was.
    pub fn renew(&self, prepared: &Prepared) -> Result<Option<Prepared>> {
        let schema = self.node.schema();
        if schema.version == prepared.schema_version {
            return Ok(None);
        }
        self.rebind(prepared, &schema).map(Some)
    }

    fn rebind(&self, prepared: &Prepared, schema: &Arc<Schema>) -> Result<Prepared> {
        let keyspace = prepared.keyspace.as_deref();
        let now_ms = self.node.clock.now_micros().div_euclid(1000);
        let bound = bind::bind(&schema.catalog, keyspace, now_ms, &prepared.statement)?;
        let again =
            Prepared::new(&prepared.text, keyspace, schema, prepared.statement.clone(), bound);
        if again.columns != prepared.columns || again.markers != prepared.markers {
            return Err(prepared.is_stale());
        }
        Ok(again)
    }

    /// Runs a batch that comes in parts, each with its own values.
    pub fn batch(
        &mut self,
        kind: BatchKind,
        parts: &[(BatchPart<'_>, Values<'_>)],
        parameters: &Parameters<'_>,
    ) -> Result<Answer> {
        let schema = self.node.schema();
        let env = Env { now_us: self.node.clock.now_micros(), ids: &*self.node };
        let mut writes = Vec::with_capacity(parts.len());
        for (part, values) in parts {
            let (bound, manner) = match part {
                BatchPart::Text(text) => {
                    (Cow::Owned(self.bind(&schema, &only_statement(text)?)?), Manner::Query)
                }
                BatchPart::Prepared(one) if one.schema_version == schema.version => {
                    (Cow::Borrowed(&one.bound), Manner::Prepared)
                }
                BatchPart::Prepared(one) => {
                    (Cow::Owned(self.rebind(one, &schema)?.bound), Manner::Prepared)
                }
            };
            let bound = values::substitute(&bound, values, manner, &env)?;
            match bound.kind {
                Bound::Write(write) => writes.push(*write),
                _ => {
                    return Err(Error::invalid(
                        "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.",
                    ));
                }
            }
        }
        let batch = bind::write::BoundBatch::of_parts(kind, writes)?;
        let bound = BoundStatement {
            kind: Bound::Batch(batch),
            markers: Vec::new(),
            now_ms: env.now_us.div_euclid(1000),
            span: cql::Span::default(),
        };
        // The batch came without a text: nothing looks at the statement any more.
        let statement =
            Statement { kind: StatementKind::Invalid, markers: Vec::new(), span: bound.span };
        let running = Running {
            statement: &statement,
            bound: &bound,
            text: "BATCH",
            manner: Manner::Prepared,
        };
        self.run(schema, running, parameters)
    }

    fn bind(&self, schema: &Schema, statement: &Statement) -> Result<BoundStatement> {
        let now_ms = self.node.clock.now_micros().div_euclid(1000);
        Ok(bind::bind(&schema.catalog, self.keyspace.as_deref(), now_ms, statement)?)
    }

    fn run(
        &mut self,
        schema: Arc<Schema>,
        running: Running<'_>,
        parameters: &Parameters<'_>,
    ) -> Result<Answer> {
        let node = Arc::clone(&self.node);
        let who = (self.role.as_deref(), self.keyspace.as_deref());
        let execution = Execution::new(&node, schema, parameters, who);
        let started_at = execution.now_micros;
        let outcome = dispatch(&execution, running);
        let (warnings, events) = execution.finish();
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return Err(Error { warnings, ..error }),
        };
        if let Outcome::Keyspace(keyspace) = &outcome {
            self.keyspace = Some(keyspace.clone());
        }
        let Running { text, manner, bound, .. } = running;
        let traced = Traced { text, manner, bound, parameters, started_at };
        let tracing_id = events.map(|events| trace::store(&node, traced, &events)).transpose()?;
        Ok(Answer { outcome, warnings, tracing_id })
    }
}

/// Runs a text of the server's own, for which nobody has to be logged in.
pub(crate) fn run_own(node: &Node, text: &str) -> Result<Outcome> {
    let statement = only_statement(text)?;
    let schema = node.schema();
    let now_ms = node.clock.now_micros().div_euclid(1000);
    let bound = bind::bind(&schema.catalog, None, now_ms, &statement)?;
    let parameters = Parameters { page_size: None, ..Parameters::default() };
    let execution = Execution::new(node, schema, &parameters, (None, None)).for_server();
    let running = Running { statement: &statement, bound: &bound, text, manner: Manner::Query };
    dispatch(&execution, running)
}

fn dispatch(execution: &Execution<'_>, running: Running<'_>) -> Result<Outcome> {
    let Running { statement, bound, text, manner } = running;
    trace::begin(execution, text, manner, &bound.kind);
    auth::check(execution, &statement.kind, &bound.kind)?;
    if auth::answers(execution, &statement.kind) {
        return auth::command(execution, &statement.kind);
    }
    if matches!(bound.kind, Bound::Unbound) {
        return ddl::change(execution, statement, text);
    }
    let bound = &values::substitute(bound, &execution.parameters.values, manner, &execution.env())?;
    consistency::check_level(execution, &bound.kind)?;
    bind::check_start(bound, execution.parameters.page_rows()).inspect_err(|refusal| {
        // The server warns of aggregates before it looks at the order.
        if let Bound::Select(select) = &bound.kind
            && refusal.message().starts_with("Cannot page queries with both ORDER BY")
        {
            read::warn(execution, select);
        }
    })?;
    consistency::check_replicas(execution, &bound.kind)?;
    guard::check_query(execution, &statement.kind, &bound.kind)?;
    match &bound.kind {
        Bound::Select(select) => read::select(execution, select).map(Outcome::Rows),
        Bound::Write(one) => write::write(execution, one),
        Bound::Batch(batch) => write::batch(execution, batch),
        Bound::Command(_) => command::run(execution, &statement.kind),
        Bound::Unbound => Ok(Outcome::Void),
    }
}

/// The one statement of a text.
fn only_statement(text: &str) -> Result<Statement> {
    let mut parsed = cql::parse(text);
    let is_error = |one: &&cql::Diagnostic| one.severity == Severity::Error;
    if let Some(error) = parsed.diagnostics.iter().find(is_error) {
        return Err(Box::new(error.clone()).into());
    }
    let syntax = |text: &str| Error::new(ErrorCode::Syntax.number(), text);
    match (parsed.statements.pop(), parsed.statements.is_empty()) {
        (None, _) => Err(syntax("line 1:0 no viable alternative at input '<EOF>'")),
        (Some(_), false) => Err(syntax("line 1:0 extraneous input: one statement at a time")),
        (Some(Statement { kind: StatementKind::Shell(_), .. }), _) => {
            Err(syntax("line 1:0 no viable alternative: this is a command of the shell"))
        }
        (Some(statement), true) => Ok(statement),
    }
}

fn check_marker_count(statement: &Statement) -> Result<()> {
    const MARKERS_MAX: usize = 65_535;
    let count = statement.markers.len();
    if count > MARKERS_MAX {
        return Err(Error::invalid(format!(
            "Too many markers(?). {count} markers exceed the allowed maximum of {MARKERS_MAX}"
        )));
    }
    Ok(())
}
