//! Solves a program: makes it smaller, searches, and says how far from the best the answer can be.

use super::alternatives::{first_ways, keeps};
use super::ascent::{Backwards, ascend};
use super::complete::NONE;
use super::graph::Graph;
use super::local::{Found, LocalSearch, STEPS_PER_UNIT};
use super::presolve::{Reduced, Stuck, reduce};
use super::searching::search;
use super::{Bound, Infeasible, Program, Solution};

/// The cheapest solution that `work` units find, and a cost below which there is none. The same input gives the same answer.
pub fn solve(program: &Program, bounds: &[Bound], work: u64) -> Result<Solution, Infeasible> {
    solve_from(program, bounds, None, work)
}

/// As [`solve`], from a solution that may not be one any more.
pub(super) fn solve_from(
    program: &Program,
    bounds: &[Bound],
    from: Option<&Solution>,
    work: u64,
) -> Result<Solution, Infeasible> {
    let graph = Graph::of(program, bounds);
    let reduced = match reduce(graph.clone()) {
        Ok(reduced) => reduced,
        Err(Stuck::Demand(demand)) => return Err(Infeasible::Demand(demand)),
        Err(Stuck::Bound(bound, left)) => {
            let least = bounds.get(bound).map_or(0.0, |bound| bound.most) - left;
            return Err(Infeasible::Bound { bound, least, certain: true });
        }
    };
    let from = from.map(|from| choice_of(program, &reduced, from));
    let steps = work.saturating_mul(STEPS_PER_UNIT);
    let mut local = LocalSearch::new(&reduced.graph);
    let found = search(&mut local, from.as_deref(), steps).unwrap_or_default();
    let costs = reduced.graph.nodes.iter().map(|node| node.cost).collect();
    let charged =
        ascend(&reduced.graph, &Backwards::of(&reduced.graph), costs, &reduced.graph.always, steps);
    let solution = expand(program, &graph, &reduced, &found, charged.bound + reduced.base);
    if keeps(program, bounds, &solution.items) {
        return Ok(solution);
    }
    Err(exceeded(program, bounds, &solution))
}

/// The bound that a solution exceeds most.
fn exceeded(program: &Program, bounds: &[Bound], solution: &Solution) -> Infeasible {
    let weight = |bound: usize| -> f64 {
        let had = program.items.iter().zip(&solution.items).filter(|(_, had)| **had);
        had.map(|(item, _)| item.weights.get(bound).copied().unwrap_or(0.0).max(0.0)).sum()
    };
    let share =
        |bound: usize| (weight(bound) - bounds[bound].most) / bounds[bound].most.abs().max(1e-9);
    let bound =
        (0..bounds.len()).max_by(|&left, &right| share(left).total_cmp(&share(right))).unwrap_or(0);
    Infeasible::Bound { bound, least: weight(bound), certain: false }
}

/// What a solution of the program chooses in the smaller one.
fn choice_of(program: &Program, reduced: &Reduced, from: &Solution) -> Vec<usize> {
    let first = first_ways(program);
    let mut choice = vec![NONE; reduced.graph.demands.len()];
    for (demand, &was) in reduced.demand_was.iter().enumerate() {
        if let (Some(&first), Some(&Some(way))) = (first.get(was), from.ways.get(was)) {
            let same = |&node: &usize| reduced.node_was[node] == first + way;
            choice[demand] =
                reduced.graph.demands[demand].iter().copied().find(same).unwrap_or(NONE);
        }
    }
    choice
}

/// The solution of the program from that of the smaller one.
fn expand(
    program: &Program,
    graph: &Graph,
    reduced: &Reduced,
    found: &Found,
    bound: f64,
) -> Solution {
    let mut taken = reduced.taken.clone();
    for (demand, &way) in found.choice.iter().enumerate() {
        taken[reduced.demand_was[demand]] = reduced.node_was.get(way).copied();
    }
    let mut solution = Solution {
        ways: vec![None; program.demands.len()],
        items: vec![false; program.items.len()],
        cost: 0.0,
        bound,
    };
    let first = first_ways(program);
    let mut had = vec![false; graph.nodes.len()];
    let mut demands: Vec<usize> = graph.always.clone();
    let mut nodes: Vec<usize> = Vec::new();
    loop {
        if let Some(node) = nodes.pop() {
            if !std::mem::replace(&mut had[node], true) {
                nodes.extend_from_slice(&graph.nodes[node].needs);
                demands.extend_from_slice(&graph.nodes[node].raises);
            }
        } else if let Some(demand) = demands.pop() {
            if let (None, Some(way)) = (solution.ways[demand], taken[demand]) {
                solution.ways[demand] = Some(way - first[demand]);
                nodes.push(way);
            }
        } else {
            break;
        }
    }
    // Adding up in the order of the program gives the same sum however the solution was found.
    solution.cost =
        (0..had.len()).filter(|&node| had[node]).map(|node| graph.nodes[node].cost).sum();
    solution.items.copy_from_slice(&had[..program.items.len()]);
    solution.bound = bound.min(solution.cost);
    solution
}
