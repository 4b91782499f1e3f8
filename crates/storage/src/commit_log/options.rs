//! [`LogOptions`]: when appends are acknowledged, and the size of segments.

use std::time::Duration;

/// When an append is acknowledged (Cassandra's `commitlog_sync`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncMode {
    /// At once; a sync follows within the period. Appends wait while a sync is overdue by more than
    /// half a period, so that the loss by a crash stays bounded on a slow disk.
    Periodic {
        /// Cassandra's `commitlog_sync_period`.
        period: Duration,
    },
    /// After the sync that runs once in a window.
    Group {
        /// Cassandra's `commitlog_sync_group_window`.
        window: Duration,
    },
    /// After a sync, which starts at once; appends that wait at the same time share it.
    Batch,
}

impl Default for SyncMode {
    fn default() -> Self {
        Self::Periodic { period: Duration::from_secs(10) }
    }
}

/// The options of a commit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// When an append is acknowledged.
    pub sync: SyncMode,
    /// The maximum size of a segment in bytes; a larger record gets its own segment.
    pub segment_size: u64,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self { sync: SyncMode::default(), segment_size: 32 << 20 }
    }
}
