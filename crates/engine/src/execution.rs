//! The execution of one statement: what it sees and what it leaves behind besides its answer.

use std::cell::RefCell;
use std::sync::Arc;

use schema::catalog;
use storage::{Mutation, PartitionKey, TableId};

use crate::error::{Error, Result};
use crate::function::Env;
use crate::handle::TableHandle;
use crate::node::Node;
use crate::request::Parameters;
use crate::schema::Schema;
use crate::schema_lock::SchemaGuard;
use crate::{auth, index, view};

/// One statement being executed.
pub(crate) struct Execution<'a> {
    pub(crate) node: &'a Node,
    /// The schema it was bound to.
    pub(crate) schema: Arc<Schema>,
    pub(crate) parameters: &'a Parameters<'a>,
    /// When it began, in microseconds since 1970.
    pub(crate) now_micros: i64,
    /// The role that runs it; none when authentication is off.
    pub(crate) role: Option<&'a str>,
    /// The keyspace in use.
    pub(crate) keyspace: Option<&'a str>,
    /// Whether the server runs it for itself.
    is_own: bool,
    warnings: RefCell<Vec<String>>,
    trace: RefCell<Option<Vec<(i64, String)>>>,
}

impl<'a> Execution<'a> {
    pub(crate) fn new(
        node: &'a Node,
        schema: Arc<Schema>,
        parameters: &'a Parameters<'a>,
        (role, keyspace): (Option<&'a str>, Option<&'a str>),
    ) -> Self {
        let now_micros = node.clock.now_micros();
        Self {
            node,
            schema,
            parameters,
            now_micros,
            role,
            keyspace,
            is_own: false,
            warnings: RefCell::default(),
            trace: RefCell::new(parameters.tracing.then(Vec::new)),
        }
    }

    /// The same, run by the server for itself: nobody has to be logged in.
    pub(crate) fn for_server(self) -> Self {
        Self { is_own: true, ..self }
    }

    /// Whether it is held to what its role may do.
    pub(crate) fn is_checked(&self) -> bool {
        self.node.settings.authentication && !self.is_own
    }

    /// What functions need.
    pub(crate) fn env(&self) -> Env<'_> {
        Env { now_us: self.now_micros, ids: self.node }
    }

    /// What is now for lifetimes and deletions, in seconds since 1970.
    pub(crate) fn now_seconds(&self) -> i64 {
        self.parameters.now_seconds.unwrap_or_else(|| self.now_micros.div_euclid(1_000_000))
    }

    /// The timestamp of writes that name none: the client's, or a new one of the server.
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

    /// Warns the client, once per text.
    pub(crate) fn warn(&self, text: impl Into<String>) {
        let text = text.into();
        let mut warnings = self.warnings.borrow_mut();
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }

    /// Warns the client, as often as it is said.
    pub(crate) fn warn_again(&self, text: &str) {
        self.warnings.borrow_mut().push(text.to_owned());
    }

    /// Notes an event of the trace, if the statement is traced.
    pub(crate) fn trace(&self, event: impl FnOnce() -> String) {
        if let Some(events) = &mut *self.trace.borrow_mut() {
            events.push((self.node.clock.now_micros(), event()));
        }
    }

    pub(crate) fn finish(self) -> (Vec<String>, Option<Vec<(i64, String)>>) {
        (self.warnings.into_inner(), self.trace.into_inner())
    }

    /// Writes: with what the views over the tables make of it, as one record of the log, then into the indexes.
    ///
    /// Partitions that the caller has locked already are named, all others that must be are locked here.
    pub(crate) fn apply(
        &self,
        mut mutations: Vec<Mutation>,
        locked: &[(TableId, PartitionKey)],
    ) -> Result<()> {
        let mut guards = None;
        // Held until all is done: a schema that has one more view or index comes before or after the write, so that what
        // fills the new one finds all rows that it was not told of. Partitions are locked before it, never after.
        let schema = loop {
            let schema = SchemaGuard::hold(self.node);
            if guards.is_some() || !has_views(&schema, &mutations) {
                break schema;
            }
            drop(schema);
            let own = |one: &&Mutation| {
                !locked.iter().any(|(id, key)| *id == one.table && *key == one.update.key)
            };
            let partitions = mutations.iter().filter(own).map(|one| (&one.table, &one.update.key));
            guards = Some(self.node.locks.lock(partitions));
        };
        if guards.is_some() {
            mutations.extend(view::derive(self, &schema, &mutations)?);
        }
        schema.apply(&mutations)?;
        for mutation in &mutations {
            let handle = schema.table_by_id(&mutation.table);
            self.trace(|| "Appending to commitlog".to_owned());
            let name = || handle.map(|handle| &*handle.definition.name).unwrap_or_default();
            self.trace(|| format!("Adding to {} memtable", name()));
            if let Some(handle) = handle.filter(|handle| !handle.indexes.is_empty()) {
                index::note(handle, &mutation.update);
            }
            if handle.is_some_and(|handle| &*handle.definition.keyspace == auth::KEYSPACE) {
                self.node.known_roles.forget();
            }
        }
        Ok(())
    }
}

fn has_views(schema: &Schema, mutations: &[Mutation]) -> bool {
    let is_viewed = |one: &Mutation| {
        schema.table_by_id(&one.table).is_some_and(|handle| !handle.views.is_empty())
    };
    mutations.iter().any(is_viewed)
}
