//! What the node says of itself.

use cql::HostId;

/// What the node says of itself.
#[derive(Clone, Debug)]
pub struct NodeIdentity {
    /// The name of the cluster.
    pub cluster_name: Box<str>,
    /// The node's own id.
    pub host_id: HostId,
    /// Where clients reach it.
    pub address: std::net::IpAddr,
    /// The port.
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
