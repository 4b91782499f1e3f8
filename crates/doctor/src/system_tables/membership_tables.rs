//! What nodes know of one another: peers, connections between them, writes kept for those that were
//! down.

use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::Snapshot;
use crate::snapshot::{Node, NodeLink, PendingHints, ServerVersion};

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system.peers_v2",
        cql: "SELECT * FROM system.peers_v2 LIMIT 2000",
        is_per_node: true,
        read: RowReader::Cluster(read_peers),
    },
    // Before 4.0, and ScyllaDB.
    SystemQuery {
        table: "system.peers",
        cql: "SELECT * FROM system.peers LIMIT 2000",
        is_per_node: true,
        read: RowReader::Cluster(read_peers),
    },
    SystemQuery {
        table: "system_views.internode_outbound",
        cql: "SELECT address, active_connections, expired_count, overload_count FROM system_views.internode_outbound LIMIT 2000",
        is_per_node: true,
        read: RowReader::Node(read_links),
    },
    SystemQuery {
        table: "system_views.pending_hints",
        cql: "SELECT host_id, address, files, oldest, status FROM system_views.pending_hints LIMIT 2000",
        is_per_node: true,
        read: RowReader::Cluster(read_pending_hints),
    },
];

/// The tokens of a row; none if a partitioner of another kind made them.
pub(super) fn read_tokens(row: SystemRow<'_>) -> Vec<i64> {
    let tokens: Option<Vec<i64>> =
        row.texts("tokens").iter().map(|token| token.parse().ok()).collect();
    tokens.unwrap_or_default()
}

/// What a node says of the others. What these say of themselves counts more, so only gaps are filled.
fn read_peers(rows: &SystemRows, teller: &str, snapshot: &mut Snapshot) {
    let product = snapshot.nodes.get(teller).and_then(|node| node.product);
    for row in rows.iter() {
        // A row without an id is left from a node that never joined, or is being written.
        let Some(host_id) = row.text("host_id") else { continue };
        let known = find_peer(snapshot, row, &host_id);
        known.datacenter = known.datacenter.take().or_else(|| row.text("data_center"));
        known.rack = known.rack.take().or_else(|| row.text("rack"));
        known.schema_version = known.schema_version.take().or_else(|| row.text("schema_version"));
        let release = || row.text("release_version").as_deref().and_then(ServerVersion::parse);
        known.version = known.version.or_else(release);
        known.product = known.product.or(product);
        if known.tokens.is_empty() {
            known.tokens = read_tokens(row);
        }
        known.internode_address = known.internode_address.take().or_else(|| row.text("peer"));
        known.host_id = Some(host_id.clone());
        if let Some(teller) = snapshot.nodes.get_mut(teller) {
            teller.peers.insert(host_id);
        }
    }
}

/// The node that a row of peers is about: by its id, else by the address for clients.
fn find_peer<'a>(snapshot: &'a mut Snapshot, row: SystemRow<'_>, host_id: &str) -> &'a mut Node {
    let ip = ["native_address", "rpc_address", "peer"].iter().find_map(|name| row.text(name));
    let ip = ip.unwrap_or_default();
    let with_port = row.integer("native_port").map(|port| format!("{ip}:{port}"));
    let mut nodes = snapshot.nodes.iter();
    let by_id = nodes.find(|(_, node)| node.host_id.as_deref() == Some(host_id));
    let name = match (by_id, with_port) {
        (Some((name, _)), _) => name.clone(),
        (None, Some(with_port)) if snapshot.nodes.contains_key(&with_port) => with_port,
        _ => ip,
    };
    let told = || Node { is_told_by_others: true, ..Node::default() };
    snapshot.nodes.entry(name).or_insert_with(told)
}

fn read_links(rows: &SystemRows, node: &mut Node) {
    for row in rows.iter() {
        let Some(address) = row.text("address") else { continue };
        let link = NodeLink {
            active: row.count("active_connections").unwrap_or(0),
            expired: row.count("expired_count").unwrap_or(0),
            overloaded: row.count("overload_count").unwrap_or(0),
        };
        node.links.insert(address, link);
    }
}

fn read_pending_hints(rows: &SystemRows, keeper: &str, snapshot: &mut Snapshot) {
    for row in rows.iter() {
        let Some(host_id) = row.text("host_id") else { continue };
        let mut nodes = snapshot.nodes.iter();
        let named = nodes.find(|(_, node)| node.host_id.as_deref() == Some(&host_id));
        let target = named.map(|(name, _)| name.clone());
        let target = target.or_else(|| row.text("address")).unwrap_or(host_id);
        let hints = PendingHints {
            files: row.count("files").unwrap_or(0),
            oldest_ms: row.integer("oldest"),
            is_up: row.text("status").and_then(|status| match status.as_str() {
                "UP" => Some(true),
                "DOWN" => Some(false),
                _ => None,
            }),
        };
        let known = snapshot.nodes.entry(keeper.to_owned()).or_default();
        known.pending_hints.insert(target, hints);
    }
}
