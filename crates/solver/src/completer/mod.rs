//! Completes a choice of ways for some demands to a whole solution: everything they lead to is
//! selected, and further demands take the way that is cheapest to add.
//!
//! Every move of the local search is a changed choice that is completed again, so this is the inner
//! loop of the heuristics. It never backtracks.

mod switch_pricer;

use super::graph::{Choice, Graph, with_slack};
use super::id::NodeId;
use super::{DemandId, IdVec};
use switch_pricer::Region;

/// How many levels of raised demands the marginal cost of a way looks into; below that, precomputed
/// estimates are used.
const DEPTH: u32 = 2;

/// The cost of a solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// The sum of the costs.
    pub(super) cost: f64,
    /// The sum of the excesses over the bounds, each relative to its limit.
    pub(super) excess: f64,
    /// What the search minimises: the cost plus the penalty for excess.
    pub(super) value: f64,
}

/// Whether a node is selected, or a demand raised.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// The epoch in which it is.
    epoch: u32,
    /// By how many selected nodes and raised demands, in the solution that was completed last.
    support: u32,
}

/// The sums of a solution.
#[derive(Clone, Debug, Default)]
struct Total {
    cost: f64,
    /// The weight towards each bound.
    used: Vec<f64>,
}

/// Completes choices of ways. The marks of the last solution are told from older ones by `epoch`.
#[derive(Debug)]
pub(super) struct Completer<'a> {
    pub(super) graph: &'a Graph,
    /// For each node all nodes that it selects by needs alone.
    pub(super) closures: IdVec<NodeId, Vec<NodeId>>,
    /// The price of a unit of each bounded weight. It steers the choice of ways, but is no part of
    /// scores.
    pub(super) prices: Vec<f64>,
    /// The penalty for exceeding a bound by its whole limit.
    pub(super) penalty: f64,
    /// For each node the ways whose closures contain it.
    pub(super) brought_by: IdVec<NodeId, Vec<NodeId>>,
    /// Nodes that must not be selected.
    pub(super) banned: IdVec<NodeId, bool>,
    /// A demand that is raised in any case, in addition to those of the graph.
    pub(super) forced: Option<DemandId>,
    /// For each way how many nodes of its closure are banned.
    bans: IdVec<NodeId, u32>,
    /// For each demand an estimate of its cost when nothing is shared.
    estimates: IdVec<DemandId, f64>,
    nodes: IdVec<NodeId, Mark>,
    demands: IdVec<DemandId, Mark>,
    epoch: u32,
    /// The totals of the solution that was completed last.
    total: Total,
    /// Space for `switch_pricer`.
    region: Region,
    /// Elementary steps made.
    pub(super) steps: u64,
}

impl<'a> Completer<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let closures = graph.closures();
        let mut brought_by: IdVec<NodeId, Vec<NodeId>> =
            IdVec::from_elem(Vec::new(), graph.nodes.len());
        for &way in graph.demands.iter().flatten() {
            for &node in &closures[way] {
                brought_by[node].push(way);
            }
        }
        let mut completer = Self {
            graph,
            closures,
            brought_by,
            prices: vec![0.0; graph.limits.len()],
            penalty: 0.0,
            banned: IdVec::from_elem(false, graph.nodes.len()),
            forced: None,
            bans: IdVec::from_elem(0, graph.nodes.len()),
            estimates: IdVec::from_elem(0.0, graph.demands.len()),
            nodes: IdVec::from_elem(Mark::default(), graph.nodes.len()),
            demands: IdVec::from_elem(Mark::default(), graph.demands.len()),
            epoch: 1,
            total: Total::default(),
            region: Region::new(graph.nodes.len(), graph.demands.len()),
            steps: 0,
        };
        completer.estimate();
        completer
    }

    /// Bans a node, and thereby all ways that need it.
    pub(super) fn ban(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.banned[node], true) {
            for &way in &self.brought_by[node] {
                self.bans[way] += 1;
            }
        }
    }

    /// Lifts the ban on a node.
    pub(super) fn allow(&mut self, node: NodeId) {
        if std::mem::replace(&mut self.banned[node], false) {
            for &way in &self.brought_by[node] {
                self.bans[way] -= 1;
            }
        }
    }

    /// The cost of a node plus the price of its weights.
    fn price(&self, node: NodeId) -> f64 {
        let node = &self.graph.nodes[node];
        node.cost
            + node
                .weights
                .iter()
                .zip(&self.prices)
                .map(|(weight, price)| weight * price)
                .sum::<f64>()
    }

    /// Estimates the cost of each demand by itself, in a few rounds that each look one demand
    /// deeper. To be called again when the prices change.
    pub(super) fn estimate(&mut self) {
        for _ in 0..4 {
            let next = self
                .graph
                .demands
                .iter()
                .map(|ways| {
                    let costs = ways.iter().map(|&way| {
                        self.closures[way]
                            .iter()
                            .map(|&node| {
                                let raised: f64 = self.graph.nodes[node]
                                    .raises
                                    .iter()
                                    .map(|&demand| self.estimates[demand])
                                    .sum();
                                self.price(node) + raised
                            })
                            .sum::<f64>()
                    });
                    costs.fold(f64::INFINITY, f64::min)
                })
                .collect();
            self.estimates = next;
        }
    }

    /// Whether a node is part of the solution that was completed last.
    fn has(&self, node: NodeId) -> bool {
        self.nodes[node].epoch == self.epoch
    }

    /// Whether a demand is raised in the solution that was completed last.
    fn is_raised(&self, demand: DemandId) -> bool {
        self.demands[demand].epoch == self.epoch
    }

    /// Selects a node and adds its cost and weights; `false` if it was selected already.
    fn select(&mut self, node: NodeId, cost: &mut f64, used: &mut [f64]) -> bool {
        if self.has(node) {
            return false;
        }
        self.reselect(node);
        let node = &self.graph.nodes[node];
        *cost += node.cost;
        for (sum, weight) in used.iter_mut().zip(&node.weights) {
            *sum += weight;
        }
        true
    }

    /// Marks a node as selected.
    fn reselect(&mut self, node: NodeId) {
        self.nodes[node].epoch = self.epoch;
    }

    /// Takes back the selection of a node.
    fn deselect(&mut self, node: NodeId) {
        // Epochs begin with 1.
        self.nodes[node].epoch = 0;
    }

    /// Raises a demand; `false` if it was raised already.
    fn raise(&mut self, demand: DemandId) -> bool {
        std::mem::replace(&mut self.demands[demand].epoch, self.epoch) != self.epoch
    }

    /// Takes back that a demand is raised.
    fn lower(&mut self, demand: DemandId) {
        self.demands[demand].epoch = 0;
    }

    /// How often a node is selected in the solution that was completed last.
    fn node_support(&self, node: NodeId) -> u32 {
        self.nodes[node].support
    }

    /// How often a demand is raised in the solution that was completed last.
    fn demand_support(&self, demand: DemandId) -> u32 {
        self.demands[demand].support
    }

    /// Whether nothing that a way needs is banned.
    fn can_take(&self, way: NodeId) -> bool {
        self.bans[way] == 0
    }

    /// The way of a demand that adds least to what is selected.
    fn find_cheapest_way(&mut self, demand: DemandId) -> Option<NodeId> {
        self.cheapest_way(demand, DEPTH).0
    }

    /// An estimate of what a way would add to what is selected; abandoned once it reaches `least`.
    fn marginal_cost(&mut self, way: NodeId, depth: u32, least: f64) -> f64 {
        let graph = self.graph;
        let mut sum = 0.0;
        for at in 0..self.closures[way].len() {
            let node = self.closures[way][at];
            self.steps += 1;
            if self.has(node) {
                continue;
            }
            sum += self.price(node);
            for &demand in &graph.nodes[node].raises {
                if sum >= least {
                    return sum;
                }
                if !self.is_raised(demand) {
                    sum += if depth == 0 {
                        self.estimates[demand]
                    } else {
                        self.cheapest_way(demand, depth - 1).1
                    };
                }
            }
        }
        sum
    }

    /// The way of a demand that adds least, and how much it adds.
    fn cheapest_way(&mut self, demand: DemandId, depth: u32) -> (Option<NodeId>, f64) {
        let graph = self.graph;
        let mut best = (None, f64::INFINITY);
        for &way in &graph.demands[demand] {
            if self.bans[way] == 0 {
                let added = self.marginal_cost(way, depth, best.1);
                if added < best.1 {
                    best = (Some(way), added);
                }
            }
        }
        best
    }

    /// Completes a choice: chosen ways are taken unless banned, the other raised demands get one,
    /// and those that are not raised get none. `None` when it cannot be completed, or its value
    /// reaches `limit`.
    ///
    /// Demands without a chosen way wait until everything that follows from chosen ways is
    /// selected, so that their marginal costs see all items that are paid for already.
    pub(super) fn complete(&mut self, choice: &mut Choice, limit: f64) -> Option<Score> {
        let graph = self.graph;
        self.epoch += 1;
        let mut demands = graph.always.clone();
        demands.extend(self.forced);
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut open: Vec<DemandId> = Vec::new();
        let mut used = vec![0.0; graph.limits.len()];
        let mut cost = 0.0;
        loop {
            self.steps += 1;
            if let Some(node) = nodes.pop() {
                if !self.select(node, &mut cost, &mut used) {
                    self.nodes[node].support += 1;
                    continue;
                }
                self.nodes[node].support = 1;
                if cost >= limit {
                    return None;
                }
                nodes.extend_from_slice(&graph.nodes[node].needs);
                demands.extend_from_slice(&graph.nodes[node].raises);
            } else if let Some(demand) = demands.pop() {
                if !self.raise(demand) {
                    self.demands[demand].support += 1;
                    continue;
                }
                self.demands[demand].support = 1;
                match choice[demand] {
                    Some(way) if self.can_take(way) => nodes.push(way),
                    _ => open.push(demand),
                }
            } else if let Some(demand) = open.pop() {
                let way = self.find_cheapest_way(demand)?;
                choice[demand] = Some(way);
                nodes.push(way);
            } else {
                break;
            }
        }
        for (demand, way) in choice.enumerate_ids_mut() {
            if self.demands[demand].epoch != self.epoch {
                *way = None;
            }
        }
        let score = self.score(cost, &used);
        self.total = Total { cost, used };
        (score.value < limit).then_some(score)
    }

    fn score(&self, cost: f64, used: &[f64]) -> Score {
        let mut excess = 0.0;
        for (&used, &most) in used.iter().zip(&self.graph.limits) {
            if used > with_slack(most) {
                excess += (used - most) / most.abs().max(1e-9);
            }
        }
        Score { cost, excess, value: cost + self.penalty * excess }
    }
}
