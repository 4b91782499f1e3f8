//! Branch and bound over nodes: reduce, bound from below, find an incumbent, drop what cannot be
//! part of a better solution, then solve once without and once with a node.
//!
//! Branching on whether a node (mostly a shared item) is selected changes far more than branching
//! on the way of one demand, and both branches reduce further.

use super::IdVec;
use super::ascent::{LowerBound, ReverseEdges, ascend};
use super::components::split_components;
use super::graph::{Choice, Graph};
use super::id::NodeId;
use super::local_search::{LocalSearch, ScoredChoice};
use super::presolve::{ReducedProgram, reduce};

/// Improvements smaller than this share of the best known cost are not searched for.
pub(super) const GAP_TOLERANCE: f64 = 1e-10;

/// The outcome of a subtree.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// A solution below the limit given, as the way of each demand of the graph given.
    pub(super) choice: Option<Choice>,
    /// Its cost; without a solution, the limit given.
    pub(super) cost: f64,
    /// No solution of the subtree costs less.
    pub(super) bound: f64,
}

/// A search with its budget.
#[derive(Debug)]
pub(super) struct BranchAndBound {
    /// Elementary steps made.
    pub(super) steps: u64,
    /// The number of steps at which to stop branching; open subtrees then keep their bounds.
    pub(super) until: u64,
    /// The multiplier of each bounded weight (see `relaxation`).
    pub(super) prices: Vec<f64>,
}

/// Elementary steps that reducing a graph takes, relative to its size: some rounds, each with
/// several passes.
const REDUCTION_STEPS: u64 = 30;

/// How deep branches may nest; a guard for the stack.
const DEPTH_MAX: u32 = 150;

impl BranchAndBound {
    /// The cheapest solution of a graph below `limit`. `depth`: how many branches led here.
    pub(super) fn solve(&mut self, graph: Graph, limit: f64, depth: u32) -> Outcome {
        let none = |bound: f64| Outcome { choice: None, cost: limit, bound };
        self.steps += graph.size() * REDUCTION_STEPS;
        let demands = graph.demands.len();
        let Ok(reduced) = reduce(graph) else { return none(f64::INFINITY) };
        if reduced.base >= improvement_threshold(limit) {
            return none(reduced.base);
        }
        // A bound couples all components.
        let part = if reduced.graph.limits.is_empty() {
            self.solve_parts(&reduced.graph, limit - reduced.base, depth)
        } else {
            self.solve_reduced(&reduced.graph, limit - reduced.base, depth)
        };
        Outcome {
            choice: part.choice.map(|choice| reduced.widen(&choice, demands)),
            cost: part.cost + reduced.base,
            bound: part.bound + reduced.base,
        }
    }

    /// The same for a reduced graph, which may fall into components.
    ///
    /// Each component may cost at most the limit less the lower bounds of the others. Bounds of
    /// components solved already replace their estimates, so the limits get tighter.
    fn solve_parts(&mut self, graph: &Graph, limit: f64, depth: u32) -> Outcome {
        let parts = split_components(graph);
        if parts.len() < 2 {
            return self.solve_reduced(graph, limit, depth);
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
            let outcome = self.solve_reduced(&part.graph, limit - others, depth);
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

    /// The same for a reduced and connected graph.
    fn solve_reduced(&mut self, graph: &Graph, limit: f64, depth: u32) -> Outcome {
        let mut outcome = Outcome { choice: None, cost: limit, bound: 0.0 };
        if graph.demands.is_empty() {
            return Outcome { choice: Some(Choice::new()), cost: 0.0, bound: 0.0 };
        }
        let reverse = ReverseEdges::new(graph);
        let lower = self.lower_bound(graph, &reverse);
        outcome.bound = lower.bound.max(0.0);
        if outcome.bound >= improvement_threshold(limit) {
            return outcome;
        }
        let incumbent = self.find_incumbent(graph, depth);
        if let Some(incumbent) = &incumbent
            && incumbent.score.excess <= 0.0
            && incumbent.score.cost < improvement_threshold(outcome.cost)
        {
            outcome.cost = incumbent.score.cost;
            outcome.choice = Some(incumbent.choice.clone());
        }
        if outcome.bound >= improvement_threshold(outcome.cost)
            || self.steps >= self.until
            || depth >= DEPTH_MAX
        {
            return outcome;
        }
        let excluded = self.non_improving_nodes(graph, &lower, outcome.cost);
        let count = excluded.iter().filter(|excluded| **excluded).count();
        // Many nodes are excluded: reducing again is worth more than branching now, and costs no
        // depth.
        if count * 10 > excluded.len() {
            let rest = self.solve(graph.exclude_nodes(&excluded), outcome.cost, depth);
            return outcome.combine(rest);
        }
        let Some(node) = select_branch_node(graph, &lower, incumbent.as_ref()) else {
            return outcome;
        };
        // No improving solution selects the excluded nodes, so both branches leave them out.
        let mut excluded = excluded;
        excluded[node] = true;
        let without = self.solve(graph.exclude_nodes(&excluded), outcome.cost, depth + 1);
        let bound_without = without.bound;
        // The bound of one branch is none of the whole: only the lower of the two is.
        outcome = Outcome { bound: outcome.bound, ..outcome.clone().combine(without) };
        excluded[node] = false;
        let forced = graph.exclude_nodes(&excluded).with_node(node, reverse.meets[node]);
        let with = self.solve(forced, outcome.cost, depth + 1);
        let bound = outcome.bound.max(bound_without.min(with.bound));
        let combined = outcome.combine(with);
        Outcome { bound: bound.min(combined.cost), ..combined }
    }

    /// A lower bound by dual ascent, on costs that include the multipliers.
    fn lower_bound(&mut self, graph: &Graph, reverse: &ReverseEdges) -> LowerBound {
        let priced = |weights: &[f64]| {
            weights.iter().zip(&self.prices).map(|(weight, price)| weight * price).sum::<f64>()
        };
        let costs = graph.nodes.iter().map(|node| node.cost + priced(&node.weights)).collect();
        let given = priced(&graph.limits);
        let mut lower = ascend(graph, reverse, costs, &graph.always, u64::MAX);
        self.steps += lower.steps;
        lower.bound -= given;
        lower
    }

    /// A solution by a short local search: longer near the root, where a better incumbent prunes
    /// most.
    fn find_incumbent(&mut self, graph: &Graph, depth: u32) -> Option<ScoredChoice> {
        let mut local = LocalSearch::new(graph);
        if graph.limits.is_empty() {
            local.completer().penalty = 0.0;
        } else {
            local.completer().prices.clone_from(&self.prices);
            local.completer().penalty = graph.nodes.iter().map(|node| node.cost).sum::<f64>();
            local.completer().estimate();
        }
        let mut found = local.start(None)?;
        let effort = if depth < 4 { 200 } else { 20 };
        local.descend(&mut found, graph.size() * effort);
        self.steps += local.steps();
        Some(found)
    }

    /// Nodes that no solution below the limit selects (reduced cost fixing): the lower bound plus
    /// the reduced costs of all nodes that they need reaches the limit.
    fn non_improving_nodes(
        &mut self,
        graph: &Graph,
        lower: &LowerBound,
        limit: f64,
    ) -> IdVec<NodeId, bool> {
        let closures = graph.closures();
        self.steps += graph.size() * 2;
        closures
            .iter()
            .map(|closure| {
                lower.bound + closure.iter().map(|&node| lower.reduced_costs[node]).sum::<f64>()
                    >= improvement_threshold(limit)
            })
            .collect()
    }
}

impl Outcome {
    /// Combines with a later subtree, which was given this one's cost as its limit.
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
    /// Maps a choice for the reduced graph to the graph before the reduction, which had `demands`
    /// demands.
    pub(super) fn widen(&self, choice: &Choice, demands: usize) -> Choice {
        let rest = std::iter::repeat(&None);
        let mut wide: Choice = self.taken.iter().chain(rest).take(demands).copied().collect();
        // The choice may have more demands, which `with_node` added to select a node; `zip` drops
        // them.
        for (&demand, &way) in self.demand_was.iter().zip(choice) {
            wide[demand] = way.and_then(|way| self.node_was.member(way).copied());
        }
        wide
    }
}

/// The lower bound from which on a subtree cannot improve on a cost.
pub(super) fn improvement_threshold(cost: f64) -> f64 {
    if cost.is_finite() { cost - cost.abs() * GAP_TOLERANCE } else { cost }
}

/// Selects the node of the incumbent that contributes most to the gap between its cost and the
/// bound.
///
/// Without bounded weights the gap consists of the reduced costs of the incumbent's nodes and of
/// the charges of cuts that it hits more than once (complementary slackness), so these are the
/// scores.
fn select_branch_node(
    graph: &Graph,
    lower: &LowerBound,
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
    let mut scores = lower.reduced_costs.clone();
    for (charge, cut) in &lower.cuts {
        if cut.iter().filter(|&&node| had[node]).count() > 1 {
            for &node in cut {
                scores[node] += charge;
            }
        }
    }
    let had = scores.ids().filter(|&node| had[node] || found.is_none());
    had.max_by(|&left, &right| scores[left].total_cmp(&scores[right]).then(right.cmp(&left)))
}
