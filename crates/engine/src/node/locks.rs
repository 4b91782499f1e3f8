//! [`PartitionLocks`]: locks for partitions that are read before they are written, by conditions,
//! counters, views and operations on lists by index.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cql::TableId;
use storage::DecoratedKey;

/// The number of locks. Two partitions that share one only wait for each other needlessly.
const STRIPES: usize = 256;

/// Striped locks: a partition is hashed to one of a fixed number of mutexes.
#[derive(Debug)]
pub(crate) struct PartitionLocks(Box<[Mutex<()>]>);

impl Default for PartitionLocks {
    fn default() -> Self {
        Self((0..STRIPES).map(|_| Mutex::new(())).collect())
    }
}

impl PartitionLocks {
    /// Locks these partitions until the guards are dropped. A thread locks all that it needs at
    /// once: they are taken in a fixed order, which excludes deadlocks, and a stripe only once.
    pub(crate) fn lock<'a>(
        &self,
        partitions: impl IntoIterator<Item = (&'a TableId, &'a DecoratedKey)>,
    ) -> Vec<MutexGuard<'_, ()>> {
        let mut stripes: Vec<usize> = partitions.into_iter().map(stripe).collect();
        stripes.sort_unstable();
        stripes.dedup();
        let locks = stripes.into_iter().filter_map(|stripe| self.0.get(stripe));
        locks.map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

fn stripe((table, key): (&TableId, &DecoratedKey)) -> usize {
    let mut hasher = DefaultHasher::new();
    (table, key.as_bytes()).hash(&mut hasher);
    usize::try_from(hasher.finish() % STRIPES as u64).unwrap_or(0)
}
