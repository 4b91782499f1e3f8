//! [`Execution`]: the context of one statement: its node, schema, time and parameters, and the
//! warnings and trace events that it produces besides its result.

use std::cell::RefCell;
use std::sync::Arc;

use cql::TableId;
use schema::catalog;
use storage::{DecoratedKey, Mutation, PartitionUpdate};

use super::activity::Activity;
use super::index::IndexUpkeep;
use super::view::ViewUpkeep;
use crate::error::{Error, Result};
use crate::function::Env;
use crate::node::Node;
use crate::node::commit::{CommitGuard, CommitObserver};
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;
use crate::request::Parameters;

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
            warnings: RefCell::default(),
            trace: RefCell::new(parameters.tracing.then(Vec::new)),
        }
    }

    /// The environment of native functions.
    pub(crate) fn env(&self) -> Env<'_> {
        Env { now_us: self.now_micros, ids: self.node }
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

    /// Records a trace event, if the statement is traced.
    pub(crate) fn trace(&self, activity: impl FnOnce() -> Activity) {
        if let Some(events) = &mut *self.trace.borrow_mut() {
            events.push((self.node.clock.now_micros(), activity()));
        }
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
        guard.commit(mutations, &[&views, &TraceObserver(self), &IndexUpkeep])
    }
}

/// Records a trace event for every write.
struct TraceObserver<'a>(&'a Execution<'a>);

impl CommitObserver for TraceObserver<'_> {
    fn observe_write(&self, table: Option<&TableHandle>, _update: &PartitionUpdate) {
        self.0.trace(|| Activity::AppendToCommitlog);
        let name = || table.map(|table| table.definition.name.to_string()).unwrap_or_default();
        self.0.trace(|| Activity::AddToMemtable { table: name() });
    }
}
