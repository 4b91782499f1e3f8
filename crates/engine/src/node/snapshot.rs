//! [`DatabaseSnapshot`]: all rows and the schema of a database at one moment.

use std::sync::{Arc, PoisonError};

use cql::SchemaVersion;
use schema::catalog::list_changes;
use storage::StoreSnapshot;

use super::Node;
use super::journal::JournalEntry;
use super::schema::Schema;
use super::schema_history::SchemaHistory;
use crate::error::Result;

/// All rows and the schema of a database at one moment. It shares them with the database: it takes
/// well below a millisecond, however many rows there are, and holds the memory of what is changed
/// later.
#[derive(Clone)]
pub struct DatabaseSnapshot {
    schema: Arc<Schema>,
    history: SchemaHistory,
    store: StoreSnapshot,
}

impl std::fmt::Debug for DatabaseSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DatabaseSnapshot").finish_non_exhaustive()
    }
}

impl Node {
    /// Takes a snapshot. It waits for the writes under way: no batch is half in it.
    pub(crate) fn snapshot(&self) -> DatabaseSnapshot {
        let _no_changes = self.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
        self.schema_lock().exclude_guards(|schema| DatabaseSnapshot {
            schema: Arc::clone(schema),
            history: self.history.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            store: self.store.snapshot(),
        })
    }

    /// Returns to a snapshot. The schema gets a new version, so that prepared statements are bound
    /// again; clients are told what differs. On disk, the snapshot is written as a checkpoint first, which takes as long as
    /// writing all rows; after an error, nothing has changed.
    pub(crate) fn restore(&self, snapshot: &DatabaseSnapshot) -> Result<()> {
        let _no_changes = self.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
        let _no_roles = self.role_changes.lock().unwrap_or_else(PoisonError::into_inner);
        let entries: Vec<Vec<u8>> = if self.store.log().is_some() {
            snapshot.history.iter().map(JournalEntry::encode).collect()
        } else {
            Vec::new()
        };
        let before = self.schema();
        self.schema_lock().replace_exclusively(|| -> Result<Schema> {
            for id in self.store.restore(&snapshot.store, &entries)? {
                let table = snapshot.schema.table_by_id(&id);
                for index in table.iter().flat_map(|table| &table.indexes) {
                    index.clear();
                }
            }
            let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
            history.clone_from(&snapshot.history);
            self.store.set_schema_memory(history.byte_size());
            Ok(snapshot.schema.with_version(SchemaVersion(self.random_id())))
        })?;
        self.note_role_write();
        self.notify_of_changes(&list_changes(&before.catalog, &snapshot.schema.catalog));
        Ok(())
    }
}
