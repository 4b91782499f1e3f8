//! One attempt at a program: makes it smaller, searches, proves, and says how far from the best the answer can be.

use super::complete::NONE;
use super::exact::{Exact, near};
use super::graph::{Graph, first_ways};
use super::local::{Found, LocalSearch, STEPS_PER_UNIT};
use super::presolve::{Reduced, Stuck, reduce};
use super::searching::search;
use super::{Bound, Infeasible, Program, Solution};

/// The cheapest solution found where nothing is bounded, from one that may not be a solution any more.
pub(super) fn solve_unbounded(
    program: &Program,
    from: Option<&Solution>,
    work: u64,
) -> Result<Solution, Infeasible> {
    let from: Vec<Solution> = from.into_iter().cloned().collect();
    match attempt(program, &[], &from, &[], work)? {
        Attempt::Solved(solution) | Attempt::Exceeded(solution, _) => Ok(solution),
    }
}

/// What one attempt came to.
#[derive(Debug)]
pub(super) enum Attempt {
    /// A solution that keeps to the bounds.
    Solved(Solution),
    /// The one that exceeds them least, and whether it is certain that none keeps to them.
    Exceeded(Solution, bool),
}

/// Makes a program smaller, searches from the solutions given, proves. The prices are for what is bounded.
pub(super) fn attempt(
    program: &Program,
    bounds: &[Bound],
    from: &[Solution],
    prices: &[f64],
    work: u64,
) -> Result<Attempt, Infeasible> {
    let graph = Graph::of(program, bounds);
    let reduced = match reduce(graph.clone()) {
        Ok(reduced) => reduced,
        Err(Stuck::Demand(demand)) => return Err(Infeasible::Demand(demand)),
        Err(Stuck::Bound(bound, left)) => {
            let least = bounds.get(bound).map_or(0.0, |bound| bound.most) - left;
            return Err(Infeasible::Bound { bound, least, certain: true });
        }
    };
    let from: Vec<Vec<usize>> =
        from.iter().map(|from| choice_of(program, &reduced, from)).collect();
    let (found, bound) = find(&reduced.graph, &from, prices, work.saturating_mul(STEPS_PER_UNIT));
    let kept = found.score.excess <= 0.0;
    let solution = expand(program, &graph, &reduced, &found, bound + reduced.base);
    Ok(if kept {
        Attempt::Solved(solution)
    } else {
        Attempt::Exceeded(solution, bound.is_infinite())
    })
}

/// The best solution found of a graph, and a bound from below.
fn find(graph: &Graph, from: &[Vec<usize>], prices: &[f64], steps: u64) -> (Found, f64) {
    let mut local = LocalSearch::new(graph);
    let mut found = search(&mut local, from, steps / 3).unwrap_or_default();
    let kept = found.score.excess <= 0.0;
    let limit = if kept { found.score.cost } else { f64::INFINITY };
    let mut exact = Exact { steps: local.steps(), until: steps / 10 * 9, prices: prices.to_vec() };
    let outcome = exact.solve(graph.clone(), limit, 0);
    if let Some(choice) = outcome.choice {
        found = local.start(Some(&choice)).unwrap_or(found);
    }
    let kept = found.score.excess <= 0.0;
    if outcome.bound.is_finite() && (!kept || outcome.bound < near(found.score.cost)) {
        let rest = steps.saturating_sub(exact.steps);
        let until = local.steps() + rest;
        local.shake(&mut found, u32::MAX, until);
    }
    (found, outcome.bound)
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
