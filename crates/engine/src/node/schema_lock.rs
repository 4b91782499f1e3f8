//! The current schema, and the lock that keeps it current while rows are written.
//!
//! A write holds a [`SchemaGuard`] from the decision which views and indexes it updates until it is
//! stored, so that a schema statement comes before or after it, never in between. A thread must not
//! take the guard twice: if a schema statement waits for the write lock in between, the second read
//! lock waits for it and the node deadlocks. Code under the guard therefore gets the guard, which
//! gives access to all it needs of the node, and never the node itself.

use std::convert::Infallible;
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
    /// Read-locked while rows are written, write-locked by schema statements.
    held: RwLock<Arc<Schema>>,
    /// The same schema, locked only to copy the pointer: a snapshot never waits for a guard.
    newest: RwLock<Arc<Schema>>,
}

impl SchemaLock {
    pub(crate) fn new(schema: Schema) -> Self {
        let schema = Arc::new(schema);
        Self { held: RwLock::new(Arc::clone(&schema)), newest: RwLock::new(schema) }
    }

    /// A snapshot, which may be outdated at once.
    pub(crate) fn snapshot(&self) -> Arc<Schema> {
        Arc::clone(&self.newest.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the current schema, after all guards were released.
    pub(crate) fn replace(&self, schema: Schema) {
        let Ok(()) = self.replace_exclusively(|| Ok::<_, Infallible>(schema));
    }

    /// Makes a schema while there are no guards, that is, while nothing is written, and replaces
    /// the current one by it.
    pub(crate) fn replace_exclusively<E>(
        &self,
        make: impl FnOnce() -> std::result::Result<Schema, E>,
    ) -> std::result::Result<(), E> {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        let schema = Arc::new(make()?);
        *held = Arc::clone(&schema);
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = schema;
        Ok(())
    }

    /// Calls `read` while there are no guards, that is, while nothing is written.
    pub(crate) fn exclude_guards<T>(&self, read: impl FnOnce(&Arc<Schema>) -> T) -> T {
        read(&self.held.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The schema, which stays current while this guard is held.
pub(crate) struct SchemaGuard<'a> {
    node: &'a Node,
    schema: RwLockReadGuard<'a, Arc<Schema>>,
    #[cfg(debug_assertions)]
    _only: reentrancy::ReentrancyCheck,
}

impl<'a> SchemaGuard<'a> {
    /// Waits for a running schema statement and blocks the next.
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

    /// A timestamp for a write, in microseconds since 1970; strictly increasing.
    pub(crate) fn unique_micros(&self) -> i64 {
        self.node.unique_micros()
    }

    /// Admits the growth of indexes by a write, or refuses it when the limit of the memory is reached.
    pub(crate) fn admit_growth(&self, bytes: u64) -> Result<()> {
        Ok(self.store().admit_growth(bytes, false)?)
    }

    /// Writes mutations to the log and the tables.
    pub(crate) fn apply(&self, mutations: &[Mutation]) -> Result<()> {
        Ok(self.store().apply(mutations)?)
    }

    /// Counts a write to the tables of roles and permissions.
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

/// In debug builds a thread that takes a second guard panics at once, not only when a schema
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
            assert!(!was_held, "this thread already holds a SchemaGuard; pass it on");
            Self
        }
    }

    impl Drop for ReentrancyCheck {
        fn drop(&mut self) {
            IS_HELD.set(false);
        }
    }
}
