//! Nodes that are known by an address and by a name.

use crate::snapshot::{Node, Snapshot};

/// Joins what `status`, `ring` and `describecluster` told about an address with what was collected
/// under the name of a folder, if both are known to be the same node.
pub(in crate::source) fn merge_addresses(snapshot: &mut Snapshot) {
    let mut pairs = Vec::new();
    let (all_told, collected): (Vec<_>, Vec<_>) =
        snapshot.nodes.iter().partition(|(_, node)| node.is_told_by_others);
    for (address, told) in all_told {
        let found = collected.iter().find(|(name, node)| is_same(address, told, name, node));
        pairs.extend(found.map(|(name, _)| (address.clone(), (*name).clone())));
    }
    let collected: Vec<String> = snapshot
        .nodes
        .iter()
        .filter(|(_, node)| !node.is_told_by_others)
        .map(|(name, _)| name.clone())
        .collect();
    let told = snapshot.nodes.values().filter(|node| node.is_told_by_others).count();
    if pairs.is_empty()
        && told == 1
        && let [name] = &*collected
        && let Some((address, _)) = snapshot.nodes.iter().find(|(_, node)| node.is_told_by_others)
    {
        pairs.push((address.clone(), name.clone()));
    }
    for (address, name) in pairs {
        if let Some(told) = snapshot.nodes.remove(&address)
            && let Some(node) = snapshot.nodes.get_mut(&name)
        {
            merge(node, told);
        }
    }
}

/// The node at an address that another node tells about.
pub(super) fn find_told_node<'a>(snapshot: &'a mut Snapshot, address: &str) -> &'a mut Node {
    let address = address.trim_start_matches('/');
    snapshot
        .nodes
        .entry(address.to_owned())
        .or_insert_with(|| Node { is_told_by_others: true, ..Node::default() })
}

/// Whether an address and a named node are the same.
fn is_same(address: &str, told: &Node, name: &str, node: &Node) -> bool {
    let is_same_host = node.host_id.is_some() && node.host_id == told.host_id;
    let settings = ["listen_address", "broadcast_address", "rpc_address", "broadcast_rpc_address"];
    let is_setting = |setting: &&str| node.settings.get(*setting).is_some_and(|own| own == address);
    is_same_host || settings.iter().any(is_setting) || has_address(name, address)
}

/// Whether the name of a folder contains an address, in whole: `node-10.0.0.1`, not `10.0.0.11`.
fn has_address(name: &str, address: &str) -> bool {
    name.match_indices(address).any(|(at, _)| {
        let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let bytes = name.as_bytes();
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !is_digit(before) && !is_digit(bytes.get(at + address.len()))
    })
}

/// Adds what others told; the node's own figures count more.
fn merge(node: &mut Node, told: Node) {
    node.datacenter = node.datacenter.take().or(told.datacenter);
    node.rack = node.rack.take().or(told.rack);
    node.state = node.state.or(told.state);
    node.schema_version = node.schema_version.take().or(told.schema_version);
    node.owns_percent = node.owns_percent.or(told.owns_percent);
    node.load_bytes = node.load_bytes.or(told.load_bytes);
    node.version = node.version.or(told.version);
    node.product = node.product.or(told.product);
    node.host_id = node.host_id.take().or(told.host_id);
}
