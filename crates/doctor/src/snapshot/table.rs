//! What a node measured of a table.

use super::histogram::{Percentiles, RequestLatency};

/// The keyspaces of the server itself.
const SYSTEM_KEYSPACES: [&str; 8] = [
    "system",
    "system_auth",
    "system_distributed",
    "system_distributed_everywhere",
    "system_schema",
    "system_traces",
    "system_views",
    "system_virtual_schema",
];

/// A table by its full name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    /// The keyspace.
    pub keyspace: Box<str>,
    /// The table, view or index table.
    pub table: Box<str>,
}

impl TableName {
    /// The name of a table.
    pub fn new(keyspace: &str, table: &str) -> Self {
        Self { keyspace: keyspace.into(), table: table.into() }
    }

    /// Whether the table belongs to the server itself.
    pub fn is_system(&self) -> bool {
        SYSTEM_KEYSPACES.contains(&&*self.keyspace)
    }
}

impl std::fmt::Display for TableName {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "{}.{}",
            cql::printer::identifier(&self.keyspace),
            cql::printer::identifier(&self.table)
        )
    }
}

/// A partition that stands out, by size or by tombstones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargestPartition {
    /// Its key, as the source writes it. It is user data: output shows it hashed unless asked.
    pub key: String,
    /// Its size or its number of tombstones.
    pub value: u64,
}

/// What a node estimates of a table in the token ranges that it is the first copy of: each partition
/// of the cluster is counted once (`system.table_estimates`, `system.size_estimates`). The server
/// counts in steps of 128, from 1 to 256 where there are few.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeEstimates {
    /// The ranges.
    pub ranges: u64,
    /// Those without a partition.
    pub empty: u64,
    /// Partitions.
    pub partitions: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Whether the ranges are those of the node's data center, which together hold every partition;
    /// else those of all data centers do.
    pub is_local: bool,
}

/// What one node measured of one table. Everything that the sources do not tell is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableMeasurements {
    /// Reads since the node started.
    pub reads: Option<u64>,
    /// Writes since the node started.
    pub writes: Option<u64>,
    /// Latencies of local reads.
    pub read_latency: Option<RequestLatency>,
    /// Latencies of local writes.
    pub write_latency: Option<RequestLatency>,
    /// Latencies of local range reads.
    pub scan_latency: Option<RequestLatency>,
    /// Latencies of reads that this node coordinated.
    pub coordinator_read_latency: Option<RequestLatency>,
    /// Latencies of range reads that this node coordinated.
    pub coordinator_scan_latency: Option<RequestLatency>,
    /// Latencies of writes that this node coordinated.
    pub coordinator_write_latency: Option<RequestLatency>,
    /// Bytes of a partition within one `SSTable`: bounds of histogram buckets, about 20 % apart.
    pub partition_bytes: Option<Percentiles>,
    /// Cells of a partition within one `SSTable`.
    pub partition_cells: Option<Percentiles>,
    /// `SSTables` that a read touched.
    pub sstables_per_read: Option<Percentiles>,
    /// Tombstones that a read met.
    pub tombstones_per_read: Option<Percentiles>,
    /// Live rows or cells that a read met.
    pub live_per_read: Option<Percentiles>,
    /// The number of `SSTables`.
    pub sstable_count: Option<u64>,
    /// `SSTables` in each level of the leveled strategy, from level 0.
    pub sstables_by_level: Option<Vec<u64>>,
    /// Bytes of live `SSTables` on disk.
    pub live_bytes: Option<u64>,
    /// Bytes of all `SSTables` on disk, with obsolete ones.
    pub total_bytes: Option<u64>,
    /// Bytes of snapshots.
    pub snapshot_bytes: Option<u64>,
    /// The estimated number of partitions, with those that the node is not the first copy of.
    pub partitions: Option<u64>,
    /// The estimates of the token ranges that the node is the first copy of.
    pub ranges: Option<RangeEstimates>,
    /// The mean size of a partition, estimated over its token ranges.
    pub mean_partition_bytes: Option<u64>,
    /// Compressed size divided by uncompressed size.
    pub compression_ratio: Option<f64>,
    /// The share of tombstones that could be dropped, 0 to 1.
    pub droppable_tombstone_ratio: Option<f64>,
    /// The share of data that was repaired, 0 to 100.
    pub percent_repaired: Option<f64>,
    /// Compactions that wait.
    pub pending_compactions: Option<u64>,
    /// Writes that were dropped.
    pub dropped_mutations: Option<u64>,
    /// The share of Bloom filter answers that were wrong, 0 to 1.
    pub bloom_filter_false_ratio: Option<f64>,
    /// The largest partitions with their bytes.
    pub largest_partitions: Vec<LargestPartition>,
    /// The partitions with most tombstones.
    pub most_tombstones: Vec<LargestPartition>,
    /// The partitions that were read or written most while someone sampled them.
    pub hottest_partitions: Vec<LargestPartition>,
}

impl TableMeasurements {
    /// The largest partition that any source knows of, in bytes.
    pub fn largest_partition_bytes(&self) -> Option<u64> {
        let listed = self.largest_partitions.iter().map(|partition| partition.value).max();
        let measured = self.partition_bytes.as_ref().and_then(|bytes| bytes.max).map(to_whole);
        listed.max(measured)
    }
}

/// A histogram's figure as a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates, and a size is not negative"
)]
fn to_whole(value: f64) -> u64 {
    value as u64
}
