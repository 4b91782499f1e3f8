//! What is known of a node.

use std::collections::{BTreeMap, BTreeSet};

use super::histogram::Percentiles;
use super::log_summary::LogSummary;
use super::sstable::SstableFacts;
use super::table::{RangeEstimates, TableMeasurements, TableName};

cql::named_enum! {
    /// The server software.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Product {
        Cassandra => "Apache Cassandra",
        Scylla => "ScyllaDB",
    }
}

cql::named_enum! {
    /// The state of a node as others see it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum NodeState {
        Normal => "normal",
        Joining => "joining",
        Leaving => "leaving",
        Moving => "moving",
        Down => "down",
        /// It did not answer CQL. Whether it is down, others may know.
        Silent => "no answer by CQL",
    }
}

/// A release of the server: `4.1.3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerVersion {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number; 0 if it is not given.
    pub patch: u32,
}

impl ServerVersion {
    /// The numbers that a text starts with: `4.1`, `5.0.8-SNAPSHOT`, `5.4.1-0.20231231`.
    pub fn parse(text: &str) -> Option<Self> {
        let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.');
        let mut numbers = text.get(..end.unwrap_or(text.len()))?.split('.');
        let major = numbers.next()?.parse().ok()?;
        let minor = numbers.next()?.parse().ok()?;
        let patch = numbers.next().and_then(|patch| patch.parse().ok()).unwrap_or(0);
        Some(Self { major, minor, patch })
    }
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The software.
    pub product: Option<Product>,
    /// Its release.
    pub version: Option<ServerVersion>,
    /// The id of the host.
    pub host_id: Option<String>,
    /// The address by which other nodes reach it.
    pub internode_address: Option<String>,
    /// Whether nothing was collected from the node itself: it is only known from what another node
    /// says about the ring.
    pub is_told_by_others: bool,
    /// The data center.
    pub datacenter: Option<String>,
    /// The rack.
    pub rack: Option<String>,
    /// Its state.
    pub state: Option<NodeState>,
    /// The id of the schema it has.
    pub schema_version: Option<String>,
    /// The share of the ring that it owns, 0 to 100.
    pub owns_percent: Option<f64>,
    /// Bytes on disk.
    pub load_bytes: Option<u64>,
    /// The tokens that it holds.
    pub tokens: Vec<i64>,
    /// The ids of the other hosts that it knows (`system.peers`).
    pub peers: BTreeSet<String>,
    /// Its connections to other nodes, by their addresses.
    pub links: BTreeMap<String, NodeLink>,
    /// Writes that it keeps for others that were down, by the name or address of these.
    pub pending_hints: BTreeMap<String, PendingHints>,
    /// When it started, in milliseconds since 1970.
    pub started_ms: Option<i64>,
    /// Seconds since it started.
    pub uptime_seconds: Option<u64>,
    /// Bytes of heap in use, and the most there may be.
    pub heap_used_bytes: Option<u64>,
    /// The size of the heap.
    pub heap_max_bytes: Option<u64>,
    /// Exceptions since it started.
    pub exceptions: Option<u64>,
    /// Settings by their name in cassandra.yaml, as text, from the file or from `system_views`.
    pub settings: BTreeMap<String, String>,
    /// Figures of tables.
    pub tables: BTreeMap<TableName, TableMeasurements>,
    /// Thread pools by name.
    pub thread_pools: BTreeMap<String, ThreadPool>,
    /// Dropped messages by verb.
    pub dropped: BTreeMap<String, DroppedMessages>,
    /// Compaction.
    pub compaction: CompactionState,
    /// Garbage collection.
    pub garbage_collection: Option<GarbageCollection>,
    /// Clients that are connected.
    pub clients: Option<ClientConnections>,
    /// Statements that were prepared since the node started, and that were not.
    pub prepared_executed: Option<u64>,
    /// Statements that were sent as text.
    pub regular_executed: Option<u64>,
    /// Partitions of a logged batch.
    pub partitions_per_logged_batch: Option<Percentiles>,
    /// Partitions of an unlogged batch.
    pub partitions_per_unlogged_batch: Option<Percentiles>,
    /// The events of its logs.
    pub log: LogSummary,
    /// Its `SSTables`, of the tables that someone looked at.
    pub sstables: BTreeMap<TableName, Vec<SstableFacts>>,
    /// The last successful repair of a table, in milliseconds since 1970.
    pub repaired_at_ms: BTreeMap<TableName, i64>,
}

impl Node {
    /// The estimates of the token ranges that it is the first copy of.
    pub fn ranges(&self, table: &TableName) -> Option<&RangeEstimates> {
        self.tables.get(table)?.ranges.as_ref()
    }
}

/// The connections of a node to another (`system_views.internode_outbound`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeLink {
    /// Those that are open.
    pub active: u64,
    /// Messages that were too old to be sent.
    pub expired: u64,
    /// Messages that were not sent because the queue was full.
    pub overloaded: u64,
}

/// The writes that a node keeps for another (`system_views.pending_hints`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingHints {
    /// Files with hints.
    pub files: u64,
    /// The oldest of them, in milliseconds since 1970.
    pub oldest_ms: Option<i64>,
    /// Whether the node that keeps them sees the other as up, if it tells.
    pub is_up: Option<bool>,
}

/// A thread pool (`nodetool tpstats`, `system_views.thread_pools`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadPool {
    /// Tasks that run.
    pub active: Option<u64>,
    /// Tasks that wait.
    pub pending: Option<u64>,
    /// Tasks that were completed.
    pub completed: Option<u64>,
    /// Tasks that wait because the queue is full.
    pub blocked: Option<u64>,
    /// Tasks that ever waited so.
    pub all_time_blocked: Option<u64>,
}

/// Messages that a node gave up on because they were too old.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DroppedMessages {
    /// How many.
    pub count: u64,
    /// The 99th percentile of their time in the queue, in milliseconds.
    pub p99_ms: Option<f64>,
}

/// The state of compaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompactionState {
    /// Compactions that wait, on the whole node.
    pub pending: Option<u64>,
    /// Compactions that wait, by table.
    pub pending_by_table: BTreeMap<TableName, u64>,
    /// Compactions that run.
    pub active: Option<u64>,
    /// Compactions that were completed since the node started.
    pub completed: Option<u64>,
    /// Compactions that may run at once.
    pub concurrent: Option<u64>,
    /// Compactions of the past, by table (`nodetool compactionhistory`).
    pub history: BTreeMap<TableName, CompactionHistory>,
    /// The limit in MB a second; 0 is none.
    pub throughput_mb: Option<f64>,
}

/// The compactions of a table that the node remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactionHistory {
    /// How many there were.
    pub compactions: u64,
    /// Bytes that were read.
    pub bytes_in: u64,
    /// Bytes that were written.
    pub bytes_out: u64,
    /// The last one, in milliseconds since 1970.
    pub last_ms: Option<i64>,
}

/// Garbage collection over some time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GarbageCollection {
    /// Pauses.
    pub pauses: u64,
    /// The longest, in milliseconds.
    pub max_ms: f64,
    /// All of them together.
    pub total_ms: f64,
    /// The time that the figures cover.
    pub interval_ms: Option<f64>,
}

/// The clients of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientConnections {
    /// Connections.
    pub connections: u64,
    /// Connections without TLS.
    pub unencrypted: Option<u64>,
    /// Names and versions of drivers with their connections.
    pub drivers: BTreeMap<String, u64>,
}
