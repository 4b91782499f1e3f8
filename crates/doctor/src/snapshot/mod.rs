//! What is known of a cluster, from any mix of sources.
//!
//! Figures stand at the node that measured them: the same table differs from node to node, and that
//! difference is itself a finding.

mod event;
mod histogram;
mod log_summary;
mod merge;
mod node;
mod sstable;
mod statement;
mod table;

use std::collections::BTreeMap;

use schema::catalog::Catalog;

pub use event::{EventDetails, EventKind, EventSummary, LogEvent};
pub use histogram::{Percentiles, RequestLatency};
pub use log_summary::LogSummary;
pub use node::{
    ClientConnections, CompactionHistory, CompactionState, DroppedMessages, GarbageCollection,
    Node, NodeLink, NodeState, PendingHints, Product, ServerVersion, ThreadPool,
};
pub use sstable::SstableFacts;
pub use statement::{ObservedStatement, StatementOrigin, StatementShape};
pub use table::{LargestPartition, RangeEstimates, TableMeasurements, TableName};

/// Everything that was collected from a cluster.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The name of the cluster.
    pub cluster_name: Option<String>,
    /// When the figures were collected, in milliseconds since 1970.
    pub collected_at_ms: Option<i64>,
    /// The nodes, by address or, in a folder, by the name of the node's directory. A folder from one
    /// node without a name has the node `""`.
    pub nodes: BTreeMap<String, Node>,
    /// The schema, if it was collected.
    pub schema: Option<Catalog>,
    /// The statements that were seen, by shape.
    pub statements: BTreeMap<StatementShape, ObservedStatement>,
    /// What was read, in order, with what could not be understood.
    pub sources: Vec<SourceRecord>,
}

/// A file or system table that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRecord {
    /// Its path in the folder, or the name of the table.
    pub name: String,
    /// The node that it belongs to.
    pub node: String,
    /// What it was taken for; `None` if it was not recognised and therefore not read.
    pub kind: Option<&'static str>,
    /// Why it, or a part of it, could not be read.
    pub problem: Option<String>,
}

impl Snapshot {
    /// The figures of a table on every node that has some, with the name of the node.
    pub fn measurements<'a>(
        &'a self,
        table: &'a TableName,
    ) -> impl Iterator<Item = (&'a str, &'a TableMeasurements)> {
        self.nodes
            .iter()
            .filter_map(move |(name, node)| Some((name.as_str(), node.tables.get(table)?)))
    }

    /// All tables that some node has figures of, without those of the server itself.
    pub fn list_measured_tables(&self) -> Vec<&TableName> {
        let mut names: Vec<&TableName> =
            self.nodes.values().flat_map(|node| node.tables.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !name.is_system());
        names
    }

    /// The distinct partitions of a table, as nodes estimate those of their token ranges: in the data
    /// center where most were counted, with as many for a node that did not answer as for the others.
    /// `None` if nothing is estimated, or no partitions: estimates are made before the first is on disk.
    pub fn estimate_partitions(&self, table: &TableName) -> Option<u64> {
        let mut centers: BTreeMap<Option<&str>, (u64, u64)> = BTreeMap::new();
        for (node, ranges) in
            self.nodes.values().filter_map(|node| Some((node, node.ranges(table)?)))
        {
            let center = node.datacenter.as_deref().filter(|_| ranges.is_local);
            let (partitions, nodes) = centers.entry(center).or_default();
            (*partitions, *nodes) = (partitions.saturating_add(ranges.partitions), *nodes + 1);
        }
        let estimates = centers.into_iter().map(|(center, (partitions, measured))| {
            let is_member = |node: &&Node| center.is_none() || node.datacenter.as_deref() == center;
            let nodes = self.nodes.values().filter(is_member).count() as u64;
            partitions.saturating_mul(nodes.max(measured)) / measured
        });
        estimates.max().filter(|count| *count > 0)
    }

    /// Adds an occurrence of a statement.
    pub fn observe(&mut self, shape: StatementShape, statement: ObservedStatement) {
        match self.statements.get_mut(&shape) {
            Some(known) => known.merge(statement),
            None => {
                self.statements.insert(shape, statement);
            }
        }
    }
}
