//! What `sstablemetadata` and `sstablepartitions` tell about a file.

use super::table::LargestPartition;

/// One `SSTable`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SstableFacts {
    /// The path as printed.
    pub path: String,
    /// The oldest timestamp of a write, in microseconds since 1970.
    pub min_timestamp_us: Option<i64>,
    /// The newest timestamp of a write.
    pub max_timestamp_us: Option<i64>,
    /// The shortest time to live of its cells, in seconds.
    pub min_ttl: Option<u64>,
    /// The longest time to live of its cells.
    pub max_ttl: Option<u64>,
    /// The estimated share of tombstones that could be dropped, 0 to 1.
    pub droppable_tombstone_ratio: Option<f64>,
    /// When it was repaired, in milliseconds since 1970; 0 is never.
    pub repaired_at_ms: Option<i64>,
    /// The level of the leveled strategy.
    pub level: Option<u64>,
    /// Rows.
    pub rows: Option<u64>,
    /// Cells.
    pub cells: Option<u64>,
    /// Partitions.
    pub partitions: Option<u64>,
    /// The partitions that the tool lists, by size.
    pub largest_partitions: Vec<LargestPartition>,
}
