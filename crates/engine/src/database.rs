//! A database: opened once, used by any number of sessions at once.

use std::fmt;
use std::sync::Arc;

use storage::Store;
use storage::clock::{Clock, SystemClock};

use crate::entropy::{Entropy, Seeded};
use crate::error::Result;
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
}

impl Default for Options {
    /// The machine's time, and ids that differ from start to start.
    fn default() -> Self {
        let now = SystemClock.now_micros();
        let seed = now.cast_unsigned() ^ u64::from(std::process::id()).rotate_left(40);
        Self {
            clock: Arc::new(SystemClock),
            entropy: Arc::new(Seeded::new(seed)),
            settings: Settings::default(),
            identity: Identity::default(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A database of one node.
#[derive(Clone)]
pub struct Database {
    node: Arc<Node>,
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
    /// A database that lives in memory.
    pub fn in_memory(options: Options) -> Result<Self> {
        let store = Store::in_memory();
        let Options { clock, entropy, settings, mut identity } = options;
        let schema = Schema::initial(&store, [0; 16]);
        if identity.host_id == [0; 16] {
            identity.host_id = [1; 16];
        }
        let node = Node::new(clock, entropy, settings, identity, store, schema);
        Ok(Self { node: Arc::new(node) })
    }

    /// A session: a client's keyspace and role.
    pub fn session(&self) -> Session {
        Session::new(Arc::clone(&self.node))
    }

    /// The version of the schema; it changes with every change.
    pub fn schema_version(&self) -> [u8; 16] {
        self.node.schema().version
    }
}
