//! [`Database`]: opened once, and used by any number of sessions at the same time.

use std::fmt;
use std::sync::Arc;

use cql::{HostId, SchemaVersion};
use storage::clock::{Clock, SystemClock};
use storage::{DataDirectory, Store};

use crate::error::{Error, Result};
use crate::node::Node;
use crate::node::entropy::{Entropy, SeededEntropy};
use crate::node::identity::NodeIdentity;
use crate::node::ids::random_id;
use crate::node::journal::{self, JournalEntry};
use crate::node::log_thread::LogThread;
use crate::node::schema::Schema;
use crate::node::settings::Settings;
use crate::session::Session;
use crate::session::auth;
use crate::session::auth::roles::RoleCache;

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
        let Options { clock, entropy, settings, mut identity, directory } = options;
        let (store, schema, mut history) = match &directory {
            None => {
                let store = Store::new_in_memory();
                let schema = Schema::initial(SchemaVersion(identity.host_id.0)).apply_to(&store);
                (store, schema, Vec::new())
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
            history.push(entry);
        }
        let node = Node::new(clock, entropy, settings, identity, store, (schema, history));
        let node = Arc::new(node);
        let roles = Arc::new(RoleCache::default());
        auth::set_up_default_role(&node, &roles)?;
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

    /// The version of the schema, which differs after every change.
    pub fn schema_version(&self) -> SchemaVersion {
        self.node.schema().version
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
) -> Result<(Store, Schema, Vec<JournalEntry>)> {
    let mut schema: Option<Schema> = None;
    let mut history = Vec::new();
    let store = Store::open(directory, Arc::clone(clock), &mut |store, bytes| {
        let current = match schema.take() {
            Some(schema) => schema,
            None => Schema::initial(SchemaVersion::default()).apply_to(store),
        };
        let unreadable = |what: String| storage::Error::Unreadable { what };
        let entry = JournalEntry::decode(bytes)
            .ok_or_else(|| unreadable("invalid schema history entry".to_owned()))?;
        schema = Some(match &entry {
            JournalEntry::Identity(_) => current,
            JournalEntry::Statement(executed) => {
                journal::replay_statement(&current, executed, &mut history)
                    .map_err(|reason| {
                        unreadable(format!("cannot replay `{}`: {reason}", executed.text))
                    })?
                    .apply_to(store)
            }
        });
        if !matches!(&entry, JournalEntry::Statement(executed) if executed.is_drop()) {
            history.push(entry);
        }
        Ok(())
    })
    .map_err(Error::from)?;
    let schema =
        schema.unwrap_or_else(|| Schema::initial(SchemaVersion::default()).apply_to(&store));
    Ok((store, schema, history))
}
