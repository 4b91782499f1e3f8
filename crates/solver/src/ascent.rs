//! Lower bounds by dual ascent, after Wong's algorithm for the Steiner problem.
//!
//! A *cut* is a set of nodes of which every solution selects at least one. Charging a cut an amount
//! lowers the reduced cost of each of its nodes by it; no reduced cost may fall below zero. The sum
//! of the charges is then a feasible solution of the dual of the covering problem "every cut is
//! hit", so no solution costs less. It also gives the bound for fixing nodes: a solution costs at
//! least the sum of the charges plus the reduced costs of its nodes, since each charge is paid at
//! least once.
//!
//! No linear program is solved: one ascent takes time about linear in the graph for each cut, which
//! branch and bound can afford at every node of its tree. The bound is weaker than that of the
//! linear relaxation; branching and the incumbent make up for it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::graph::Graph;
use super::id::NodeId;
use super::{DemandId, Id, IdVec};

/// The result of a dual ascent.
#[derive(Clone, Debug, Default)]
pub(super) struct LowerBound {
    /// No solution costs less than this: the sum of the charges.
    pub(super) bound: f64,
    /// The reduced cost of each node: a solution costs at least the bound plus those of its nodes.
    pub(super) reduced_costs: IdVec<NodeId, f64>,
    /// The cuts, and how much each was charged.
    pub(super) cuts: Vec<(f64, Vec<NodeId>)>,
    /// Elementary steps made.
    pub(super) steps: u64,
}

/// The edges of a graph backwards: who needs a node, who raises a demand, which demand a way
/// satisfies.
#[derive(Clone, Debug)]
pub(super) struct ReverseEdges {
    users: IdVec<NodeId, Vec<NodeId>>,
    raisers: IdVec<DemandId, Vec<NodeId>>,
    /// The demand that a way satisfies.
    pub(super) meets: IdVec<NodeId, Option<DemandId>>,
}

impl ReverseEdges {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut reverse = Self {
            users: IdVec::from_elem(Vec::new(), graph.nodes.len()),
            raisers: IdVec::from_elem(Vec::new(), graph.demands.len()),
            meets: IdVec::from_elem(None, graph.nodes.len()),
        };
        for (id, node) in graph.nodes.enumerate_ids() {
            for &needed in &node.needs {
                reverse.users[needed].push(id);
            }
            for &demand in &node.raises {
                reverse.raisers[demand].push(id);
            }
        }
        for (demand, ways) in graph.demands.enumerate_ids() {
            for &way in ways {
                reverse.meets[way] = Some(demand);
            }
        }
        reverse
    }
}

/// Why a node cannot be selected at no reduced cost.
#[derive(Clone, Copy, Debug, PartialEq)]
enum BlockReason {
    /// Not blocked so far; if this remains, the node is free.
    Unknown,
    /// Its own reduced cost.
    Itself,
    /// A node that it needs.
    Node(NodeId),
    /// A demand that it raises, all of whose ways are blocked.
    Demand(DemandId),
}

/// A node that cannot be selected, or a demand that cannot be satisfied, at no reduced cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockedVertex {
    Node(NodeId),
    Demand(DemandId),
}

impl BlockedVertex {
    /// Breaks ties in the heap: any order will do, as long as it is always the same.
    fn rank(self) -> (usize, bool) {
        match self {
            Self::Node(node) => (node.index(), true),
            Self::Demand(demand) => (demand.index(), false),
        }
    }
}

impl Ord for BlockedVertex {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for BlockedVertex {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The state of an ascent. Marks of earlier rounds are told apart by `epoch` instead of being
/// cleared.
#[derive(Debug)]
struct Ascent<'a> {
    graph: &'a Graph,
    reverse: &'a ReverseEdges,
    reduced_costs: IdVec<NodeId, f64>,
    /// Nodes that can be selected, and demands that can be satisfied, at no reduced cost. Reduced
    /// costs only fall, so this holds for the rest of the ascent and such regions are never
    /// explored again.
    node_free: IdVec<NodeId, bool>,
    demand_free: IdVec<DemandId, bool>,
    /// The epoch in which each was seen last.
    node_seen: IdVec<NodeId, u32>,
    demand_seen: IdVec<DemandId, u32>,
    reasons: IdVec<NodeId, BlockReason>,
    /// Ways of a demand that are not blocked so far.
    ways_left: IdVec<DemandId, usize>,
    epoch: u32,
    steps: u64,
}

/// Charges cuts for each demand in the order given, one for each in turn, until none can be
/// charged. All of them must be demands that are always raised. Going round by round instead of
/// finishing one demand after the other spreads the costs of shared nodes over the demands that
/// share them.
pub(super) fn ascend(
    graph: &Graph,
    reverse: &ReverseEdges,
    costs: IdVec<NodeId, f64>,
    order: &[DemandId],
    most_steps: u64,
) -> LowerBound {
    let (nodes, demands) = (graph.nodes.len(), graph.demands.len());
    let mut ascent = Ascent {
        graph,
        reverse,
        reduced_costs: costs,
        node_free: IdVec::from_elem(false, nodes),
        demand_free: IdVec::from_elem(false, demands),
        node_seen: IdVec::from_elem(0, nodes),
        demand_seen: IdVec::from_elem(0, demands),
        reasons: IdVec::from_elem(BlockReason::Unknown, nodes),
        ways_left: IdVec::from_elem(0, demands),
        epoch: 0,
        steps: 0,
    };
    let mut cuts = Vec::new();
    let mut waiting = order.to_vec();
    while !waiting.is_empty() && ascent.steps < most_steps {
        waiting.retain(|&demand| match ascent.charge(demand) {
            Some(charged) => {
                cuts.push(charged);
                true
            }
            None => false,
        });
    }
    let bound = cuts.iter().map(|(charged, _)| charged).sum();
    LowerBound { bound, reduced_costs: ascent.reduced_costs, cuts, steps: ascent.steps }
}

impl Ascent<'_> {
    /// Charges one cut for a demand; `None` when the demand can be satisfied at no reduced cost.
    fn charge(&mut self, root: DemandId) -> Option<(f64, Vec<NodeId>)> {
        if self.demand_free[root] {
            return None;
        }
        self.epoch += 1;
        let region = self.explore(root);
        self.block(&region.0);
        self.set_free(&region);
        if self.demand_free[root] {
            return None;
        }
        let cut = self.find_cut(root);
        let charged =
            cut.iter().map(|&node| self.reduced_costs[node]).fold(f64::INFINITY, f64::min);
        if !charged.is_finite() || charged <= 0.0 {
            return None;
        }
        for &node in &cut {
            self.reduced_costs[node] -= charged;
            // Rounding may leave a trace of a cost that would stop exploration and be charged again
            // and again.
            if self.reduced_costs[node] <= 1e-12 * self.graph.nodes[node].cost {
                self.reduced_costs[node] = 0.0;
            }
        }
        Some((charged, cut))
    }

    /// The region that a demand leads to through nodes without reduced cost. Its border are nodes
    /// with a reduced cost, which are not followed.
    fn explore(&mut self, root: DemandId) -> (Vec<NodeId>, Vec<DemandId>) {
        let graph = self.graph;
        let (mut nodes, mut demands): (Vec<NodeId>, Vec<DemandId>) = (Vec::new(), vec![root]);
        self.demand_seen[root] = self.epoch;
        let (mut next_node, mut next_demand) = (0, 0);
        loop {
            self.steps += 1;
            let (more_nodes, more_demands): (&[NodeId], &[DemandId]) =
                if let Some(&demand) = demands.get(next_demand) {
                    next_demand += 1;
                    self.ways_left[demand] = graph.demands[demand].len();
                    (&graph.demands[demand], &[])
                } else if let Some(&node) = nodes.get(next_node) {
                    next_node += 1;
                    if self.reduced_costs[node] > 0.0 {
                        continue;
                    }
                    (&graph.nodes[node].needs, &graph.nodes[node].raises)
                } else {
                    break;
                };
            for &node in more_nodes {
                if !self.node_free[node] && self.node_seen[node] != self.epoch {
                    self.node_seen[node] = self.epoch;
                    self.reasons[node] = BlockReason::Unknown;
                    nodes.push(node);
                }
            }
            for &demand in more_demands {
                if !self.demand_free[demand] && self.demand_seen[demand] != self.epoch {
                    self.demand_seen[demand] = self.epoch;
                    demands.push(demand);
                }
            }
        }
        (nodes, demands)
    }

    /// Blocks all nodes of the region that cannot be selected at no reduced cost, and records why.
    ///
    /// A node is blocked as soon as one thing it leads to is, a demand once all its ways are.
    /// Blocks spread from the largest reduced cost to the smallest, so that each node is blocked by
    /// the reason that allows the largest charge: the cut found is one whose smallest reduced cost
    /// is as large as possible (a bottleneck search in the manner of Dijkstra). The bits of
    /// positive floats compare like the floats.
    fn block(&mut self, nodes: &[NodeId]) {
        let reverse = self.reverse;
        let mut heap: BinaryHeap<(u64, BlockedVertex)> = BinaryHeap::new();
        for &node in nodes {
            if self.reduced_costs[node] > 0.0 {
                self.reasons[node] = BlockReason::Itself;
                heap.push((self.reduced_costs[node].to_bits(), BlockedVertex::Node(node)));
            }
        }
        while let Some((left, blocked)) = heap.pop() {
            let (users, why) = match blocked {
                BlockedVertex::Node(node) => {
                    if let Some(demand) = reverse.meets[node]
                        && self.demand_seen[demand] == self.epoch
                    {
                        self.ways_left[demand] -= 1;
                        if self.ways_left[demand] == 0 {
                            heap.push((left, BlockedVertex::Demand(demand)));
                        }
                    }
                    (&reverse.users[node], BlockReason::Node(node))
                }
                BlockedVertex::Demand(demand) => {
                    (&reverse.raisers[demand], BlockReason::Demand(demand))
                }
            };
            for &user in users {
                self.steps += 1;
                if self.node_seen[user] == self.epoch && self.reasons[user] == BlockReason::Unknown
                {
                    self.reasons[user] = why;
                    heap.push((left, BlockedVertex::Node(user)));
                }
            }
        }
    }

    /// Marks as free what remained unblocked.
    fn set_free(&mut self, (nodes, demands): &(Vec<NodeId>, Vec<DemandId>)) {
        for &node in nodes {
            self.node_free[node] |= self.reasons[node] == BlockReason::Unknown;
        }
        for &demand in demands {
            self.demand_free[demand] |=
                self.graph.demands[demand].iter().any(|&way| self.node_free[way]);
        }
    }

    /// The cut of a blocked demand: for each of its ways the reason followed down to nodes with a
    /// reduced cost. A solution satisfies the demand by one of the ways, hence selects one of these
    /// nodes.
    fn find_cut(&mut self, root: DemandId) -> Vec<NodeId> {
        let graph = self.graph;
        let mut cut = Vec::new();
        self.epoch += 1;
        let mut demands = vec![root];
        let mut nodes: Vec<NodeId> = Vec::new();
        loop {
            if let Some(node) = nodes.pop() {
                if self.node_seen[node] == self.epoch {
                    continue;
                }
                self.node_seen[node] = self.epoch;
                match self.reasons[node] {
                    BlockReason::Itself | BlockReason::Unknown => cut.push(node),
                    BlockReason::Node(needed) => nodes.push(needed),
                    BlockReason::Demand(demand) => demands.push(demand),
                }
            } else if let Some(demand) = demands.pop() {
                if self.demand_seen[demand] != self.epoch {
                    self.demand_seen[demand] = self.epoch;
                    nodes.extend_from_slice(&graph.demands[demand]);
                }
            } else {
                break;
            }
        }
        cut
    }
}
