//! From the ways of some demands to a whole solution: what they lead to is had, and further demands take what is cheapest to add.

use super::graph::{Choice, Graph, with_slack};
use super::id::NodeId;
use super::{DemandId, IdVec};

/// How deep the price of a way looks into demands that it would raise.
const DEPTH: u32 = 2;

/// What a solution costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// The sum of the costs.
    pub(super) cost: f64,
    /// How much the bounds are exceeded by, each as a share of itself.
    pub(super) excess: f64,
    /// Cost with the bounds' prices.
    pub(super) value: f64,
}

/// Completes choices of ways.
#[derive(Debug)]
pub(super) struct Completer<'a> {
    pub(super) graph: &'a Graph,
    /// What each node brings with it.
    pub(super) closures: IdVec<NodeId, Vec<NodeId>>,
    /// What a unit of each bound's weight costs beside the nodes' own costs.
    pub(super) prices: Vec<f64>,
    /// What a whole bound in excess costs.
    pub(super) penalty: f64,
    /// For each node the ways that bring it.
    pub(super) brought_by: IdVec<NodeId, Vec<NodeId>>,
    /// Nodes that may not be had.
    pub(super) banned: IdVec<NodeId, bool>,
    /// A demand that is raised in any case, beside those of the graph.
    pub(super) forced: Option<DemandId>,
    /// How many reasons there are not to take a way.
    against: IdVec<NodeId, u32>,
    /// What each demand costs by itself, roughly.
    alone: IdVec<DemandId, f64>,
    node_on: IdVec<NodeId, u32>,
    demand_on: IdVec<DemandId, u32>,
    now: u32,
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
            prices: vec![0.0; graph.most.len()],
            penalty: 0.0,
            banned: IdVec::from_elem(false, graph.nodes.len()),
            forced: None,
            against: IdVec::from_elem(0, graph.nodes.len()),
            alone: IdVec::from_elem(0.0, graph.demands.len()),
            node_on: IdVec::from_elem(0, graph.nodes.len()),
            demand_on: IdVec::from_elem(0, graph.demands.len()),
            now: 1,
            steps: 0,
        };
        completer.estimate();
        completer
    }

    /// Forbids a node, and all ways that bring it.
    pub(super) fn ban(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.banned[node], true) {
            for &way in &self.brought_by[node] {
                self.against[way] += 1;
            }
        }
    }

    /// Allows a node that was forbidden.
    pub(super) fn allow(&mut self, node: NodeId) {
        if std::mem::replace(&mut self.banned[node], false) {
            for &way in &self.brought_by[node] {
                self.against[way] -= 1;
            }
        }
    }

    /// What a node costs with the bounds' prices.
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

    /// What each demand costs by itself: a few rounds, each looking one demand deeper.
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
                                    .map(|&demand| self.alone[demand])
                                    .sum();
                                self.price(node) + raised
                            })
                            .sum::<f64>()
                    });
                    costs.fold(f64::INFINITY, f64::min)
                })
                .collect();
            self.alone = next;
        }
    }

    /// Whether a node is part of the solution that was completed last.
    pub(super) fn has(&self, node: NodeId) -> bool {
        self.node_on[node] == self.now
    }

    /// Whether a demand is raised in the solution that was completed last.
    pub(super) fn is_raised(&self, demand: DemandId) -> bool {
        self.demand_on[demand] == self.now
    }

    /// What a way would add to what is had, roughly.
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
                        self.alone[demand]
                    } else {
                        self.cheapest_way(demand, depth - 1).1
                    };
                }
            }
        }
        sum
    }

    /// The way of a demand that adds least, and what it adds.
    fn cheapest_way(&mut self, demand: DemandId, depth: u32) -> (Option<NodeId>, f64) {
        let graph = self.graph;
        let mut best = (None, f64::INFINITY);
        for &way in &graph.demands[demand] {
            if self.against[way] == 0 {
                let added = self.marginal_cost(way, depth, best.1);
                if added < best.1 {
                    best = (Some(way), added);
                }
            }
        }
        best
    }

    /// Completes a choice: ways chosen are taken where they may be, others are chosen; demands that are not raised choose none.
    /// `None` when it cannot be completed, or comes to at least `limit`.
    pub(super) fn complete(&mut self, choice: &mut Choice, limit: f64) -> Option<Score> {
        let graph = self.graph;
        self.now += 1;
        let mut demands = graph.always.clone();
        demands.extend(self.forced);
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut open: Vec<DemandId> = Vec::new();
        let mut used = vec![0.0; graph.most.len()];
        let mut cost = 0.0;
        loop {
            self.steps += 1;
            if let Some(node) = nodes.pop() {
                if self.has(node) {
                    continue;
                }
                self.node_on[node] = self.now;
                cost += graph.nodes[node].cost;
                if cost >= limit {
                    return None;
                }
                for (sum, weight) in used.iter_mut().zip(&graph.nodes[node].weights) {
                    *sum += weight;
                }
                nodes.extend_from_slice(&graph.nodes[node].needs);
                demands.extend_from_slice(&graph.nodes[node].raises);
            } else if let Some(demand) = demands.pop() {
                if self.is_raised(demand) {
                    continue;
                }
                self.demand_on[demand] = self.now;
                match choice[demand] {
                    Some(way) if self.against[way] == 0 => nodes.push(way),
                    _ => open.push(demand),
                }
            } else if let Some(demand) = open.pop() {
                let way = self.cheapest_way(demand, DEPTH).0?;
                choice[demand] = Some(way);
                nodes.push(way);
            } else {
                break;
            }
        }
        for (demand, way) in choice.enumerate_ids_mut() {
            if self.demand_on[demand] != self.now {
                *way = None;
            }
        }
        let score = self.score(cost, &used);
        (score.value < limit).then_some(score)
    }

    fn score(&self, cost: f64, used: &[f64]) -> Score {
        let mut excess = 0.0;
        for (&used, &most) in used.iter().zip(&self.graph.most) {
            if used > with_slack(most) {
                excess += (used - most) / most.abs().max(1e-9);
            }
        }
        Score { cost, excess, value: cost + self.penalty * excess }
    }
}
