//! The one way by which rows are written: to the log and the tables, with what is kept up with them.

use std::sync::MutexGuard;

use cql::TableId;
use storage::{DecoratedKey, Mutation, PartitionUpdate};

use super::handle::TableHandle;
use super::schema::Schema;
use super::schema_lock::SchemaGuard;
use super::{AUTH_KEYSPACE, Node};
use crate::error::Result;

/// What watches writes and is kept up with them: views, indexes, traces.
pub(crate) trait CommitObserver {
    /// The writes to other tables that follow from these. The partitions of tables with views are locked, and nothing is
    /// written yet.
    fn derive(&self, _schema: &SchemaGuard<'_>, _writes: &[Mutation]) -> Result<Vec<Mutation>> {
        Ok(Vec::new())
    }

    /// An update is in the log and in its table; none if the table is gone.
    fn observe_write(&self, _table: Option<&TableHandle>, _update: &PartitionUpdate) {}
}

/// The right to write: the schema stays as it is, and what views read before they are written is locked.
pub(crate) struct CommitGuard<'a> {
    schema: SchemaGuard<'a>,
    _partitions: Option<Vec<MutexGuard<'a, ()>>>,
}

impl<'a> CommitGuard<'a> {
    /// Waits for the schema, and for the partitions if there are views over their tables. Those that the caller has locked
    /// already are named.
    ///
    /// Partitions are locked before the schema is held, never after.
    pub(crate) fn acquire(
        node: &'a Node,
        mutations: &[Mutation],
        locked: &[(TableId, DecoratedKey)],
    ) -> Self {
        let mut partitions = None;
        loop {
            let schema = SchemaGuard::acquire(node);
            if partitions.is_some() || !has_views(&schema, mutations) {
                return Self { schema, _partitions: partitions };
            }
            drop(schema);
            let own = |one: &&Mutation| {
                !locked.iter().any(|(id, key)| *id == one.table && *key == one.update.key)
            };
            let others = mutations.iter().filter(own).map(|one| (&one.table, &one.update.key));
            partitions = Some(node.locks.lock(others));
        }
    }

    /// Writes, with what observers make of it, as one record of the log, and tells them.
    ///
    /// The schema is held until all is done: one that has one more view or index comes before or after the write, so that
    /// what fills the new one finds all rows that it was not told of.
    pub(crate) fn commit(
        self,
        mut mutations: Vec<Mutation>,
        observers: &[&dyn CommitObserver],
    ) -> Result<()> {
        let mut derived = Vec::new();
        for observer in observers {
            derived.append(&mut observer.derive(&self.schema, &mutations)?);
        }
        mutations.append(&mut derived);
        self.schema.apply(&mutations)?;
        for mutation in &mutations {
            let table = self.schema.table_by_id(&mutation.table).map(|handle| &**handle);
            for observer in observers {
                observer.observe_write(table, &mutation.update);
            }
            if table.is_some_and(|table| &*table.definition.keyspace == AUTH_KEYSPACE) {
                self.schema.note_role_write();
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
