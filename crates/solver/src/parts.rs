//! Parts of a graph that have nothing to do with one another.

use super::graph::{Graph, Node};

/// One part, and where it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) graph: Graph,
    /// For each of its nodes the node that it was.
    pub(super) node_was: Vec<usize>,
    /// For each of its demands the demand that it was.
    pub(super) demand_was: Vec<usize>,
}

/// Who belongs together: each points to another of the same part, the last to itself.
struct Together(Vec<usize>);

impl Together {
    fn last(&mut self, start: usize) -> usize {
        let mut at = start;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.last(left), self.last(right));
        self.0[left.max(right)] = left.min(right);
    }
}

/// The parts of a graph, the one with the first demand first.
pub(super) fn parts(graph: &Graph) -> Vec<Part> {
    let nodes = graph.nodes.len();
    let mut together = Together((0..nodes + graph.demands.len()).collect());
    for (position, node) in graph.nodes.iter().enumerate() {
        for &needed in &node.needs {
            together.join(position, needed);
        }
        for &demand in &node.raises {
            together.join(position, nodes + demand);
        }
    }
    for (demand, ways) in graph.demands.iter().enumerate() {
        for &way in ways {
            together.join(way, nodes + demand);
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of = vec![usize::MAX; together.0.len()];
    let mut place = vec![0; together.0.len()];
    for at in (nodes..together.0.len()).chain(0..nodes) {
        let last = together.last(at);
        if part_of[last] == usize::MAX {
            part_of[last] = parts.len();
            parts.push(Part {
                graph: Graph { most: graph.most.clone(), ..Graph::default() },
                ..Part::default()
            });
        }
        let part = &mut parts[part_of[last]];
        let list = if at < nodes { &mut part.node_was } else { &mut part.demand_was };
        place[at] = list.len();
        list.push(if at < nodes { at } else { at - nodes });
    }
    for part in &mut parts {
        fill(part, graph, &place);
    }
    parts
}

fn fill(part: &mut Part, graph: &Graph, place: &[usize]) {
    let count = graph.nodes.len();
    for &was in &part.node_was {
        let node = &graph.nodes[was];
        part.graph.nodes.push(Node {
            cost: node.cost,
            weights: node.weights.clone(),
            needs: node.needs.iter().map(|&needed| place[needed]).collect(),
            raises: node.raises.iter().map(|&demand| place[count + demand]).collect(),
        });
    }
    for (position, &was) in part.demand_was.iter().enumerate() {
        part.graph.demands.push(graph.demands[was].iter().map(|&way| place[way]).collect());
        if graph.always.binary_search(&was).is_ok() {
            part.graph.always.push(position);
        }
    }
}
