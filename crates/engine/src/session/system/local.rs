//! `system.local`: the row of the node.

use super::builder::TableRows;
use super::bytes::{inet, int, list, map, text};
use crate::execute::Execution;

/// The version of Cassandra that is reproduced.
pub(crate) const RELEASE_VERSION: &str = "5.0.8";
/// The version of CQL.
pub(crate) const CQL_VERSION: &str = "3.4.7";
/// The partitioner's class.
pub(crate) const PARTITIONER: &str = "org.apache.cassandra.dht.Murmur3Partitioner";
/// The port for other nodes.
pub(crate) const STORAGE_PORT: i32 = 7000;
/// The only token of the node.
const NODE_TOKEN: &str = "0";

/// Adds the row.
pub(super) fn add_local(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    let node = execution.node;
    let identity = &node.identity;
    let address = || inet(identity.address);
    let started = i32::try_from(node.started_at.div_euclid(1_000_000)).unwrap_or(i32::MAX);
    rows.add([
        ("key", text("local")),
        ("bootstrapped", text("COMPLETED")),
        ("broadcast_address", address()),
        ("broadcast_port", int(STORAGE_PORT)),
        ("cluster_name", text(&identity.cluster_name)),
        ("cql_version", text(CQL_VERSION)),
        ("data_center", text("datacenter1")),
        ("gossip_generation", int(started)),
        ("host_id", identity.host_id.0.to_vec()),
        ("listen_address", address()),
        ("listen_port", int(STORAGE_PORT)),
        ("native_protocol_version", text("5")),
        ("partitioner", text(PARTITIONER)),
        ("rack", text("rack1")),
        ("release_version", text(RELEASE_VERSION)),
        ("rpc_address", address()),
        ("rpc_port", int(identity.port.into())),
        ("schema_version", execution.schema.version.0.to_vec()),
        ("tokens", list([NODE_TOKEN])),
    ]);
}

/// The owners of token ranges for DESCRIBE CLUSTER.
pub(crate) fn ring_owners(execution: &Execution<'_>) -> Vec<u8> {
    let address = execution.node.identity.address;
    map([(NODE_TOKEN, list([format!("/{address}:{STORAGE_PORT}")]))])
}
