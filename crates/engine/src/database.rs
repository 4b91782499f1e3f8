//! A database: opened once, used by any number of sessions at once.

use std::fmt;
use std::sync::{Arc, PoisonError};

use storage::clock::{Clock, SystemClock};
use storage::{Home, Store};

use crate::auth;
use crate::entropy::{Entropy, Seeded};
use crate::error::{Error, Result};
use crate::journal::{self, Entry};
use crate::keeper::Keeper;
use crate::node::{Identity, Node};
use crate::schema::Schema;
use crate::session::Session;
use crate::settings::Settings;

/// What a database is opened with.
pub struct Options {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Settings.
    pub settings: Settings,
    /// What the node says of itself.
    pub identity: Identity,
    /// Where its data is kept; in memory only without it.
    pub home: Option<Home>,
}

impl Default for Options {
    /// In memory, with the machine's time, and ids that differ from start to start.
    fn default() -> Self {
        let now = SystemClock.now_micros();
        let seed = now.cast_unsigned() ^ u64::from(std::process::id()).rotate_left(40);
        Self {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(Seeded::new(seed)),
            settings: Settings::default(),
            identity: Identity::default(),
            home: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A database of one node. Clones are the same database; it is closed with the last of them and of its sessions.
#[derive(Clone)]
pub struct Database {
    node: Arc<Node>,
    _keeper: Option<Arc<Keeper>>,
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
    /// Opens a database, or makes a new one.
    pub fn open(options: Options) -> Result<Self> {
        let Options { clock, entropy, settings, mut identity, home } = options;
        let (store, schema, mut history) = match &home {
            None => {
                let store = Store::in_memory();
                let schema = Schema::initial(&store, identity.host_id);
                (store, schema, Vec::new())
            }
            Some(home) => replay(home, &clock)?,
        };
        let known = history.iter().find_map(|entry| match entry {
            Entry::Identity(id) => Some(*id),
            Entry::Statement(_) => None,
        });
        if let Some(id) = known {
            identity.host_id = id;
        } else {
            identity.host_id = random_id(&*entropy);
            let entry = Entry::Identity(identity.host_id);
            store.record_schema(&entry.encode())?;
            history.push(entry);
        }
        let node = Node::new(clock, entropy, settings, identity, store, (schema, history));
        let node = Arc::new(node);
        auth::set_up(&node)?;
        let keeper = home.is_some().then(|| Arc::new(Keeper::start(&node)));
        Ok(Self { node, _keeper: keeper })
    }

    /// A new database in memory.
    pub fn in_memory(options: Options) -> Result<Self> {
        Self::open(Options { home: None, ..options })
    }

    /// A session: a client's keyspace and role.
    pub fn session(&self) -> Session {
        Session::new(Arc::clone(&self.node))
    }

    /// The version of the schema; it changes with every change.
    pub fn schema_version(&self) -> [u8; 16] {
        self.node.schema().version
    }

    /// Waits until everything written so far is on the disk.
    pub fn sync(&self) -> Result<()> {
        Ok(self.node.store.sync()?)
    }

    /// Writes a checkpoint: the next start reads it instead of the log before it.
    pub fn checkpoint(&self) -> Result<()> {
        checkpoint(&self.node)
    }
}

/// Writes a checkpoint; the schema stands still meanwhile.
pub(crate) fn checkpoint(node: &Node) -> Result<()> {
    let _no_changes = node.schema_changes.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(node.store.checkpoint(&node.history())?)
}

/// Brings back what a folder holds.
fn replay(home: &Home, clock: &Arc<dyn Clock>) -> Result<(Store, Schema, Vec<Entry>)> {
    let mut schema: Option<Schema> = None;
    let mut history = Vec::new();
    let store = Store::open(home, Arc::clone(clock), &mut |store, bytes| {
        let current = match schema.take() {
            Some(schema) => schema,
            None => Schema::initial(store, [0; 16]),
        };
        let unreadable = |what: String| storage::Error::Unreadable { what };
        let entry = Entry::decode(bytes)
            .ok_or_else(|| unreadable("a broken entry of the schema's history".to_owned()))?;
        schema = Some(match &entry {
            Entry::Identity(_) => current,
            Entry::Statement(one) => journal::run_again(&current, store, one, &mut history)
                .map_err(|reason| {
                    unreadable(format!("`{}` cannot be run again: {reason}", one.text))
                })?,
        });
        if !matches!(&entry, Entry::Statement(one) if one.is_drop()) {
            history.push(entry);
        }
        Ok(())
    })
    .map_err(Error::from)?;
    let schema = schema.unwrap_or_else(|| Schema::initial(&store, [0; 16]));
    Ok((store, schema, history))
}

/// A random id, version 4.
pub(crate) fn random_id(entropy: &dyn Entropy) -> [u8; 16] {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&entropy.next().to_be_bytes());
    id[8..].copy_from_slice(&entropy.next().to_be_bytes());
    id[6] = 0x40 | (id[6] & 0x0f);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}
