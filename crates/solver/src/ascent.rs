//! A bound from below without linear programming: sets of nodes of which every solution has one, and how much each such set can
//! be charged when no node is charged more than it costs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::graph::Graph;
use super::id::NodeId;
use super::{DemandId, Id, IdVec};

/// What was charged.
#[derive(Clone, Debug, Default)]
pub(super) struct LowerBound {
    /// No solution costs less than this.
    pub(super) bound: f64,
    /// What is left of each node's cost: a solution costs at least the bound and what is left of its nodes.
    pub(super) left: IdVec<NodeId, f64>,
    /// The sets, and how much each was charged.
    pub(super) sets: Vec<(f64, Vec<NodeId>)>,
    /// Elementary steps made.
    pub(super) steps: u64,
}

/// Who needs a node, who raises a demand, which demand a way meets.
#[derive(Clone, Debug)]
pub(super) struct ReverseEdges {
    users: IdVec<NodeId, Vec<NodeId>>,
    raisers: IdVec<DemandId, Vec<NodeId>>,
    /// The demand that a way meets.
    pub(super) meets: IdVec<NodeId, Option<DemandId>>,
}

impl ReverseEdges {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut backwards = Self {
            users: IdVec::from_elem(Vec::new(), graph.nodes.len()),
            raisers: IdVec::from_elem(Vec::new(), graph.demands.len()),
            meets: IdVec::from_elem(None, graph.nodes.len()),
        };
        for (id, node) in graph.nodes.enumerate_ids() {
            for &needed in &node.needs {
                backwards.users[needed].push(id);
            }
            for &demand in &node.raises {
                backwards.raisers[demand].push(id);
            }
        }
        for (demand, ways) in graph.demands.enumerate_ids() {
            for &way in ways {
                backwards.meets[way] = Some(demand);
            }
        }
        backwards
    }
}

/// Why a node cannot be had for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum BlockReason {
    /// Nothing said yet.
    Unknown,
    /// It costs something itself.
    Itself,
    /// Something it needs.
    Node(NodeId),
    /// A demand it raises.
    Demand(DemandId),
}

/// A node that cannot be had for nothing, or a demand that cannot be met for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockedVertex {
    Node(NodeId),
    Demand(DemandId),
}

impl BlockedVertex {
    /// The order among those for which as much is left: any will do, as long as it is always the same.
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

/// The state of the charging.
#[derive(Debug)]
struct Ascent<'a> {
    graph: &'a Graph,
    backwards: &'a ReverseEdges,
    left: IdVec<NodeId, f64>,
    /// Nodes and demands that cost nothing more.
    node_free: IdVec<NodeId, bool>,
    demand_free: IdVec<DemandId, bool>,
    /// In which round each was seen last.
    node_seen: IdVec<NodeId, u32>,
    demand_seen: IdVec<DemandId, u32>,
    why: IdVec<NodeId, BlockReason>,
    /// Ways of a demand that may still be had for nothing.
    ways_left: IdVec<DemandId, usize>,
    now: u32,
    steps: u64,
}

/// Charges sets of nodes in turn for each demand in the order given, all of them always-demands.
pub(super) fn ascend(
    graph: &Graph,
    backwards: &ReverseEdges,
    costs: IdVec<NodeId, f64>,
    order: &[DemandId],
    most_steps: u64,
) -> LowerBound {
    let (nodes, demands) = (graph.nodes.len(), graph.demands.len());
    let mut ascent = Ascent {
        graph,
        backwards,
        left: costs,
        node_free: IdVec::from_elem(false, nodes),
        demand_free: IdVec::from_elem(false, demands),
        node_seen: IdVec::from_elem(0, nodes),
        demand_seen: IdVec::from_elem(0, demands),
        why: IdVec::from_elem(BlockReason::Unknown, nodes),
        ways_left: IdVec::from_elem(0, demands),
        now: 0,
        steps: 0,
    };
    let mut sets = Vec::new();
    let mut waiting = order.to_vec();
    while !waiting.is_empty() && ascent.steps < most_steps {
        waiting.retain(|&demand| match ascent.charge(demand) {
            Some(charged) => {
                sets.push(charged);
                true
            }
            None => false,
        });
    }
    let bound = sets.iter().map(|(charged, _)| charged).sum();
    LowerBound { bound, left: ascent.left, sets, steps: ascent.steps }
}

impl Ascent<'_> {
    /// Charges one set for a demand; `None` when the demand costs nothing more.
    fn charge(&mut self, root: DemandId) -> Option<(f64, Vec<NodeId>)> {
        if self.demand_free[root] {
            return None;
        }
        self.now += 1;
        let region = self.explore(root);
        self.block(&region.0);
        self.set_free(&region);
        if self.demand_free[root] {
            return None;
        }
        let set = self.find_cut(root);
        let charged = set.iter().map(|&node| self.left[node]).fold(f64::INFINITY, f64::min);
        if !charged.is_finite() || charged <= 0.0 {
            return None;
        }
        for &node in &set {
            self.left[node] -= charged;
            if self.left[node] <= 1e-12 * self.graph.nodes[node].cost {
                self.left[node] = 0.0;
            }
        }
        Some((charged, set))
    }

    /// All that a demand leads to through nodes that cost nothing more themselves.
    fn explore(&mut self, root: DemandId) -> (Vec<NodeId>, Vec<DemandId>) {
        let graph = self.graph;
        let (mut nodes, mut demands): (Vec<NodeId>, Vec<DemandId>) = (Vec::new(), vec![root]);
        self.demand_seen[root] = self.now;
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
                    if self.left[node] > 0.0 {
                        continue;
                    }
                    (&graph.nodes[node].needs, &graph.nodes[node].raises)
                } else {
                    break;
                };
            for &node in more_nodes {
                if !self.node_free[node] && self.node_seen[node] != self.now {
                    self.node_seen[node] = self.now;
                    self.why[node] = BlockReason::Unknown;
                    nodes.push(node);
                }
            }
            for &demand in more_demands {
                if !self.demand_free[demand] && self.demand_seen[demand] != self.now {
                    self.demand_seen[demand] = self.now;
                    demands.push(demand);
                }
            }
        }
        (nodes, demands)
    }

    /// Says of each node that cannot be had for nothing why: that for which most is left first.
    fn block(&mut self, nodes: &[NodeId]) {
        let backwards = self.backwards;
        let mut heap: BinaryHeap<(u64, BlockedVertex)> = BinaryHeap::new();
        for &node in nodes {
            if self.left[node] > 0.0 {
                self.why[node] = BlockReason::Itself;
                heap.push((self.left[node].to_bits(), BlockedVertex::Node(node)));
            }
        }
        while let Some((left, blocked)) = heap.pop() {
            let (users, why) = match blocked {
                BlockedVertex::Node(node) => {
                    if let Some(demand) = backwards.meets[node]
                        && self.demand_seen[demand] == self.now
                    {
                        self.ways_left[demand] -= 1;
                        if self.ways_left[demand] == 0 {
                            heap.push((left, BlockedVertex::Demand(demand)));
                        }
                    }
                    (&backwards.users[node], BlockReason::Node(node))
                }
                BlockedVertex::Demand(demand) => {
                    (&backwards.raisers[demand], BlockReason::Demand(demand))
                }
            };
            for &user in users {
                self.steps += 1;
                if self.node_seen[user] == self.now && self.why[user] == BlockReason::Unknown {
                    self.why[user] = why;
                    heap.push((left, BlockedVertex::Node(user)));
                }
            }
        }
    }

    /// What nothing stands against costs nothing more, for good.
    fn set_free(&mut self, (nodes, demands): &(Vec<NodeId>, Vec<DemandId>)) {
        for &node in nodes {
            self.node_free[node] |= self.why[node] == BlockReason::Unknown;
        }
        for &demand in demands {
            self.demand_free[demand] |=
                self.graph.demands[demand].iter().any(|&way| self.node_free[way]);
        }
    }

    /// A set of nodes of which every solution has one: for each way of the demand, and of further ones, what stands against it.
    fn find_cut(&mut self, root: DemandId) -> Vec<NodeId> {
        let graph = self.graph;
        let mut set = Vec::new();
        self.now += 1;
        let mut demands = vec![root];
        let mut nodes: Vec<NodeId> = Vec::new();
        loop {
            if let Some(node) = nodes.pop() {
                if self.node_seen[node] == self.now {
                    continue;
                }
                self.node_seen[node] = self.now;
                match self.why[node] {
                    BlockReason::Itself | BlockReason::Unknown => set.push(node),
                    BlockReason::Node(needed) => nodes.push(needed),
                    BlockReason::Demand(demand) => demands.push(demand),
                }
            } else if let Some(demand) = demands.pop() {
                if self.demand_seen[demand] != self.now {
                    self.demand_seen[demand] = self.now;
                    nodes.extend_from_slice(&graph.demands[demand]);
                }
            } else {
                break;
            }
        }
        set
    }
}
