//! [`Node`]: the state that all sessions of a database share. It does not depend on statements.
//!
//! - `schema` is the schema with the handles of its tables (`handle`, with `index` and
//!   `view_plan`); `schema_lock` keeps it from changing while rows are written.
//! - `commit` writes rows; `locks` are the locks of partitions.
//! - `journal` has the entries of the history of the schema that is replayed at start
//!   (`schema_history`); `log_thread` runs the commit
//!   log in the background.
//! - `snapshot` is everything at one moment, to which a database can return.
//! - `test_hooks` are what tests can change while the node runs.
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
pub(crate) mod password_times;
pub(crate) mod schema;
pub(crate) mod schema_history;
pub(crate) mod schema_lock;
pub(crate) mod settings;
pub(crate) mod snapshot;
mod system_table;
pub(crate) mod test_hooks;
pub(crate) mod view_plan;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ::schema::ddl::CatalogChange;
use cql::SchemaChange;
use storage::Store;
use storage::clock::Clock;

use crate::error::Result;
use crate::function::UuidSource;
use crate::metrics::NodeMetrics;
use crate::server_status::ServerStatus;
use entropy::Entropy;
use identity::NodeIdentity;
use ids::UniqueTimes;
use journal::{ExecutedStatement, JournalEntry};
use locks::PartitionLocks;
use password_times::PasswordTimes;
use schema::Schema;
use schema_history::SchemaHistory;
use schema_lock::SchemaLock;
use settings::Settings;
use test_hooks::TestHooks;

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
    pub(crate) password_times: PasswordTimes,
    /// The locks of partitions that are read before they are written.
    pub(crate) locks: PartitionLocks,
    /// The entries that are replayed when the database is opened.
    history: Mutex<SchemaHistory>,
    /// What tests can change, on a node that was opened for them.
    pub(crate) test_hooks: Option<TestHooks>,
    schema: SchemaLock,
    times: UniqueTimes,
    /// What was measured of statements.
    pub(crate) metrics: NodeMetrics,
    /// How often the tables of roles and permissions were written.
    role_writes: AtomicU64,
    server: OnceLock<Arc<dyn ServerStatus>>,
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
        (schema, history): (Schema, SchemaHistory),
    ) -> Self {
        store.set_schema_memory(history.byte_size());
        Self {
            started_at: clock.now_micros(),
            clock,
            entropy,
            settings,
            identity,
            store,
            schema_changes: Mutex::new(()),
            role_changes: Mutex::new(()),
            password_times: PasswordTimes::default(),
            locks: PartitionLocks::default(),
            history: Mutex::new(history),
            test_hooks: None,
            schema: SchemaLock::new(schema),
            times: UniqueTimes::default(),
            metrics: NodeMetrics::default(),
            role_writes: AtomicU64::new(0),
            server: OnceLock::new(),
        }
    }

    /// Sets the server whose state system tables show; the first one stays.
    pub(crate) fn set_server_status(&self, server: Arc<dyn ServerStatus>) {
        let _ = self.server.set(server);
    }

    /// The server in front of the engine, if there is one.
    pub(crate) fn server_status(&self) -> Option<&dyn ServerStatus> {
        self.server.get().map(|server| &**server)
    }

    /// Tells the server in front of the engine about changes of the schema.
    pub(crate) fn notify_of_changes(&self, changes: &[SchemaChange]) {
        if let Some(server) = self.server_status() {
            for change in changes {
                server.notify_of_change(change);
            }
        }
    }

    /// Logs a schema change, which needs so many bytes of memory, before it takes effect.
    pub(crate) fn append_to_history(
        &self,
        executed: ExecutedStatement,
        memory: u64,
        change: &CatalogChange,
    ) -> Result<()> {
        let entry = JournalEntry::Statement(executed);
        self.store.record_schema(&entry.encode())?;
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.extend(entry, memory, change);
        self.store.set_schema_memory(history.byte_size());
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

    /// Whether tests have asked for faults of statements.
    pub(crate) fn has_faults(&self) -> bool {
        self.test_hooks.as_ref().is_some_and(|hooks| hooks.faults.has_any())
    }

    /// Forgets the timestamps and ids that were issued, after the clock was set back.
    pub(crate) fn forget_times(&self) {
        self.times.forget();
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
