//! Merges of nodes that some optimal solution selects together or not at all.

use std::collections::BTreeMap;

use super::super::IdVec;
use super::super::graph::normalise_needs;
use super::super::id::NodeId;
use super::Reduction;

impl Reduction {
    /// Merges nodes that need one another.
    pub(super) fn merge_cycles(&mut self) -> bool {
        let closures = self.graph.closures();
        let mut becomes: IdVec<NodeId, NodeId> = self.node_open.ids().collect();
        for node in self.open_nodes() {
            let first = closures[node]
                .iter()
                .copied()
                .find(|&other| other < node && closures[other].binary_search(&node).is_ok());
            if let Some(first) = first {
                becomes[node] = first;
            }
        }
        let changed = self.merge(&becomes);
        self.drop_implied();
        changed
    }

    /// Removes a need that another need implies (transitive reduction).
    fn drop_implied(&mut self) {
        let closures = self.graph.closures();
        for node in self.open_nodes() {
            let needs = self.graph.nodes[node].needs.clone();
            if needs.len() > 1 {
                let implied = |needed: NodeId| {
                    needs.iter().any(|&other| {
                        other != needed && closures[other].binary_search(&needed).is_ok()
                    })
                };
                self.graph.nodes[node].needs.retain(|&needed| !implied(needed));
            }
        }
    }

    /// Merges a node into the only node that needs it: nothing else can have selected it.
    pub(super) fn merge_into_only_user(&mut self) -> bool {
        let users = self.users();
        let mut becomes: IdVec<NodeId, NodeId> = self.node_open.ids().collect();
        for node in self.open_nodes() {
            if let (false, &[user]) = (self.is_way[node], users[node].as_slice()) {
                becomes[node] = user;
            }
        }
        self.merge(&becomes)
    }

    /// Merges nodes that exactly the same nodes need.
    pub(super) fn merge_twins(&mut self) -> bool {
        let users = self.users();
        let mut first: BTreeMap<&[NodeId], NodeId> = BTreeMap::new();
        let mut becomes: IdVec<NodeId, NodeId> = self.node_open.ids().collect();
        for node in self.open_nodes() {
            if !self.is_way[node] && !users[node].is_empty() {
                becomes[node] = *first.entry(&users[node]).or_insert(node);
            }
        }
        self.merge(&becomes)
    }

    /// Merges each node into the one that it becomes: costs and weights add up, needs and raises
    /// unite.
    ///
    /// Chains are followed to their end. A cycle (two nodes that are each the only user of the
    /// other) has no end; it is left alone here and merged by `merge_cycles`.
    fn merge(&mut self, becomes: &IdVec<NodeId, NodeId>) -> bool {
        let last = |node: NodeId| {
            let mut at = node;
            let mut left = becomes.len();
            while becomes[at] != at && left > 0 {
                at = becomes[at];
                left -= 1;
            }
            at
        };
        let mut changed = false;
        for node in self.open_nodes() {
            let into = last(node);
            if into == node || becomes[into] != into {
                continue;
            }
            changed = true;
            self.node_open[node] = false;
            let gone = std::mem::take(&mut self.graph.nodes[node]);
            let kept = &mut self.graph.nodes[into];
            kept.cost += gone.cost;
            if kept.weights.is_empty() {
                kept.weights = gone.weights;
            } else {
                for (sum, more) in kept.weights.iter_mut().zip(&gone.weights) {
                    *sum += more;
                }
            }
            kept.needs.extend_from_slice(&gone.needs);
            kept.raises.extend_from_slice(&gone.raises);
        }
        if changed {
            for node in self.open_nodes() {
                let open = &mut self.graph.nodes[node];
                for needed in &mut open.needs {
                    *needed = last(*needed);
                }
                normalise_needs(&mut open.needs, node);
                open.raises.sort_unstable();
                open.raises.dedup();
            }
            self.sweep();
        }
        changed
    }
}
