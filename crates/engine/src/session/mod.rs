//! [`Session`]: the statements of one client, in sequence.
//!
//! A statement is parsed and bound (crate `schema`), or was so by [`Session::prepare`]; the caller
//! needs permissions (`auth`) and is subject to guardrails (`guardrails`); values replace the
//! markers (`values`); then it is executed, here if it concerns the schema, roles or the session
//! (`ddl`, `auth`, `command`, `describe`), otherwise by `execute`. `system` computes the system
//! tables, `test_tables` are those by which tests control the node, `trace` stores traces, `consistency` and `schema_warnings` check what their names say.

pub(crate) mod auth;
mod command;
mod consistency;
pub(crate) mod context;
pub(crate) mod ddl;
mod describe;
pub(crate) mod guardrails;
pub(crate) mod prepared_statement;
mod schema_warnings;
pub(crate) mod statement;
mod system;
mod test_tables;
#[cfg(test)]
mod tests;
mod trace;
mod values;

use std::borrow::Cow;
use std::sync::Arc;

use cql::BatchKind;
use cql::{ErrorCode, Statement, StatementKind};
use schema::access::{self, AccessPlan, BatchPlan};
use schema::bind::select::BoundSelect;
use schema::bind::{self, BoundKind, BoundStatement};
use schema::refusal::{Reason, SelectionReason};
use storage::commit_log::LogPosition;

use crate::error::{Error, Result};
use crate::execute::select::TableAccess;
use crate::execute::write::PlannedWrite;
use crate::execute::{Execution, select, write};
use crate::function::Env;
use crate::node::Node;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::{MarkerValues, Parameters};
use crate::result::{ExecutionResult, ResultMessage};
use auth::roles::RoleCache;
use context::{Caller, StatementContext};
use prepared_statement::PreparedStatement;
use statement::{RunningStatement, StatementOrigin, StatementTimes};
use trace::TracedStatement;

/// A session of a client. A clone starts with the same role and keyspace.
#[derive(Clone)]
pub struct Session {
    pub(crate) node: Arc<Node>,
    pub(crate) roles: Arc<RoleCache>,
    keyspace: Option<Box<str>>,
    role: Option<Box<str>>,
    defers_acknowledgement: bool,
}

/// A statement of a batch of the native protocol.
#[derive(Clone, Copy, Debug)]
pub enum BatchPart<'a> {
    /// A statement by its text.
    Text(&'a str),
    /// A prepared statement.
    Prepared(&'a PreparedStatement),
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("keyspace", &self.keyspace).finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn new(node: Arc<Node>, roles: Arc<RoleCache>) -> Self {
        Self { node, roles, keyspace: None, role: None, defers_acknowledgement: false }
    }

    /// Logs in as a superuser, without a password.
    pub(crate) fn login_as_superuser(&mut self) -> Result<()> {
        if self.node.settings.authentication {
            let roles = self.roles.current(&self.node)?;
            let none = || Error::server("no role is a superuser");
            self.role = Some(roles.superuser().ok_or_else(none)?.into());
        }
        Ok(())
    }

    /// The keyspace in use.
    pub fn keyspace(&self) -> Option<&str> {
        self.keyspace.as_deref()
    }

    /// The role of the client; `None` before the login, and without authentication.
    pub fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// Sets the keyspace without checking that it exists.
    pub fn set_keyspace(&mut self, keyspace: &str) {
        self.keyspace = Some(keyspace.into());
    }

    /// Returns results before the log has acknowledged their writes: the caller must wait for
    /// [`ExecutionResult::unacknowledged`] before it confirms them.
    pub fn defer_acknowledgement(&mut self) {
        self.defers_acknowledgement = true;
    }

    /// Whether there is a keyspace with that name.
    pub fn has_keyspace(&self, keyspace: &str) -> bool {
        self.node.schema().catalog.keyspace(keyspace).is_some()
    }

    /// Logs in. With authentication, a session can execute nothing before; without it, this has no
    /// effect.
    pub fn login(&mut self, name: &str, password: &str) -> Result<()> {
        if self.node.settings.authentication {
            auth::login(&self.node, &self.roles, name, password)?;
            self.role = Some(name.into());
        }
        Ok(())
    }

    /// Executes a statement by its text.
    pub fn query(&mut self, text: &str, parameters: &Parameters<'_>) -> Result<ExecutionResult> {
        self.node.metrics.regular_statements.increment();
        let time = || parameters.tracing.then(|| self.node.clock.now_micros());
        let parsed_at = time();
        let statement = match parse_single(text) {
            Ok(statement) => statement,
            Err(error) => {
                return Err(self.trace_refusal(text, parameters, (parsed_at, None), error));
            }
        };
        let bound_at = time();
        let schema = self.node.schema();
        let bound = match self.bind(&schema, &statement) {
            Ok(bound) => bound,
            Err(error) => {
                return Err(self.trace_refusal(text, parameters, (parsed_at, bound_at), error));
            }
        };
        let plan = access::plan(&bound.kind);
        let times = parsed_at.zip(bound_at);
        let times = times.map(|(parsed_at, bound_at)| StatementTimes { parsed_at, bound_at });
        let running = RunningStatement::query(&statement, &bound, &plan, text, times);
        self.run(schema, running, parameters)
    }

    /// Stores the trace of a statement that was refused before its execution.
    fn trace_refusal(
        &self,
        text: &str,
        parameters: &Parameters<'_>,
        (parsed_at, bound_at): (Option<i64>, Option<i64>),
        error: Error,
    ) -> Error {
        let Some(started_at) = parsed_at else { return error };
        let origin = StatementOrigin::Query;
        let traced = TracedStatement { text, origin, bound: None, parameters, started_at };
        let events = trace::list_refusal_events(text, started_at, bound_at);
        let trace_id = trace::store(&self.node, traced, &events).ok();
        Error { trace_id, ..error }
    }

    /// Prepares a statement.
    pub fn prepare(&mut self, text: &str) -> Result<PreparedStatement> {
        let statement = parse_single(text)?;
        let schema = self.node.schema();
        let bound = self.bind(&schema, &statement)?;
        bind::check_marker_count(&statement)?;
        let parameters = Parameters::default();
        let keyspace = self.keyspace.as_deref();
        let execution = Execution::new(&self.node, Arc::clone(&schema), &parameters, keyspace);
        let context = StatementContext::new(execution, self.caller());
        if auth::is_auth_statement(&context, &statement.kind) {
            auth::validate(&context, &statement.kind)?;
        } else {
            bind::validate(&bound)?;
        }
        Ok(PreparedStatement::new(text, self.keyspace.as_deref(), &schema, statement, bound))
    }

    /// Executes a prepared statement. If the schema has changed, it is bound again; if its result
    /// columns have changed, the client must prepare it again.
    pub fn execute(
        &mut self,
        prepared: &PreparedStatement,
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult> {
        self.node.metrics.prepared_statements.increment();
        if let Some(outcome) = self.try_fast_path(prepared, parameters) {
            let outcome = outcome?;
            let is_read = matches!(outcome, ResultMessage::Rows(_));
            let unacknowledged = if is_read { None } else { self.acknowledge()? };
            return Ok(ExecutionResult { outcome, unacknowledged, ..ExecutionResult::default() });
        }
        let schema = self.node.schema();
        if schema.version == prepared.schema_version {
            return self.run(schema, prepared.as_running(), parameters);
        }
        let again = self.rebind(prepared, &schema)?;
        self.run(schema, again.as_running(), parameters)
    }

    fn try_fast_path(
        &self,
        prepared: &PreparedStatement,
        parameters: &Parameters<'_>,
    ) -> Option<Result<ResultMessage>> {
        let fast = prepared.fast.as_ref().filter(|_| !self.node.has_faults())?;
        let schema = SchemaGuard::acquire(&self.node);
        if schema.version != prepared.schema_version {
            return None;
        }
        fast.run(&schema, parameters, prepared.markers.len())
    }

    /// Binds a prepared statement again if the schema has changed.
    pub fn rebind_if_stale(
        &self,
        prepared: &PreparedStatement,
    ) -> Result<Option<PreparedStatement>> {
        let schema = self.node.schema();
        if schema.version == prepared.schema_version {
            return Ok(None);
        }
        self.rebind(prepared, &schema).map(Some)
    }

    fn rebind(
        &self,
        prepared: &PreparedStatement,
        schema: &Arc<Schema>,
    ) -> Result<PreparedStatement> {
        let keyspace = prepared.keyspace.as_deref();
        let now_ms = self.node.clock.now_micros().div_euclid(1000);
        let bound = bind::bind(&schema.catalog, keyspace, now_ms, &prepared.statement)?;
        prepared_statement::check_types(&bound)?;
        let again = PreparedStatement::new(
            &prepared.text,
            keyspace,
            schema,
            prepared.statement.clone(),
            bound,
        );
        if again.columns != prepared.columns || again.markers != prepared.markers {
            return Err(prepared.stale_error());
        }
        Ok(again)
    }

    /// Executes a batch of statements, each with its own values.
    pub fn batch(
        &mut self,
        kind: BatchKind,
        parts: &[(BatchPart<'_>, MarkerValues<'_>)],
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult> {
        let schema = self.node.schema();
        let env = Env { now_us: self.node.clock.now_micros(), ids: &*self.node, monitor: None };
        let mut writes = Vec::with_capacity(parts.len());
        let mut plans = Vec::with_capacity(parts.len());
        for (part, values) in parts {
            let (bound, plan, origin) = match part {
                BatchPart::Text(text) => {
                    let bound = self.bind(&schema, &parse_single(text)?)?;
                    let plan = access::plan(&bound.kind);
                    (Cow::Owned(bound), plan, StatementOrigin::Query)
                }
                BatchPart::Prepared(prepared) if prepared.schema_version == schema.version => (
                    Cow::Borrowed(&prepared.bound),
                    prepared.plan.clone(),
                    StatementOrigin::Prepared,
                ),
                BatchPart::Prepared(prepared) => {
                    let again = self.rebind(prepared, &schema)?;
                    (Cow::Owned(again.bound), again.plan, StatementOrigin::Prepared)
                }
            };
            let bound = values::substitute(&bound, values, origin, &env)?;
            match (bound.kind, plan) {
                (BoundKind::Write(write), AccessPlan::Write(plan)) => {
                    writes.push(*write);
                    plans.push(plan);
                }
                _ => {
                    return Err(Error::invalid(
                        "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.",
                    ));
                }
            }
        }
        let batch = bind::write::BoundBatch::from_statements(kind, writes)?;
        let bound = BoundStatement {
            kind: BoundKind::Batch(batch),
            markers: Vec::new(),
            now_ms: env.now_us.div_euclid(1000),
            span: cql::Span::default(),
        };
        let running = RunningStatement {
            statement: None,
            bound: &bound,
            plan: &AccessPlan::Batch(BatchPlan::from_statements(kind, plans)),
            text: "BATCH",
            origin: StatementOrigin::Prepared,
            times: None,
        };
        self.run(schema, running, parameters)
    }

    /// Waits until the log acknowledges what was written so far, or returns the position to wait
    /// for if the session defers it. No lock is held meanwhile, so that others can write and share
    /// the sync.
    fn acknowledge(&self) -> Result<Option<LogPosition>> {
        let Some(position) = self.node.store.pending_acknowledgement() else { return Ok(None) };
        if self.defers_acknowledgement {
            return Ok(Some(position));
        }
        self.node.store.acknowledge(position)?;
        Ok(None)
    }

    fn caller(&self) -> Caller<'_> {
        Caller::Client { role: self.role.as_deref(), roles: &self.roles }
    }

    fn bind(&self, schema: &Schema, statement: &Statement) -> Result<BoundStatement> {
        let now_ms = self.node.clock.now_micros().div_euclid(1000);
        let bound = bind::bind(&schema.catalog, self.keyspace.as_deref(), now_ms, statement)?;
        prepared_statement::check_types(&bound)?;
        Ok(bound)
    }

    fn run(
        &mut self,
        schema: Arc<Schema>,
        running: RunningStatement<'_>,
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult> {
        let node = Arc::clone(&self.node);
        let execution = Execution::new(&node, schema, parameters, self.keyspace.as_deref());
        let started_at = running.times.map_or(execution.now_micros, |times| times.parsed_at);
        let context = StatementContext::new(execution, self.caller());
        let outcome = if node.has_faults() {
            test_tables::run_with_faults(&context, running, dispatch)
        } else {
            dispatch(&context, running)
        };
        let outcome = context.explain_interruption(outcome);
        let (warnings, events) = context.finish();
        let RunningStatement { text, origin, bound, .. } = running;
        let bound = Some(bound);
        let traced = TracedStatement { text, origin, bound, parameters, started_at };
        let trace_id = events.map(|events| trace::store(&node, traced, &events)).transpose()?;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                return Err(Error { warnings, trace_id, ..error });
            }
        };
        if let ResultMessage::Keyspace(keyspace) = &outcome {
            self.keyspace = Some(keyspace.clone());
        }
        let is_read = matches!(running.bound.kind, BoundKind::Select(_));
        let unacknowledged = if is_read { None } else { self.acknowledge()? };
        Ok(ExecutionResult { outcome, warnings, trace_id, unacknowledged })
    }
}

/// Executes an internal statement, without a login.
pub(crate) fn run_internal(node: &Node, text: &str) -> Result<ResultMessage> {
    let statement = parse_single(text)?;
    let schema = node.schema();
    let now_ms = node.clock.now_micros().div_euclid(1000);
    let bound = bind::bind(&schema.catalog, None, now_ms, &statement)?;
    let parameters = Parameters { page_size: None, ..Parameters::default() };
    let execution = Execution::new(node, schema, &parameters, None);
    let context = StatementContext::new(execution, Caller::Server);
    let plan = access::plan(&bound.kind);
    dispatch(&context, RunningStatement::query(&statement, &bound, &plan, text, None))
}

fn dispatch(
    context: &StatementContext<'_>,
    running: RunningStatement<'_>,
) -> Result<ResultMessage> {
    let RunningStatement { statement, bound, plan, text, origin, times } = running;
    let kind = statement.map(|statement| &statement.kind);
    trace::begin(context, text, times);
    auth::check(context, kind, &bound.kind)?;
    if let Some(statement) = statement {
        if auth::is_auth_statement(context, &statement.kind) {
            return auth::execute(context, &statement.kind);
        }
        if matches!(bound.kind, BoundKind::Unbound) {
            return ddl::change(context, statement, text);
        }
    }
    let bound =
        &values::substitute(bound, &context.parameters.values, origin, &context.list_monitored())?;
    consistency::check_level(context, &bound.kind)?;
    bind::check_start(bound, context.parameters.page_rows()).inspect_err(|refusal| {
        // The server warns of aggregates before it checks the order.
        if let BoundKind::Select(select) = &bound.kind
            && refusal.reason == Reason::Selection(SelectionReason::PagedOrder)
        {
            select::warn_of_aggregation(context, select);
        }
    })?;
    consistency::check_replicas(context, &bound.kind)?;
    guardrails::check_query(context, kind, &bound.kind)?;
    match (&bound.kind, plan) {
        (BoundKind::Select(select), AccessPlan::Read(plan)) => {
            let access = table_access(context, select);
            select::select(context, plan, select, access).map(ResultMessage::Rows)
        }
        (BoundKind::Write(write), AccessPlan::Write(plan)) if write.table.is_test_table() => {
            test_tables::write(context, PlannedWrite { write, plan })
        }
        (BoundKind::Write(write), AccessPlan::Write(plan)) => {
            write::write(context, PlannedWrite { write, plan })
        }
        (BoundKind::Batch(batch), AccessPlan::Batch(plan)) => write::batch(context, batch, plan),
        (BoundKind::Command(_), _) => {
            kind.map_or(Ok(ResultMessage::Void), |kind| command::run(context, kind))
        }
        _ => Ok(ResultMessage::Void),
    }
}

/// What a SELECT may see of its table.
fn table_access(context: &StatementContext<'_>, select: &BoundSelect) -> TableAccess {
    let handle = context.schema.handle(&select.table).filter(|handle| handle.is_computed);
    TableAccess {
        unmasked: auth::can_unmask(context, &select.table),
        computed: handle.map(|handle| system::compute_rows(context, handle)),
    }
}

/// Parses a text of exactly one statement.
fn parse_single(text: &str) -> Result<Statement> {
    let mut parsed = cql::parse(text);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors.swap_remove(0).into());
    }
    let syntax = |text: &str| Error::new(ErrorCode::Syntax, text);
    match (parsed.statements.pop(), parsed.statements.is_empty()) {
        (None, _) => Err(syntax("line 1:0 no viable alternative at input '<EOF>'")),
        (Some(_), false) => Err(syntax("line 1:0 extraneous input: one statement at a time")),
        (Some(Statement { kind: StatementKind::Shell(_), .. }), _) => {
            Err(syntax("line 1:0 no viable alternative: this is a command of the shell"))
        }
        (Some(statement), true) => Ok(statement),
    }
}
