//! [`MemoryBudget`]: the limit of the memory that tables, their indexes and the schema occupy.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;
use crate::memory;
use crate::partition::Partition;
use crate::row::Row;
use crate::update::{Mutation, PartitionUpdate};

/// The limit, and an upper bound of what is used.
///
/// Adding up all tables for each write would be slow. So every write adds its size to the bound,
/// although it may replace rows, and the tables are added up only when the bound reaches the limit.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    /// [`u64::MAX`] without a limit.
    limit: AtomicU64,
    /// The limit of deletions, which reduce data, but occupy memory until they expire.
    deletion_limit: AtomicU64,
    used_at_most: AtomicU64,
}

impl Default for MemoryBudget {
    fn default() -> Self {
        Self {
            limit: AtomicU64::new(u64::MAX),
            deletion_limit: AtomicU64::new(u64::MAX),
            used_at_most: AtomicU64::new(0),
        }
    }
}

impl MemoryBudget {
    pub(crate) fn set_limit(&self, limit: u64, used: u64) {
        self.used_at_most.store(used, Ordering::Relaxed);
        // The data of an earlier start may exceed the limit.
        let most = limit.max(used);
        self.deletion_limit.store(most.saturating_add(most / 8), Ordering::Relaxed);
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// What is left of the limit, if that much is used.
    pub(crate) fn free(&self, used: impl FnOnce() -> u64) -> u64 {
        match self.limit.load(Ordering::Relaxed) {
            u64::MAX => u64::MAX,
            limit => limit.saturating_sub(used()),
        }
    }

    /// Adds memory that no write was admitted for.
    pub(crate) fn note_growth(&self, bytes: u64) {
        self.used_at_most.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Admits mutations or refuses them: those that add data, when it would exceed the limit.
    /// Deletions are admitted up to an eighth beyond it. `used` adds up all that counts.
    pub(crate) fn admit(
        &self,
        mutations: &[Mutation],
        used: impl FnOnce() -> u64,
    ) -> Result<(), Error> {
        if self.limit.load(Ordering::Relaxed) == u64::MAX {
            return Ok(());
        }
        let size = mutations.iter().map(|mutation| update_bytes(&mutation.update)).sum();
        let adds_data = || mutations.iter().any(|mutation| mutation.update.has_content());
        self.admit_bytes(size, adds_data, used)
    }

    /// Admits so many bytes or refuses them; see [`Self::admit`].
    pub(crate) fn admit_bytes(
        &self,
        size: u64,
        adds_data: impl FnOnce() -> bool,
        used: impl FnOnce() -> u64,
    ) -> Result<(), Error> {
        let limit = self.limit.load(Ordering::Relaxed);
        let before = self.used_at_most.fetch_add(size, Ordering::Relaxed);
        if before.saturating_add(size) <= limit {
            return Ok(());
        }
        let used = used();
        self.used_at_most.store(used.saturating_add(size), Ordering::Relaxed);
        let bound = if adds_data() { limit } else { self.deletion_limit.load(Ordering::Relaxed) };
        if used.saturating_add(size) <= bound {
            return Ok(());
        }
        self.used_at_most.store(used, Ordering::Relaxed);
        Err(Error::OutOfMemory { used, limit })
    }
}

/// The memory that an update needs at most in a table, in bytes.
fn update_bytes(update: &PartitionUpdate) -> u64 {
    let row = |row: &Row| memory::arc_bytes(row.as_bytes().len()) + memory::entry_bytes::<Row>(32);
    let rows: isize = update.rows.iter().chain(&update.statics).map(row).sum();
    let key = memory::entry_bytes::<Partition>(update.key.as_bytes().len());
    (rows + key).unsigned_abs() as u64
}
