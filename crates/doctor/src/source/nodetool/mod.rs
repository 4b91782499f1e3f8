//! Output of `nodetool`, of Cassandra and of `ScyllaDB`.

pub(super) mod client_stats;
pub(super) mod cluster_description;
pub(super) mod compaction_history;
pub(super) mod compaction_stats;
pub(super) mod gc_stats;
pub(super) mod info;
pub(super) mod net_stats;
pub(super) mod ring_state;
pub(super) mod table_histograms;
pub(super) mod table_stats;
pub(super) mod thread_pool_stats;
pub(super) mod throughput;
pub(super) mod top_partitions;

mod address;

pub(super) use address::merge_addresses;
