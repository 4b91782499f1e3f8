//! [`NodeIdentity`]: the identity of the node in system tables.

use cql::HostId;

/// The identity of the node in system tables.
#[derive(Clone, Debug)]
pub struct NodeIdentity {
    /// The name of the cluster.
    pub cluster_name: Box<str>,
    /// The host id of the node.
    pub host_id: HostId,
    /// The address for clients.
    pub address: std::net::IpAddr,
    /// The port for clients.
    pub port: u16,
}

impl Default for NodeIdentity {
    fn default() -> Self {
        Self {
            cluster_name: "Test Cluster".into(),
            host_id: HostId::default(),
            address: std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
            port: 9042,
        }
    }
}
