//! Parts of a graph that have nothing to do with one another.

use super::graph::{Graph, Node};
use super::id::NodeId;
use super::{DemandId, Id, IdVec};

/// One part, and where it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) graph: Graph,
    /// For each of its nodes the node that it was.
    pub(super) node_was: IdVec<NodeId, NodeId>,
    /// For each of its demands the demand that it was.
    pub(super) demand_was: IdVec<DemandId, DemandId>,
}

/// Who belongs together, nodes first and then demands, by position: each points to another of the same part, the last to
/// itself.
struct Together {
    points_to: Vec<usize>,
    nodes: usize,
}

impl Together {
    fn new(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        Self { points_to: (0..nodes + graph.demands.len()).collect(), nodes }
    }

    /// The position of a demand, behind all nodes.
    fn demand(&self, demand: DemandId) -> usize {
        self.nodes + demand.index()
    }

    fn last(&mut self, start: usize) -> usize {
        let mut at = start;
        while self.points_to[at] != at {
            self.points_to[at] = self.points_to[self.points_to[at]];
            at = self.points_to[at];
        }
        at
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.last(left), self.last(right));
        self.points_to[left.max(right)] = left.min(right);
    }
}

/// What each node and demand of a graph is in its part.
struct Renamed {
    nodes: IdVec<NodeId, NodeId>,
    demands: IdVec<DemandId, DemandId>,
}

/// The parts of a graph, the one with the first demand first.
pub(super) fn parts(graph: &Graph) -> Vec<Part> {
    let mut together = Together::new(graph);
    for (id, node) in graph.nodes.numbered() {
        for needed in &node.needs {
            together.join(id.index(), needed.index());
        }
        for &demand in &node.raises {
            together.join(id.index(), together.demand(demand));
        }
    }
    for (demand, ways) in graph.demands.numbered() {
        for way in ways {
            together.join(way.index(), together.demand(demand));
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of: Vec<Option<usize>> = vec![None; together.points_to.len()];
    let mut part_at = |position: usize, parts: &mut Vec<Part>| {
        *part_of[together.last(position)].get_or_insert_with(|| {
            let graph = Graph { most: graph.most.clone(), ..Graph::default() };
            parts.push(Part { graph, ..Part::default() });
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
    let renamed = Renamed { nodes: nodes.collect(), demands };
    for part in &mut parts {
        fill(part, graph, &renamed);
    }
    parts
}

fn fill(part: &mut Part, graph: &Graph, renamed: &Renamed) {
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
