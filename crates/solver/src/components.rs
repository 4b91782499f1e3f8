//! Connected components of a graph. Without bounds their solutions are independent, so each is
//! branched on by itself: the search trees add up instead of multiplying.

use super::graph::{Graph, Node};
use super::id::NodeId;
use super::{DemandId, Id, IdVec};

/// One component, with the ids that its nodes and demands have in the whole graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    pub(super) graph: Graph,
    /// For each of its nodes the node of the whole graph.
    pub(super) node_was: IdVec<NodeId, NodeId>,
    /// For each of its demands the demand of the whole graph.
    pub(super) demand_was: IdVec<DemandId, DemandId>,
}

/// Disjoint sets (union-find with path halving) over nodes, then demands, by position. The root of
/// a set is its smallest position, so that components come in the order of their first demand.
struct DisjointSets {
    points_to: Vec<usize>,
    nodes: usize,
}

impl DisjointSets {
    fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        Self { points_to: (0..nodes + graph.demands.len()).collect(), nodes }
    }

    /// The position of a demand, behind all nodes.
    fn demand_position(&self, demand: DemandId) -> usize {
        self.nodes + demand.index()
    }

    fn find_root(&mut self, start: usize) -> usize {
        let mut at = start;
        while self.points_to[at] != at {
            self.points_to[at] = self.points_to[self.points_to[at]];
            at = self.points_to[at];
        }
        at
    }

    fn union(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find_root(left), self.find_root(right));
        self.points_to[left.max(right)] = left.min(right);
    }
}

/// The id of each node and demand of a graph within its component.
struct Renumbering {
    nodes: IdVec<NodeId, NodeId>,
    demands: IdVec<DemandId, DemandId>,
}

/// The components of a graph, the one with the first demand first.
pub(super) fn split_components(graph: &Graph) -> Vec<Component> {
    let mut sets = DisjointSets::new(graph);
    for (id, node) in graph.nodes.enumerate_ids() {
        for needed in &node.needs {
            sets.union(id.index(), needed.index());
        }
        for &demand in &node.raises {
            sets.union(id.index(), sets.demand_position(demand));
        }
    }
    for (demand, ways) in graph.demands.enumerate_ids() {
        for way in ways {
            sets.union(way.index(), sets.demand_position(demand));
        }
    }
    let mut parts: Vec<Component> = Vec::new();
    let mut part_of: Vec<Option<usize>> = vec![None; sets.points_to.len()];
    let mut part_at = |position: usize, parts: &mut Vec<Component>| {
        *part_of[sets.find_root(position)].get_or_insert_with(|| {
            let graph = Graph { limits: graph.limits.clone(), ..Graph::default() };
            parts.push(Component { graph, ..Component::default() });
            parts.len() - 1
        })
    };
    let demands = graph.demands.ids().map(|demand| {
        let part = part_at(graph.nodes.len() + demand.index(), &mut parts);
        parts[part].demand_was.push(demand)
    });
    let demands = demands.collect();
    let nodes = graph.nodes.ids().map(|node| {
        let part = part_at(node.index(), &mut parts);
        parts[part].node_was.push(node)
    });
    let renamed = Renumbering { nodes: nodes.collect(), demands };
    for part in &mut parts {
        fill_component(part, graph, &renamed);
    }
    parts
}

fn fill_component(part: &mut Component, graph: &Graph, renamed: &Renumbering) {
    for &was in &part.node_was {
        let node = &graph.nodes[was];
        part.graph.nodes.push(Node {
            cost: node.cost,
            weights: node.weights.clone(),
            needs: node.needs.iter().map(|&needed| renamed.nodes[needed]).collect(),
            raises: node.raises.iter().map(|&demand| renamed.demands[demand]).collect(),
        });
    }
    for &was in &part.demand_was {
        let ways = graph.demands[was].iter().map(|&way| renamed.nodes[way]);
        let demand = part.graph.demands.push(ways.collect());
        if graph.always.binary_search(&was).is_ok() {
            part.graph.always.push(demand);
        }
    }
}
