//! Settings of a node, under the names and with the defaults of Cassandra 5.0.

/// The settings that change what statements answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `tombstone_warn_threshold`
    pub tombstone_warn_threshold: u64,
    /// `tombstone_failure_threshold`
    pub tombstone_failure_threshold: u64,
    /// `batch_size_warn_threshold`, in bytes
    pub batch_size_warn_threshold: u64,
    /// `batch_size_fail_threshold`, in bytes
    pub batch_size_fail_threshold: u64,
    /// `unlogged_batch_across_partitions_warn_threshold`
    pub unlogged_batch_across_partitions_warn_threshold: u64,
    /// Whether clients must authenticate and are held to their permissions.
    pub authentication: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tombstone_warn_threshold: 1000,
            tombstone_failure_threshold: 100_000,
            batch_size_warn_threshold: 5 * 1024,
            batch_size_fail_threshold: 50 * 1024,
            unlogged_batch_across_partitions_warn_threshold: 10,
            authentication: false,
        }
    }
}
