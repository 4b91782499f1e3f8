//! [`Node`]: the state that all sessions of a database share. It does not depend on statements.
//!
//! - `schema` is the schema with the handles of its tables (`handle`, with `index` and
//!   `view_plan`); `schema_lock` keeps it from changing while rows are written.
//! - `commit` writes rows; `locks` are the locks of partitions.
//! - `journal` is the history of the schema that is replayed at start; `log_thread` runs the commit
//!   log in the background.
//! - `ids`, `name_id`, `entropy` and `identity` make timestamps and ids; `settings` are those of
//!   `cassandra.yaml`; `system_table` lists the tables that are computed when they are read.

pub(crate) mod commit;
pub(crate) mod entropy;
pub(crate) mod handle;
pub(crate) mod identity;
pub(crate) mod ids;
pub(crate) mod index;
pub(crate) mod journal;
pub(crate) mod locks;
#[expect(clippy::disallowed_methods, reason = "the thread that syncs the commit log")]
pub(crate) mod log_thread;
pub(crate) mod name_id;
pub(crate) mod schema;
pub(crate) mod schema_lock;
pub(crate) mod settings;
mod system_table;
pub(crate) mod view_plan;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ::schema::ddl::CatalogChange;
use storage::Store;
use storage::clock::Clock;

use crate::error::Result;
use crate::function::UuidSource;
use entropy::Entropy;
use identity::NodeIdentity;
use ids::UniqueTimes;
use journal::JournalEntry;
use locks::PartitionLocks;
use schema::Schema;
use schema_lock::SchemaLock;
use settings::Settings;

/// The keyspace of the tables that hold roles and permissions; writes to them are counted.
pub(crate) const AUTH_KEYSPACE: &str = "system_auth";

/// The shared state of a database.
pub(crate) struct Node {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) settings: Settings,
    pub(crate) identity: NodeIdentity,
    /// When it was started, in microseconds since 1970.
    pub(crate) started_at: i64,
    pub(crate) store: Store,
    /// Held while a schema statement runs: they are serialised.
    pub(crate) schema_changes: Mutex<()>,
    /// Held while a statement on roles runs: they are serialised.
    pub(crate) role_changes: Mutex<()>,
    /// The locks of partitions that are read before they are written.
    pub(crate) locks: PartitionLocks,
    /// The entries that are replayed when the database is opened.
    history: Mutex<Vec<JournalEntry>>,
    schema: SchemaLock,
    times: UniqueTimes,
    /// How often the tables of roles and permissions were written.
    role_writes: AtomicU64,
}

impl UuidSource for Node {
    fn uuid(&self) -> [u8; 16] {
        self.random_id()
    }

    fn time_uuid(&self) -> [u8; 16] {
        self.next_time_id()
    }
}

impl Node {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        settings: Settings,
        identity: NodeIdentity,
        store: Store,
        (schema, history): (Schema, Vec<JournalEntry>),
    ) -> Self {
        Self {
            started_at: clock.now_micros(),
            clock,
            entropy,
            settings,
            identity,
            store,
            schema_changes: Mutex::new(()),
            role_changes: Mutex::new(()),
            locks: PartitionLocks::default(),
            history: Mutex::new(history),
            schema: SchemaLock::new(schema),
            times: UniqueTimes::default(),
            role_writes: AtomicU64::new(0),
        }
    }

    /// Logs a schema change before it takes effect.
    pub(crate) fn append_to_history(
        &self,
        entry: JournalEntry,
        change: &CatalogChange,
    ) -> Result<()> {
        self.store.record_schema(&entry.encode())?;
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        journal::compact_history(&mut history, change);
        if !matches!(change, CatalogChange::DropKeyspace(_) | CatalogChange::DropTable { .. }) {
            history.push(entry);
        }
        Ok(())
    }

    /// Writes a checkpoint, and excludes schema changes meanwhile.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        let _no_changes = self.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
        let history = {
            let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
            history.iter().map(JournalEntry::encode).collect::<Vec<_>>()
        };
        Ok(self.store.checkpoint(&history)?)
    }

    /// A snapshot of the current schema.
    pub(crate) fn schema(&self) -> Arc<Schema> {
        self.schema.snapshot()
    }

    /// The lock behind a [`SchemaGuard`](schema_lock::SchemaGuard).
    pub(crate) fn schema_lock(&self) -> &SchemaLock {
        &self.schema
    }

    /// A timestamp in microseconds since 1970; strictly increasing.
    pub(crate) fn unique_micros(&self) -> i64 {
        self.times.timestamp(&*self.clock)
    }

    /// A time-based UUID, later than all before it.
    pub(crate) fn next_time_id(&self) -> [u8; 16] {
        ids::time_id(self.times.next_tick(&*self.clock), self.identity.host_id)
    }

    /// A time-based UUID of the past, earlier than all before it.
    pub(crate) fn next_front_id(&self) -> [u8; 16] {
        ids::time_id(self.times.next_front_tick(&*self.clock), self.identity.host_id)
    }

    /// A random UUID (version 4).
    pub(crate) fn random_id(&self) -> [u8; 16] {
        ids::random_id(&*self.entropy)
    }

    /// Counts a write to the tables of roles and permissions.
    pub(crate) fn note_role_write(&self) {
        self.role_writes.fetch_add(1, Ordering::AcqRel);
    }

    /// The number of writes to the tables of roles and permissions, by which caches of them are
    /// invalidated.
    pub(crate) fn role_writes(&self) -> u64 {
        self.role_writes.load(Ordering::Acquire)
    }
}
