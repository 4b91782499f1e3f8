//! A bound from below without linear programming: sets of nodes of which every solution has one, and how much each such set can
//! be charged when no node is charged more than it costs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::graph::Graph;
use super::id::NodeId;
use super::{DemandId, Id, IdVec};

/// What was charged.
#[derive(Clone, Debug, Default)]
pub(super) struct Charged {
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
pub(super) struct Backwards {
    users: IdVec<NodeId, Vec<NodeId>>,
    raisers: IdVec<DemandId, Vec<NodeId>>,
    /// The demand that a way meets.
    pub(super) meets: IdVec<NodeId, Option<DemandId>>,
}

impl Backwards {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut backwards = Self {
            users: IdVec::filled(Vec::new(), graph.nodes.len()),
            raisers: IdVec::filled(Vec::new(), graph.demands.len()),
            meets: IdVec::filled(None, graph.nodes.len()),
        };
        for (id, node) in graph.nodes.numbered() {
            for &needed in &node.needs {
                backwards.users[needed].push(id);
            }
            for &demand in &node.raises {
                backwards.raisers[demand].push(id);
            }
        }
        for (demand, ways) in graph.demands.numbered() {
            for &way in ways {
                backwards.meets[way] = Some(demand);
            }
        }
        backwards
    }
}

/// Why a node cannot be had for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Why {
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
enum Blocked {
    Node(NodeId),
    Demand(DemandId),
}

impl Blocked {
    /// The order among those for which as much is left: any will do, as long as it is always the same.
    fn rank(self) -> (usize, bool) {
        match self {
            Self::Node(node) => (node.index(), true),
            Self::Demand(demand) => (demand.index(), false),
        }
    }
}

impl Ord for Blocked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Blocked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The state of the charging.
#[derive(Debug)]
struct Ascent<'a> {
    graph: &'a Graph,
    backwards: &'a Backwards,
    left: IdVec<NodeId, f64>,
    /// Nodes and demands that cost nothing more.
    node_free: IdVec<NodeId, bool>,
    demand_free: IdVec<DemandId, bool>,
    /// In which round each was seen last.
    node_seen: IdVec<NodeId, u32>,
    demand_seen: IdVec<DemandId, u32>,
    why: IdVec<NodeId, Why>,
    /// Ways of a demand that may still be had for nothing.
    ways_left: IdVec<DemandId, usize>,
    now: u32,
    steps: u64,
}

/// Charges sets of nodes in turn for each demand in the order given, all of them always-demands.
pub(super) fn ascend(
    graph: &Graph,
    backwards: &Backwards,
    costs: IdVec<NodeId, f64>,
    order: &[DemandId],
    most_steps: u64,
) -> Charged {
    let (nodes, demands) = (graph.nodes.len(), graph.demands.len());
    let mut ascent = Ascent {
        graph,
        backwards,
        left: costs,
        node_free: IdVec::filled(false, nodes),
        demand_free: IdVec::filled(false, demands),
        node_seen: IdVec::filled(0, nodes),
        demand_seen: IdVec::filled(0, demands),
        why: IdVec::filled(Why::Unknown, nodes),
        ways_left: IdVec::filled(0, demands),
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
    Charged { bound, left: ascent.left, sets, steps: ascent.steps }
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
        let set = self.charged_set(root);
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
                    self.why[node] = Why::Unknown;
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
        let mut heap: BinaryHeap<(u64, Blocked)> = BinaryHeap::new();
        for &node in nodes {
            if self.left[node] > 0.0 {
                self.why[node] = Why::Itself;
                heap.push((self.left[node].to_bits(), Blocked::Node(node)));
            }
        }
        while let Some((left, blocked)) = heap.pop() {
            let (users, why) = match blocked {
                Blocked::Node(node) => {
                    if let Some(demand) = backwards.meets[node]
                        && self.demand_seen[demand] == self.now
                    {
                        self.ways_left[demand] -= 1;
                        if self.ways_left[demand] == 0 {
                            heap.push((left, Blocked::Demand(demand)));
                        }
                    }
                    (&backwards.users[node], Why::Node(node))
                }
                Blocked::Demand(demand) => (&backwards.raisers[demand], Why::Demand(demand)),
            };
            for &user in users {
                self.steps += 1;
                if self.node_seen[user] == self.now && self.why[user] == Why::Unknown {
                    self.why[user] = why;
                    heap.push((left, Blocked::Node(user)));
                }
            }
        }
    }

    /// What nothing stands against costs nothing more, for good.
    fn set_free(&mut self, (nodes, demands): &(Vec<NodeId>, Vec<DemandId>)) {
        for &node in nodes {
            self.node_free[node] |= self.why[node] == Why::Unknown;
        }
        for &demand in demands {
            self.demand_free[demand] |=
                self.graph.demands[demand].iter().any(|&way| self.node_free[way]);
        }
    }

    /// A set of nodes of which every solution has one: for each way of the demand, and of further ones, what stands against it.
    fn charged_set(&mut self, root: DemandId) -> Vec<NodeId> {
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
                    Why::Itself | Why::Unknown => set.push(node),
                    Why::Node(needed) => nodes.push(needed),
                    Why::Demand(demand) => demands.push(demand),
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
