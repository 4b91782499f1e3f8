//! The schema that is current, and the lock that keeps it so while rows are written.
//!
//! A write holds a [`SchemaGuard`] from the moment it decides which views and indexes hear of it until it is stored: a
//! schema statement comes before or after it, never in between. A thread must not take the guard twice: a schema
//! statement that waits in between blocks the second attempt, which blocks the first, and the node stands still. So what
//! runs under the guard is handed the guard, which gives it all it needs of the node, and never the node itself.

use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use storage::clock::Clock;
use storage::{Mutation, Store};

use super::Node;
use super::schema::Schema;
use super::settings::Settings;
use crate::error::Result;

/// The current schema.
pub(crate) struct SchemaLock {
    /// Read while rows are written, written by schema statements.
    held: RwLock<Arc<Schema>>,
    /// The same schema, locked for the moment of a copy only: a snapshot never waits for those who hold the guard.
    newest: RwLock<Arc<Schema>>,
}

impl SchemaLock {
    pub(crate) fn new(schema: Schema) -> Self {
        let schema = Arc::new(schema);
        Self { held: RwLock::new(Arc::clone(&schema)), newest: RwLock::new(schema) }
    }

    /// The schema as it is now; it may be another a moment later.
    pub(crate) fn snapshot(&self) -> Arc<Schema> {
        Arc::clone(&self.newest.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes this schema the current one, once nobody holds the other.
    pub(crate) fn replace(&self, schema: Schema) {
        let schema = Arc::new(schema);
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        *held = Arc::clone(&schema);
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = schema;
    }
}

/// The schema, which stays current as long as this is held.
pub(crate) struct SchemaGuard<'a> {
    node: &'a Node,
    schema: RwLockReadGuard<'a, Arc<Schema>>,
    #[cfg(debug_assertions)]
    _only: reentrancy::ReentrancyCheck,
}

impl<'a> SchemaGuard<'a> {
    /// Waits for a schema statement that is being carried out, and holds off the next.
    pub(crate) fn acquire(node: &'a Node) -> Self {
        #[cfg(debug_assertions)]
        let only = reentrancy::ReentrancyCheck::take();
        let schema = node.schema_lock().held.read().unwrap_or_else(PoisonError::into_inner);
        Self {
            node,
            schema,
            #[cfg(debug_assertions)]
            _only: only,
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.node.settings
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.node.clock
    }

    /// A timestamp for a write: microseconds since 1970, never the same twice and never going back.
    pub(crate) fn unique_micros(&self) -> i64 {
        self.node.unique_micros()
    }

    /// Writes to the log and to the tables.
    pub(crate) fn apply(&self, mutations: &[Mutation]) -> Result<()> {
        Ok(self.store().apply(mutations)?)
    }

    /// Notes that one of the tables of roles and permissions was written.
    pub(crate) fn note_role_write(&self) {
        self.node.note_role_write();
    }

    fn store(&self) -> &Store {
        &self.node.store
    }
}

impl Deref for SchemaGuard<'_> {
    type Target = Schema;

    fn deref(&self) -> &Schema {
        &self.schema
    }
}

/// Where debug assertions are on, a thread that takes a second guard is stopped at once, and not only when a schema
/// statement happens to wait.
#[cfg(debug_assertions)]
mod reentrancy {
    use std::cell::Cell;

    thread_local! {
        static IS_HELD: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) struct ReentrancyCheck;

    impl ReentrancyCheck {
        pub(super) fn take() -> Self {
            let was_held = IS_HELD.replace(true);
            assert!(!was_held, "this thread holds the schema already: pass its guard on");
            Self
        }
    }

    impl Drop for ReentrancyCheck {
        fn drop(&mut self) {
            IS_HELD.set(false);
        }
    }
}
