//! A bound from below without linear programming: sets of nodes of which every solution has one, and how much each such set can
//! be charged when no node is charged more than it costs.

use std::collections::BinaryHeap;

use super::graph::Graph;

/// What was charged.
#[derive(Clone, Debug, Default)]
pub(super) struct Charged {
    /// No solution costs less than this.
    pub(super) bound: f64,
    /// What is left of each node's cost: a solution costs at least the bound and what is left of its nodes.
    pub(super) left: Vec<f64>,
    /// The sets, and how much each was charged.
    pub(super) sets: Vec<(f64, Vec<usize>)>,
    /// Elementary steps made.
    pub(super) steps: u64,
}

/// Who needs a node, who raises a demand, which demand a way meets.
#[derive(Clone, Debug)]
pub(super) struct Backwards {
    users: Vec<Vec<usize>>,
    raisers: Vec<Vec<usize>>,
    /// The demand that a way meets.
    pub(super) meets: Vec<Option<usize>>,
}

impl Backwards {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut backwards = Self {
            users: vec![Vec::new(); graph.nodes.len()],
            raisers: vec![Vec::new(); graph.demands.len()],
            meets: vec![None; graph.nodes.len()],
        };
        for (position, node) in graph.nodes.iter().enumerate() {
            for &needed in &node.needs {
                backwards.users[needed].push(position);
            }
            for &demand in &node.raises {
                backwards.raisers[demand].push(position);
            }
        }
        for (demand, ways) in graph.demands.iter().enumerate() {
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
    Node(usize),
    /// A demand it raises.
    Demand(usize),
}

/// The state of the charging.
#[derive(Debug)]
struct Ascent<'a> {
    graph: &'a Graph,
    backwards: &'a Backwards,
    left: Vec<f64>,
    /// Nodes and demands that cost nothing more.
    node_free: Vec<bool>,
    demand_free: Vec<bool>,
    /// In which round each was seen last.
    node_seen: Vec<u32>,
    demand_seen: Vec<u32>,
    why: Vec<Why>,
    /// Ways of a demand that may still be had for nothing.
    ways_left: Vec<usize>,
    now: u32,
    steps: u64,
}

/// Charges sets of nodes in turn for each demand in the order given, all of them always-demands.
pub(super) fn ascend(
    graph: &Graph,
    backwards: &Backwards,
    costs: Vec<f64>,
    order: &[usize],
    most_steps: u64,
) -> Charged {
    let (nodes, demands) = (graph.nodes.len(), graph.demands.len());
    let mut ascent = Ascent {
        graph,
        backwards,
        left: costs,
        node_free: vec![false; nodes],
        demand_free: vec![false; demands],
        node_seen: vec![0; nodes],
        demand_seen: vec![0; demands],
        why: vec![Why::Unknown; nodes],
        ways_left: vec![0; demands],
        now: 0,
        steps: 0,
    };
    let mut sets = Vec::new();
    let mut waiting: Vec<usize> = order.to_vec();
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
    fn charge(&mut self, root: usize) -> Option<(f64, Vec<usize>)> {
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
    fn explore(&mut self, root: usize) -> (Vec<usize>, Vec<usize>) {
        let graph = self.graph;
        let (mut nodes, mut demands): (Vec<usize>, Vec<usize>) = (Vec::new(), vec![root]);
        self.demand_seen[root] = self.now;
        let (mut next_node, mut next_demand) = (0, 0);
        loop {
            self.steps += 1;
            let (more_nodes, more_demands): (&[usize], &[usize]) =
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
    fn block(&mut self, nodes: &[usize]) {
        let backwards = self.backwards;
        let mut heap: BinaryHeap<(u64, usize, bool)> = BinaryHeap::new();
        for &node in nodes {
            if self.left[node] > 0.0 {
                self.why[node] = Why::Itself;
                heap.push((self.left[node].to_bits(), node, true));
            }
        }
        while let Some((left, position, is_node)) = heap.pop() {
            let (users, why) = if is_node {
                if let Some(demand) = backwards.meets[position]
                    && self.demand_seen[demand] == self.now
                {
                    self.ways_left[demand] -= 1;
                    if self.ways_left[demand] == 0 {
                        heap.push((left, demand, false));
                    }
                }
                (&backwards.users[position], Why::Node(position))
            } else {
                (&backwards.raisers[position], Why::Demand(position))
            };
            for &user in users {
                self.steps += 1;
                if self.node_seen[user] == self.now && self.why[user] == Why::Unknown {
                    self.why[user] = why;
                    heap.push((left, user, true));
                }
            }
        }
    }

    /// What nothing stands against costs nothing more, for good.
    fn set_free(&mut self, (nodes, demands): &(Vec<usize>, Vec<usize>)) {
        for &node in nodes {
            self.node_free[node] |= self.why[node] == Why::Unknown;
        }
        for &demand in demands {
            self.demand_free[demand] |=
                self.graph.demands[demand].iter().any(|&way| self.node_free[way]);
        }
    }

    /// A set of nodes of which every solution has one: for each way of the demand, and of further ones, what stands against it.
    fn charged_set(&mut self, root: usize) -> Vec<usize> {
        let graph = self.graph;
        let mut set = Vec::new();
        self.now += 1;
        let mut demands = vec![root];
        let mut nodes: Vec<usize> = Vec::new();
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
