//! A program as an AND-OR graph: nodes (the items, and the ways of demands) and demands.
//!
//! Selecting a node selects all that it needs and raises its demands (AND); a raised demand selects
//! one of its ways (OR). Turning ways into nodes gives all reductions, bounds and searches one kind
//! of edge to follow, and lets a way absorb an item that only it uses.

use super::id::NodeId;
use super::{Bound, DemandId, Id, IdVec, ItemId, Program, WayId};

/// An item, or a way of a demand.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Its cost; not negative.
    pub(super) cost: f64,
    /// Its weight towards each bound; empty when all of them are zero.
    pub(super) weights: Vec<f64>,
    /// Nodes that it needs, sorted, each once, itself not among them.
    pub(super) needs: Vec<NodeId>,
    /// Demands that it raises, sorted, each once.
    pub(super) raises: Vec<DemandId>,
}

/// A program as a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// All nodes. Those of a whole program: the items, then the ways of each demand in turn.
    pub(super) nodes: IdVec<NodeId, Node>,
    /// For each demand the nodes that satisfy it. Such a node is needed by nothing and satisfies no
    /// other demand: reductions and dual ascent rely on it.
    pub(super) demands: IdVec<DemandId, Vec<NodeId>>,
    /// Demands that are raised whatever is chosen, sorted.
    pub(super) always: Vec<DemandId>,
    /// The limit of each bound, less what nodes already fixed by a reduction weigh.
    pub(super) limits: Vec<f64>,
}

/// For each demand of a graph the way taken, as a node.
pub(super) type Choice = IdVec<DemandId, Option<NodeId>>;

impl Graph {
    /// Builds the graph of a program. An item that refers to something missing or has no finite
    /// cost cannot be selected: it raises a demand without ways, which is added behind all others.
    /// Such a way is left out of its demand, but keeps its node, so that [`WayNodes`] stays simple
    /// arithmetic.
    pub(super) fn from_program(program: &Program, bounds: &[Bound]) -> Self {
        let items = program.items.next_id();
        let nothing = program.demands.next_id();
        let sound = |cost: f64, needs: &[ItemId], raises: &[DemandId]| {
            cost.is_finite()
                && needs.iter().all(|&item| item < items)
                && raises.iter().all(|&demand| demand < nothing)
        };
        let mut graph =
            Self { limits: bounds.iter().map(|bound| bound.limit).collect(), ..Self::default() };
        for item in &program.items {
            let weights: Vec<f64> = (0..bounds.len())
                .map(|bound| item.weights.get(bound).copied().unwrap_or(0.0).max(0.0))
                .collect();
            let light = weights.iter().all(|&weight| weight == 0.0);
            let mut node =
                Node { weights: if light { Vec::new() } else { weights }, ..Node::default() };
            if sound(item.cost, &item.needs, &item.raises) {
                node.cost = item.cost.max(0.0);
                node.needs = item_nodes(&item.needs);
                node.raises.clone_from(&item.raises);
            } else {
                node.raises.push(nothing);
            }
            graph.nodes.push(node);
        }
        for (id, demand) in program.demands.enumerate_ids() {
            let mut ways = Vec::new();
            for way in &demand.ways {
                let node = graph.nodes.push(Node {
                    cost: way.cost.max(0.0),
                    weights: Vec::new(),
                    needs: item_nodes(&way.items),
                    raises: way.raises.clone(),
                });
                if sound(way.cost, &way.items, &way.raises) {
                    ways.push(node);
                }
            }
            graph.demands.push(ways);
            if demand.always {
                graph.always.push(id);
            }
        }
        graph.demands.push(Vec::new());
        for (id, node) in graph.nodes.enumerate_ids_mut() {
            normalise_needs(&mut node.needs, id);
            node.raises.sort_unstable();
            node.raises.dedup();
        }
        graph
    }

    /// The same graph in which some nodes cannot be selected.
    pub(super) fn exclude_nodes(&self, gone: &IdVec<NodeId, bool>) -> Self {
        let mut graph = self.clone();
        for ways in &mut graph.demands {
            ways.retain(|&way| !gone[way]);
        }
        // What raises a demand without ways cannot be selected; `reduce` then removes it for good.
        let nothing = graph.demands.push(Vec::new());
        for (node, &gone) in graph.nodes.iter_mut().zip(gone) {
            if gone {
                node.raises.push(nothing);
            }
        }
        graph
    }

    /// The same graph in which a node is selected in any case: an item, or a way of the demand
    /// given.
    pub(super) fn with_node(&self, node: NodeId, meets: Option<DemandId>) -> Self {
        let mut graph = self.clone();
        let demand = if let Some(demand) = meets {
            graph.demands[demand] = vec![node];
            demand
        } else {
            let way = graph.nodes.push(Node { needs: vec![node], ..Node::default() });
            graph.demands.push(vec![way])
        };
        if let Err(position) = graph.always.binary_search(&demand) {
            graph.always.insert(position, demand);
        }
        graph
    }

    /// The size of the graph in elementary steps: what one pass over it costs.
    pub(super) fn size(&self) -> u64 {
        let nodes: usize =
            self.nodes.iter().map(|node| 2 + node.needs.len() + node.raises.len()).sum();
        u64::try_from(nodes + self.demands.len()).unwrap_or(u64::MAX)
    }

    /// For each node all nodes that it selects by needs alone: itself and all that it needs,
    /// directly or not; sorted.
    pub(super) fn closures(&self) -> IdVec<NodeId, Vec<NodeId>> {
        let mut seen = IdVec::<NodeId, _>::from_elem(None, self.nodes.len());
        self.nodes
            .ids()
            .map(|start| {
                let mut closure = vec![start];
                seen[start] = Some(start);
                let mut next = 0;
                while next < closure.len() {
                    for &needed in &self.nodes[closure[next]].needs {
                        if seen[needed] != Some(start) {
                            seen[needed] = Some(start);
                            closure.push(needed);
                        }
                    }
                    next += 1;
                }
                closure.sort_unstable();
                closure
            })
            .collect()
    }

    /// The weight of a node towards a bound.
    pub(super) fn weight(&self, node: NodeId, bound: usize) -> f64 {
        self.nodes[node].weights.get(bound).copied().unwrap_or(0.0)
    }
}

/// The nodes of items, which come before those of ways.
fn item_nodes(items: &[ItemId]) -> Vec<NodeId> {
    items.iter().map(|item| NodeId::new(item.index())).collect()
}

/// Restores the invariant of [`Node::needs`]: sorted, each once, the node itself not among them.
pub(super) fn normalise_needs(needs: &mut Vec<NodeId>, own: NodeId) {
    needs.sort_unstable();
    needs.dedup();
    needs.retain(|&needed| needed != own);
}

/// Whether all of `small` is in `large`; both are sorted.
pub(super) fn is_sorted_subset<I: Ord>(small: &[I], large: &[I]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.by_ref().find(|&had| had >= wanted) == Some(wanted))
}

/// What is in both of two sorted lists.
pub(super) fn intersect<I: Copy + Ord>(left: &[I], right: &[I]) -> Vec<I> {
    left.iter().copied().filter(|wanted| right.binary_search(wanted).is_ok()).collect()
}

/// A limit with some slack: sums of the same numbers in another order differ in the last digits.
pub(super) fn with_slack(most: f64) -> f64 {
    most + most.abs() * 1e-9 + 1e-9
}

/// Maps ways of a program to nodes of its graph, and back.
#[derive(Debug)]
pub(super) struct WayNodes {
    /// The node of each demand's first way; those of the others follow it.
    first: IdVec<DemandId, NodeId>,
}

impl WayNodes {
    pub(super) fn new(program: &Program) -> Self {
        let mut next = program.items.len();
        let first = program.demands.iter().map(|demand| {
            let first = NodeId::new(next);
            next += demand.ways.len();
            first
        });
        Self { first: first.collect() }
    }

    /// The node of a way of a demand.
    pub(super) fn node(&self, demand: DemandId, way: WayId) -> Option<NodeId> {
        let first = self.first.member(demand)?;
        Some(NodeId::new(first.index().checked_add(way.index())?))
    }

    /// The way of a demand that a node stands for.
    pub(super) fn way(&self, demand: DemandId, node: NodeId) -> Option<WayId> {
        let first = self.first.member(demand)?;
        node.index().checked_sub(first.index()).map(WayId::new)
    }
}
