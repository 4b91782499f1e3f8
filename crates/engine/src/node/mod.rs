//! What all sessions of a database share. It knows nothing of statements: it is told what to write.
//!
//! `schema` is the schema with the handles of its tables (`handle`, `index`, `view_plan`); `schema_lock` keeps it current
//! while rows are written; `commit` writes them. `journal` is the schema's history, `log_thread` keeps the log moving.

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

/// The shared part of a database.
pub(crate) struct Node {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) settings: Settings,
    pub(crate) identity: NodeIdentity,
    /// When it was started, in microseconds since 1970.
    pub(crate) started_at: i64,
    pub(crate) store: Store,
    /// Held while a schema statement runs: they run one after the other.
    pub(crate) schema_changes: Mutex<()>,
    /// Held while a statement about roles runs: each sees what those before it did.
    pub(crate) role_changes: Mutex<()>,
    /// Partitions that are read before they are written.
    pub(crate) locks: PartitionLocks,
    /// What is run again when the database is opened.
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

    /// Makes a change of the schema durable, before it is made.
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

    /// Writes a checkpoint; the schema stands still meanwhile.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        let _no_changes = self.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
        let history = {
            let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
            history.iter().map(JournalEntry::encode).collect::<Vec<_>>()
        };
        Ok(self.store.checkpoint(&history)?)
    }

    /// The schema as it is now.
    pub(crate) fn schema(&self) -> Arc<Schema> {
        self.schema.snapshot()
    }

    /// What a [`SchemaGuard`](schema_lock::SchemaGuard) holds.
    pub(crate) fn schema_lock(&self) -> &SchemaLock {
        &self.schema
    }

    /// Microseconds since 1970, never the same twice and never going back.
    pub(crate) fn unique_micros(&self) -> i64 {
        self.times.timestamp(&*self.clock)
    }

    /// A time-based id, later than all before it.
    pub(crate) fn next_time_id(&self) -> [u8; 16] {
        ids::time_id(self.times.next_tick(&*self.clock), self.identity.host_id)
    }

    /// A time-based id of the past, earlier than all before it.
    pub(crate) fn next_front_id(&self) -> [u8; 16] {
        ids::time_id(self.times.next_front_tick(&*self.clock), self.identity.host_id)
    }

    /// A random id, version 4.
    pub(crate) fn random_id(&self) -> [u8; 16] {
        ids::random_id(&*self.entropy)
    }

    /// Notes that one of the tables of roles and permissions was written.
    pub(crate) fn note_role_write(&self) {
        self.role_writes.fetch_add(1, Ordering::AcqRel);
    }

    /// How often those tables were written: what was read of them before a later write is outdated.
    pub(crate) fn role_writes(&self) -> u64 {
        self.role_writes.load(Ordering::Acquire)
    }
}
