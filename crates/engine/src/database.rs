//! [`Database`]: opened once, and used by any number of sessions at the same time.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use cql::{HostId, SchemaVersion};
use storage::clock::{Clock, SystemClock};
use storage::commit_log::LogPosition;
use storage::{Cell, DataDirectory, RecoveryReport, Row, Store};

use crate::error::{Error, Result};
use crate::node::Node;
use crate::node::entropy::{Entropy, SeededEntropy};
use crate::node::identity::NodeIdentity;
use crate::node::ids::random_id;
use crate::node::journal::{self, JournalEntry};
use crate::node::log_thread::LogThread;
use crate::node::schema::Schema;
use crate::node::schema_history::SchemaHistory;
use crate::node::settings::Settings;
use crate::node::snapshot::DatabaseSnapshot;
use crate::node::test_hooks::{Pause, TestHooks};
use crate::server_status::ServerStatus;
use crate::session::Session;
use crate::session::auth;
use crate::session::auth::roles::RoleCache;
use crate::session::guardrails::{self, LargePartitions, PartitionReport};

/// The options of a database.
pub struct Options {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The settings of `cassandra.yaml`.
    pub settings: Settings,
    /// The identity of the node in system tables.
    pub identity: NodeIdentity,
    /// Where data is stored; without it, in memory only.
    pub directory: Option<DataDirectory>,
    /// The memory that the tables and the schema may occupy, in bytes. Writes and schema statements
    /// beyond it are refused, deletions, drops and reads are not.
    pub memory_limit: Option<u64>,
    /// Whether tests control the clock, faults and snapshots through the tables of the keyspace
    /// `helenus`; the function waits.
    pub test_hooks: Option<Pause>,
}

impl Default for Options {
    /// In memory, with the machine's clock, and ids that differ from start to start.
    fn default() -> Self {
        let now = SystemClock.now_micros();
        let seed = now.cast_unsigned() ^ u64::from(std::process::id()).rotate_left(40);
        Self {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SeededEntropy::new(seed)),
            settings: Settings::default(),
            identity: NodeIdentity::default(),
            directory: None,
            memory_limit: None,
            test_hooks: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A database with one node. Clones share it; it is closed when the last of them and of its
/// sessions is dropped.
#[derive(Clone)]
pub struct Database {
    node: Arc<Node>,
    roles: Arc<RoleCache>,
    _log_thread: Option<Arc<LogThread>>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Database {
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }
}

impl Database {
    /// Opens a database or creates a new one.
    pub fn open(options: Options) -> Result<Self> {
        let Options { clock, entropy, settings, mut identity, directory, memory_limit, test_hooks } =
            options;
        let (store, schema, mut history) = match &directory {
            None => {
                let store = Store::new_in_memory();
                let schema = Schema::initial(SchemaVersion(identity.host_id.0)).apply_to(&store);
                (store, schema, SchemaHistory::default())
            }
            Some(directory) => replay(directory, &clock)?,
        };
        let known = history.iter().find_map(|entry| match entry {
            JournalEntry::Identity(id) => Some(*id),
            JournalEntry::Statement(_) => None,
        });
        if let Some(id) = known {
            identity.host_id = id;
        } else {
            identity.host_id = HostId(random_id(&*entropy));
            let entry = JournalEntry::Identity(identity.host_id);
            store.record_schema(&entry.encode())?;
            store.sync()?;
            history.push(entry);
        }
        let (schema, clock, test_hooks) = match test_hooks {
            None => (schema, clock, None),
            Some(pause) => {
                let taken = || Error::server("the data has a keyspace helenus of its own");
                let schema = schema.add_test_tables().ok_or_else(taken)?.apply_to(&store);
                // The log keeps the machine's clock: its syncs do not follow tests.
                let hooks = TestHooks::new(clock, pause);
                (schema, Arc::clone(&hooks.clock) as Arc<dyn Clock>, Some(hooks))
            }
        };
        let mut node = Node::new(clock, entropy, settings, identity, store, (schema, history));
        node.test_hooks = test_hooks;
        let node = Arc::new(node);
        let roles = Arc::new(RoleCache::default());
        auth::set_up_default_role(&node, &roles)?;
        if let Some(limit) = memory_limit {
            node.store.limit_memory(limit);
        }
        let log_thread = directory.is_some().then(|| Arc::new(LogThread::start(&node)));
        Ok(Self { node, roles, _log_thread: log_thread })
    }

    /// Opens a new database in memory.
    pub fn open_in_memory(options: Options) -> Result<Self> {
        Self::open(Options { directory: None, ..options })
    }

    /// Opens a session.
    pub fn session(&self) -> Session {
        Session::new(Arc::clone(&self.node), Arc::clone(&self.roles))
    }

    /// Opens a session of a superuser, without a login.
    pub fn superuser_session(&self) -> Result<Session> {
        let mut session = self.session();
        session.login_as_superuser()?;
        Ok(session)
    }

    /// Whether tests have asked for faults of statements, which may take long then.
    pub fn has_faults(&self) -> bool {
        self.node.has_faults()
    }

    /// Whether the settings have a threshold for the size of partitions.
    pub fn has_partition_thresholds(&self) -> bool {
        guardrails::has_thresholds(&self.node)
    }

    /// What the log says about partitions above `partition_size_warn_threshold` that were not
    /// reported yet.
    pub fn find_large_partitions(&self, reported: &mut LargePartitions) -> Vec<PartitionReport> {
        reported.find_new(&self.node)
    }

    /// The cells of a keyspace's tables that only say that a value was deleted, or written as null.
    pub fn count_cell_tombstones(&self, keyspace: &str) -> usize {
        let schema = self.node.schema();
        let tables = schema.tables().filter(|handle| !handle.is_computed);
        let mut count = 0;
        for handle in tables.filter(|handle| handle.definition.keyspace.as_ref() == keyspace) {
            // Nothing is purged before the beginning of time.
            let counted = handle.rows.version().dump(i64::MIN / 2, |update| {
                let cells = update.rows.iter().chain(&update.statics).flat_map(Row::cells);
                count += cells.filter(Cell::is_tombstone).count();
                Ok::<(), Infallible>(())
            });
            let Ok(()) = counted;
        }
        count
    }

    /// The version of the schema, which differs after every change.
    pub fn schema_version(&self) -> SchemaVersion {
        self.node.schema().version
    }

    /// Returns when the sync mode of the log acknowledges everything before a position.
    pub fn acknowledge(&self, position: LogPosition) -> Result<()> {
        Ok(self.node.store.acknowledge(position)?)
    }

    /// Takes a snapshot of all rows and the schema, in a time that does not depend on their amount.
    /// Writes wait meanwhile, so that none is half in it.
    pub fn snapshot(&self) -> DatabaseSnapshot {
        self.node.snapshot()
    }

    /// Returns to a snapshot of this database: rows, roles and the schema are as they were then, and
    /// the schema has a new version. In memory this takes as long as dropping what was written
    /// since. With a data directory the snapshot is written as a checkpoint first, so that it
    /// survives a restart, which takes as long as writing all rows; after an error, nothing has
    /// changed.
    pub fn restore(&self, snapshot: &DatabaseSnapshot) -> Result<()> {
        self.node.restore(snapshot)
    }

    /// The memory that the schema, and the rows and indexes of all tables occupy, in bytes; an
    /// estimate.
    pub fn byte_size(&self) -> u64 {
        self.node.store.memory_size()
    }

    /// What was found when the data directory was opened; `None` in memory.
    pub fn recovery(&self) -> Option<&RecoveryReport> {
        self.node.store.recovery()
    }

    /// Prepares a clean stop: syncs the commit log, and writes a checkpoint if the log is long and
    /// the checkpoint takes about a second at most. The next start is faster then.
    pub fn close(&self) -> Result<()> {
        if self.node.store.is_closing_checkpoint_due() {
            // The log has everything: without a checkpoint the next start just takes longer.
            let _ = self.node.checkpoint();
        }
        self.sync()
    }

    /// Sets the server in front of the engine, whose state system tables show.
    pub fn set_server_status(&self, server: Arc<dyn ServerStatus>) {
        self.node.set_server_status(server);
    }

    /// Syncs the commit log: everything written so far survives a crash.
    pub fn sync(&self) -> Result<()> {
        Ok(self.node.store.sync()?)
    }

    /// Writes a checkpoint: the next start reads it instead of the log before it.
    pub fn checkpoint(&self) -> Result<()> {
        self.node.checkpoint()
    }
}

/// Replays the checkpoint and the log of a data directory.
fn replay(
    directory: &DataDirectory,
    clock: &Arc<dyn Clock>,
) -> Result<(Store, Schema, SchemaHistory)> {
    let mut schema: Option<Schema> = None;
    let mut history = SchemaHistory::default();
    let store = Store::open(directory, Arc::clone(clock), &mut |store, bytes| {
        let current = match schema.take() {
            Some(schema) => schema,
            None => Schema::initial(SchemaVersion::default()).apply_to(store),
        };
        let unreadable = |what: String| storage::Error::Unreadable { what };
        let entry = JournalEntry::decode(bytes)
            .ok_or_else(|| unreadable("invalid schema history entry".to_owned()))?;
        schema = Some(match entry {
            JournalEntry::Identity(_) => {
                history.push(entry);
                current
            }
            JournalEntry::Statement(executed) => {
                let text = executed.text.clone();
                journal::replay_statement(&current, executed, &mut history)
                    .map_err(|reason| unreadable(format!("cannot replay `{text}`: {reason}")))?
                    .apply_to(store)
            }
        });
        Ok(())
    })
    .map_err(Error::from)?;
    let schema =
        schema.unwrap_or_else(|| Schema::initial(SchemaVersion::default()).apply_to(&store));
    Ok((store, schema, history))
}
