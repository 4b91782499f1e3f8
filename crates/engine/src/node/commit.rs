//! [`CommitGuard`]: the only way by which rows are written to the log and the tables, together with
//! the views and indexes that depend on them.
//!
//! Order of locks: partitions (`PartitionLocks`), then the schema (`SchemaGuard`), then those
//! inside `storage`. A commit discovers only under the schema's lock whether a table has views and
//! its partitions must be locked; it then releases the schema, locks the partitions, and looks
//! again.

use std::sync::MutexGuard;

use cql::TableId;
use storage::{DecoratedKey, Mutation, PartitionUpdate};

use super::handle::TableHandle;
use super::index::write_stripes::WritesUnderWay;
use super::schema::Schema;
use super::schema_lock::SchemaGuard;
use super::{AUTH_KEYSPACE, Node};
use crate::error::Result;

/// An observer of commits: views, indexes, traces.
pub(crate) trait CommitObserver {
    /// The mutations of other tables that follow from these. The partitions of tables with views
    /// are locked, and nothing is written yet.
    fn derive(&self, _schema: &SchemaGuard<'_>, _writes: &[Mutation]) -> Result<Vec<Mutation>> {
        Ok(Vec::new())
    }

    /// Called after an update was applied; `table` is `None` if the table was dropped.
    fn observe_write(&self, _table: Option<&TableHandle>, _update: &PartitionUpdate) {}
}

/// The permission to commit: the schema does not change, and the partitions that view updates read
/// before they write are locked.
pub(crate) struct CommitGuard<'a> {
    schema: SchemaGuard<'a>,
    _partitions: Option<Vec<MutexGuard<'a, ()>>>,
}

impl<'a> CommitGuard<'a> {
    /// Locks the schema, and before it the partitions if their tables have views. `locked` are the
    /// partitions that the caller holds already.
    ///
    /// Once the partitions are locked, the loop ends even if the views were dropped meanwhile; if
    /// views were created, they are on tables whose partitions are locked.
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
            let is_unlocked = |mutation: &&Mutation| {
                !locked.iter().any(|(id, key)| *id == mutation.table && *key == mutation.update.key)
            };
            let others = mutations.iter().filter(is_unlocked);
            let others = others.map(|mutation| (&mutation.table, &mutation.update.key));
            partitions = Some(node.locks.lock(others));
        }
    }

    /// Writes mutations and what observers derive from them as one record of the log, then notifies
    /// the observers.
    ///
    /// The schema is locked until all is done. So a statement that creates a view or index comes
    /// before the write, which then updates it, or after it, and the build of the view or index
    /// finds the row.
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
        let growth = self.estimate_index_growth(&mutations);
        if growth > 0 {
            self.schema.admit_growth(growth)?;
        }
        let _under_way = self.start_index_writes(&mutations);
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

impl CommitGuard<'_> {
    /// The memory that indexes will need for large updates, in bytes.
    fn estimate_index_growth(&self, mutations: &[Mutation]) -> u64 {
        let of_update = |mutation: &Mutation| -> u64 {
            let table = self.schema.table_by_id(&mutation.table);
            let indexes = table.iter().flat_map(|table| &table.indexes);
            indexes.map(|index| index.estimate_growth(&mutation.update)).sum()
        };
        mutations.iter().map(of_update).sum()
    }

    fn start_index_writes(&self, mutations: &[Mutation]) -> WritesUnderWay {
        let mut writes = WritesUnderWay::default();
        for mutation in mutations {
            let table = self.schema.table_by_id(&mutation.table);
            for index in table.iter().flat_map(|table| &table.indexes) {
                writes.start(index, mutation.update.key.as_bytes());
            }
        }
        writes
    }
}

fn has_views(schema: &Schema, mutations: &[Mutation]) -> bool {
    let has_view = |mutation: &Mutation| {
        schema.table_by_id(&mutation.table).is_some_and(|handle| !handle.views.is_empty())
    };
    mutations.iter().any(has_view)
}
