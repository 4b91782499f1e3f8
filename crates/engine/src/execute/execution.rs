//! [`Execution`]: the context of one statement: its node, schema, time and parameters, and the
//! warnings and trace events that it produces besides its result.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use cql::TableId;
use schema::catalog;
use storage::{DecoratedKey, Mutation, PartitionUpdate};

use super::activity::Activity;
use super::index::IndexUpkeep;
use super::view::{ViewUpkeep, trace_view_read};
use crate::error::{Error, Result};
use crate::function::{CallMonitor, Env};
use crate::metrics::elapsed_since;
use crate::node::Node;
use crate::node::commit::{CommitGuard, CommitObserver};
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::Parameters;
use crate::request_governor::{Interruption, TimedOperation, interruption_error};

/// One statement being executed.
pub(crate) struct Execution<'a> {
    pub(crate) node: &'a Node,
    /// The schema it was bound to.
    pub(crate) schema: Arc<Schema>,
    pub(crate) parameters: &'a Parameters<'a>,
    /// When it began, in microseconds since 1970.
    pub(crate) now_micros: i64,
    /// The keyspace in use.
    pub(crate) keyspace: Option<&'a str>,
    /// What it is doing, for its time limit.
    operation: Cell<TimedOperation>,
    /// Whether a function was told to stop.
    is_interrupted: Cell<bool>,
    warnings: RefCell<Vec<String>>,
    trace: RefCell<Option<Vec<(i64, Activity)>>>,
}

impl<'a> Execution<'a> {
    pub(crate) fn new(
        node: &'a Node,
        schema: Arc<Schema>,
        parameters: &'a Parameters<'a>,
        keyspace: Option<&'a str>,
    ) -> Self {
        let now_micros = node.clock.now_micros();
        Self {
            node,
            schema,
            parameters,
            now_micros,
            keyspace,
            operation: Cell::new(TimedOperation::Read),
            is_interrupted: Cell::new(false),
            warnings: RefCell::default(),
            trace: RefCell::new(parameters.tracing.then(Vec::new)),
        }
    }

    /// The microseconds since it began.
    pub(crate) fn elapsed_micros(&self) -> u64 {
        elapsed_since(self.now_micros, self.node.clock.now_micros())
    }

    /// The environment of native functions.
    pub(crate) fn env(&self) -> Env<'_> {
        Env { now_us: self.now_micros, ids: self.node, monitor: None }
    }

    /// The environment of native functions that are interrupted when the time limit has passed. No
    /// lock may be held.
    pub(crate) fn list_monitored(&self) -> Env<'_> {
        Env { monitor: Some(self), ..self.env() }
    }

    /// The current time for TTLs and deletions, in seconds since 1970.
    pub(crate) fn now_seconds(&self) -> i64 {
        self.parameters.now_seconds.unwrap_or_else(|| self.now_micros.div_euclid(1_000_000))
    }

    /// The timestamp of writes without USING TIMESTAMP: the client's, or a new one of the server.
    pub(crate) fn timestamp(&self) -> i64 {
        self.parameters.timestamp.unwrap_or_else(|| self.node.unique_micros())
    }

    /// The handle of a table that the statement is bound to.
    pub(crate) fn handle(&self, table: &catalog::Table) -> Result<Arc<TableHandle>> {
        self.schema
            .handle(table)
            .cloned()
            .ok_or_else(|| Error::invalid(format!("table {} does not exist", table.name)))
    }

    /// Starts work with a time limit.
    pub(crate) fn start(&self, operation: TimedOperation) {
        self.operation.set(operation);
        if let Some(governor) = self.parameters.governor {
            governor.start(self.node.settings.timeouts.limit(operation));
        }
    }

    /// Starts a further part of the same work, for which the time limit counts anew.
    pub(crate) fn restart(&self) {
        self.start(self.operation.get());
    }

    /// Fails if the time limit has passed or the request was cancelled. No lock may be held.
    pub(crate) fn check_time(&self) -> Result<()> {
        let Some(governor) = self.parameters.governor else { return Ok(()) };
        governor.check().map_err(|error| self.interrupt(error))
    }

    /// Fails if a result, or what is collected for it, is too large.
    pub(crate) fn check_result_size(&self, bytes: usize) -> Result<()> {
        let Some(governor) = self.parameters.governor else { return Ok(()) };
        governor.check_result(bytes).map_err(|error| self.interrupt(error))
    }

    /// Replaces the error of a function that was interrupted by the reason.
    pub(crate) fn explain_interruption<T>(&self, outcome: Result<T>) -> Result<T> {
        if self.is_interrupted.get() && outcome.is_err() {
            self.check_time()?;
        }
        outcome
    }

    fn interrupt(&self, interruption: Interruption) -> Error {
        interruption_error(interruption, self.operation.get(), self.parameters.consistency)
    }

    /// Adds a warning for the client, unless it is a duplicate.
    pub(crate) fn warn(&self, text: impl Into<String>) {
        let text = text.into();
        let mut warnings = self.warnings.borrow_mut();
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }

    /// Adds a warning for the client, even a duplicate.
    pub(crate) fn warn_every_time(&self, text: &str) {
        self.warnings.borrow_mut().push(text.to_owned());
    }

    /// Whether the statement is traced.
    pub(crate) fn is_traced(&self) -> bool {
        self.trace.borrow().is_some()
    }

    /// Records a trace event, if the statement is traced.
    pub(crate) fn trace(&self, activity: impl FnOnce() -> Activity) {
        if let Some(events) = &mut *self.trace.borrow_mut() {
            events.push((self.node.clock.now_micros(), activity()));
        }
    }

    /// Records a trace event of a time before this, if the statement is traced.
    pub(crate) fn trace_at(&self, micros: i64, activity: impl FnOnce() -> Activity) {
        if let Some(events) = &mut *self.trace.borrow_mut() {
            events.push((micros, activity()));
        }
    }

    /// Whether the statement is traced and its last event satisfies a predicate.
    fn is_last_activity(&self, predicate: impl FnOnce(&Activity) -> bool) -> bool {
        let trace = self.trace.borrow();
        let last = trace.as_ref().and_then(|events| events.last());
        last.is_some_and(|(_, activity)| predicate(activity))
    }

    /// Reports to the recorder, if there is one, that a write reads stored rows.
    pub(crate) fn record_read_before_write(&self) {
        if let Some(recorder) = self.parameters.recorder {
            recorder.record_read_before_write();
        }
    }

    pub(crate) fn finish(self) -> (Vec<String>, Option<Vec<(i64, Activity)>>) {
        (self.warnings.into_inner(), self.trace.into_inner())
    }

    /// Commits mutations and updates the views and indexes of their tables.
    ///
    /// `locked` are the partitions that the caller holds; others that must be locked are locked
    /// here.
    pub(crate) fn apply(
        &self,
        mutations: Vec<Mutation>,
        locked: &[(TableId, DecoratedKey)],
    ) -> Result<()> {
        let views = ViewUpkeep { env: self.env(), now_seconds: self.now_seconds() };
        let guard = CommitGuard::acquire(self.node, &mutations, locked);
        let indexes = IndexUpkeep { store: &self.node.store };
        let trace = TraceObserver { execution: self, base_tables: RefCell::default() };
        let outcome = guard.commit(mutations, &[&views, &trace, &indexes]);
        trace.finish();
        outcome
    }
}

impl CallMonitor for Execution<'_> {
    fn is_interrupted(&self) -> bool {
        let must_stop = self.check_time().is_err();
        self.is_interrupted.set(must_stop);
        must_stop
    }
}

impl fmt::Debug for Execution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution").field("operation", &self.operation).finish_non_exhaustive()
    }
}

/// Records trace events and the latency of every write.
struct TraceObserver<'a> {
    execution: &'a Execution<'a>,
    /// The tables with views that were written: the server adds to them after the views.
    base_tables: RefCell<Vec<String>>,
}

impl TraceObserver<'_> {
    /// Records the end of writes to tables with views.
    fn finish(&self) {
        for table in self.base_tables.take() {
            self.execution.trace(|| Activity::AddToMemtable { table });
        }
    }
}

impl CommitObserver for TraceObserver<'_> {
    fn derive(&self, schema: &SchemaGuard<'_>, writes: &[Mutation]) -> Result<Vec<Mutation>> {
        if self.execution.is_traced() {
            for write in writes {
                let table = schema.table_by_id(&write.table);
                if let Some(table) = table.filter(|table| !table.views.is_empty()) {
                    self.execution.trace(|| Activity::AppendToCommitlog);
                    self.execution.trace(|| Activity::DeriveViews);
                    trace_view_read(self.execution, table, &write.update);
                }
            }
        }
        Ok(Vec::new())
    }

    fn observe_write(&self, table: Option<&TableHandle>, _update: &PartitionUpdate) {
        let execution = self.execution;
        if let Some(table) = table {
            table.metrics.histograms().writes.add(execution.elapsed_micros());
        }
        if !execution.is_traced() {
            return;
        }
        let name = table.map(|table| table.definition.name.to_string()).unwrap_or_default();
        if table.is_some_and(|table| !table.views.is_empty()) {
            self.base_tables.borrow_mut().push(name);
            return;
        }
        let is_first_of_views =
            execution.is_last_activity(|last| !matches!(last, Activity::AddToMemtable { .. }));
        if table.is_some_and(|table| table.view.is_some()) && is_first_of_views {
            execution.trace(|| Activity::DetermineReplicas);
        }
        execution.trace(|| Activity::AppendToCommitlog);
        execution.trace(|| Activity::AddToMemtable { table: name });
    }
}
