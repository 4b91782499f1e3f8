//! Branch and bound: what cannot be part of a better solution is dropped, then a node is had or not.

use super::IdVec;
use super::ascent::{LowerBound, ReverseEdges, ascend};
use super::components::split_components;
use super::graph::{Choice, Graph};
use super::id::NodeId;
use super::local_search::{LocalSearch, ScoredChoice};
use super::presolve::{ReducedProgram, reduce};

/// Solutions closer than this to the best known, as a share of it, are not looked for.
pub(super) const GAP_TOLERANCE: f64 = 1e-10;

/// What a part of the search came to.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// A solution below the limit given, as the way of each demand of the graph given.
    pub(super) choice: Option<Choice>,
    /// What it costs; without a solution, the limit given.
    pub(super) cost: f64,
    /// No solution costs less.
    pub(super) bound: f64,
}

/// Branch and bound with what it may use up.
#[derive(Debug)]
pub(super) struct BranchAndBound {
    /// Elementary steps made.
    pub(super) steps: u64,
    /// Where to stop.
    pub(super) until: u64,
    /// What a unit of each bound's weight costs beside the nodes' own costs.
    pub(super) prices: Vec<f64>,
}

/// Rounds of making smaller, each with everything looked at a few times.
const REDUCTION_STEPS: u64 = 30;

/// How deep branches may nest.
const DEPTH_MAX: u32 = 150;

impl BranchAndBound {
    /// Solutions of a graph that cost less than the limit. `deep`: how many branches led here.
    pub(super) fn solve(&mut self, graph: Graph, limit: f64, deep: u32) -> Outcome {
        let none = |bound: f64| Outcome { choice: None, cost: limit, bound };
        self.steps += graph.size() * REDUCTION_STEPS;
        let demands = graph.demands.len();
        let Ok(reduced) = reduce(graph) else { return none(f64::INFINITY) };
        if reduced.base >= improvement_threshold(limit) {
            return none(reduced.base);
        }
        let part = if reduced.graph.most.is_empty() {
            self.solve_parts(&reduced.graph, limit - reduced.base, deep)
        } else {
            self.solve_reduced(&reduced.graph, limit - reduced.base, deep)
        };
        Outcome {
            choice: part.choice.map(|choice| reduced.widen(&choice, demands)),
            cost: part.cost + reduced.base,
            bound: part.bound + reduced.base,
        }
    }

    /// The same for a graph that is as small as it gets and may have parts.
    fn solve_parts(&mut self, graph: &Graph, limit: f64, deep: u32) -> Outcome {
        let parts = split_components(graph);
        if parts.len() < 2 {
            return self.solve_reduced(graph, limit, deep);
        }
        let mut bounds: Vec<f64> = parts
            .iter()
            .map(|part| {
                self.lower_bound(&part.graph, &ReverseEdges::new(&part.graph)).bound.max(0.0)
            })
            .collect();
        let mut choice = Choice::from_elem(None, graph.demands.len());
        let mut cost = 0.0;
        for (position, part) in parts.iter().enumerate() {
            let others: f64 = bounds.iter().sum::<f64>() - bounds[position];
            let outcome = self.solve_reduced(&part.graph, limit - others, deep);
            bounds[position] = bounds[position].max(outcome.bound);
            let Some(found) = outcome.choice else {
                return Outcome { choice: None, cost: limit, bound: bounds.iter().sum() };
            };
            cost += outcome.cost;
            for (&demand, &way) in part.demand_was.iter().zip(&found) {
                choice[demand] = way.and_then(|way| part.node_was.member(way).copied());
            }
        }
        let bound = bounds.iter().sum();
        if cost < improvement_threshold(limit) {
            Outcome { choice: Some(choice), cost, bound }
        } else {
            Outcome { choice: None, cost: limit, bound }
        }
    }

    /// The same for a graph that is as small as it gets.
    fn solve_reduced(&mut self, graph: &Graph, limit: f64, deep: u32) -> Outcome {
        let mut outcome = Outcome { choice: None, cost: limit, bound: 0.0 };
        if graph.demands.is_empty() {
            return Outcome { choice: Some(Choice::new()), cost: 0.0, bound: 0.0 };
        }
        let backwards = ReverseEdges::new(graph);
        let charged = self.lower_bound(graph, &backwards);
        outcome.bound = charged.bound.max(0.0);
        if outcome.bound >= improvement_threshold(limit) {
            return outcome;
        }
        let found = self.find_incumbent(graph, deep);
        if let Some(found) = &found
            && found.score.excess <= 0.0
            && found.score.cost < improvement_threshold(outcome.cost)
        {
            outcome.cost = found.score.cost;
            outcome.choice = Some(found.choice.clone());
        }
        if outcome.bound >= improvement_threshold(outcome.cost)
            || self.steps >= self.until
            || deep >= DEPTH_MAX
        {
            return outcome;
        }
        let gone = self.non_improving_nodes(graph, &charged, outcome.cost);
        let count = gone.iter().filter(|gone| **gone).count();
        if count * 10 > gone.len() {
            let rest = self.solve(graph.exclude_nodes(&gone), outcome.cost, deep);
            return outcome.combine(rest);
        }
        let Some(node) = select_branch_node(graph, &charged, found.as_ref()) else {
            return outcome;
        };
        let mut gone = gone;
        gone[node] = true;
        let below = self.solve(graph.exclude_nodes(&gone), outcome.cost, deep + 1);
        let without = below.bound;
        outcome = Outcome { bound: outcome.bound, ..outcome.clone().combine(below) };
        gone[node] = false;
        let with = graph.exclude_nodes(&gone).with_node(node, backwards.meets[node]);
        let above = self.solve(with, outcome.cost, deep + 1);
        let bound = outcome.bound.max(without.min(above.bound));
        let joined = outcome.combine(above);
        Outcome { bound: bound.min(joined.cost), ..joined }
    }

    /// A bound from below with the bounds' prices.
    fn lower_bound(&mut self, graph: &Graph, backwards: &ReverseEdges) -> LowerBound {
        let priced = |weights: &[f64]| {
            weights.iter().zip(&self.prices).map(|(weight, price)| weight * price).sum::<f64>()
        };
        let costs = graph.nodes.iter().map(|node| node.cost + priced(&node.weights)).collect();
        let given = priced(&graph.most);
        let mut charged = ascend(graph, backwards, costs, &graph.always, u64::MAX);
        self.steps += charged.steps;
        charged.bound -= given;
        charged
    }

    /// A solution by a short search.
    fn find_incumbent(&mut self, graph: &Graph, deep: u32) -> Option<ScoredChoice> {
        let mut local = LocalSearch::new(graph);
        if graph.most.is_empty() {
            local.completer().penalty = 0.0;
        } else {
            local.completer().prices.clone_from(&self.prices);
            local.completer().penalty = graph.nodes.iter().map(|node| node.cost).sum::<f64>();
            local.completer().estimate();
        }
        let mut found = local.start(None)?;
        let effort = if deep < 4 { 200 } else { 20 };
        local.descend(&mut found, graph.size() * effort);
        self.steps += local.steps();
        Some(found)
    }

    /// Nodes that a solution below the limit cannot have: the bound and what is left of all that they bring come to more.
    fn non_improving_nodes(
        &mut self,
        graph: &Graph,
        charged: &LowerBound,
        limit: f64,
    ) -> IdVec<NodeId, bool> {
        let closures = graph.closures();
        self.steps += graph.size() * 2;
        closures
            .iter()
            .map(|closure| {
                charged.bound + closure.iter().map(|&node| charged.left[node]).sum::<f64>()
                    >= improvement_threshold(limit)
            })
            .collect()
    }
}

impl Outcome {
    /// With what a further part came to, which was given this one's cost as its limit.
    fn combine(self, further: Self) -> Self {
        match further.choice {
            Some(choice) => Self {
                choice: Some(choice),
                cost: further.cost,
                bound: self.bound.max(further.bound.min(further.cost)),
            },
            None => Self { bound: self.bound.max(further.bound.min(self.cost)), ..self },
        }
    }
}

impl ReducedProgram {
    /// What a choice in the smaller graph is in the one before, which had so many demands.
    pub(super) fn widen(&self, choice: &Choice, demands: usize) -> Choice {
        let rest = std::iter::repeat(&None);
        let mut wide: Choice = self.taken.iter().chain(rest).take(demands).copied().collect();
        // Demands behind those of the graph were made to have a node in any case.
        for (&demand, &way) in self.demand_was.iter().zip(choice) {
            wide[demand] = way.and_then(|way| self.node_was.member(way).copied());
        }
        wide
    }
}

/// Where a bound is as good as a cost.
pub(super) fn improvement_threshold(cost: f64) -> f64 {
    if cost.is_finite() { cost - cost.abs() * GAP_TOLERANCE } else { cost }
}

/// The node of a solution that most of the gap hangs on: it shares sets that were charged once with other nodes of the solution.
fn select_branch_node(
    graph: &Graph,
    charged: &LowerBound,
    found: Option<&ScoredChoice>,
) -> Option<NodeId> {
    let mut had = IdVec::<NodeId, bool>::from_elem(false, graph.nodes.len());
    if let Some(found) = found {
        let mut nodes: Vec<NodeId> = found.choice.iter().copied().flatten().collect();
        while let Some(node) = nodes.pop() {
            if !std::mem::replace(&mut had[node], true) {
                nodes.extend_from_slice(&graph.nodes[node].needs);
            }
        }
    }
    let mut scores = charged.left.clone();
    for (charge, set) in &charged.sets {
        if set.iter().filter(|&&node| had[node]).count() > 1 {
            for &node in set {
                scores[node] += charge;
            }
        }
    }
    let had = scores.ids().filter(|&node| had[node] || found.is_none());
    had.max_by(|&left, &right| scores[left].total_cmp(&scores[right]).then(right.cmp(&left)))
}
