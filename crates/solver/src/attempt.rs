//! One attempt at a program: makes it smaller, searches, proves, and says how far from the best the answer can be.

use super::branch_and_bound::{BranchAndBound, improvement_threshold};
use super::graph::{Choice, Graph, WayNodes};
use super::id::NodeId;
use super::local_search::{LocalSearch, STEPS_PER_UNIT, ScoredChoice};
use super::presolve::{Infeasibility, ReducedProgram, reduce};
use super::search::search;
use super::{Bound, DemandId, IdVec, Infeasible, Program, Solution};

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
    let graph = Graph::from_program(program, bounds);
    let reduced = match reduce(graph.clone()) {
        Ok(reduced) => reduced,
        Err(Infeasibility::Demand(demand)) => return Err(Infeasible::Demand(demand)),
        Err(Infeasibility::Bound(bound, left)) => {
            let least = bounds.get(bound).map_or(0.0, |bound| bound.most) - left;
            return Err(Infeasible::Bound { bound, least, certain: true });
        }
    };
    let from: Vec<Choice> =
        from.iter().map(|from| project_choice(program, &reduced, from)).collect();
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
fn find(graph: &Graph, from: &[Choice], prices: &[f64], steps: u64) -> (ScoredChoice, f64) {
    let mut local = LocalSearch::new(graph);
    let mut found = search(&mut local, from, steps / 3).unwrap_or_default();
    let kept = found.score.excess <= 0.0;
    let limit = if kept { found.score.cost } else { f64::INFINITY };
    let mut exact =
        BranchAndBound { steps: local.steps(), until: steps / 10 * 9, prices: prices.to_vec() };
    let outcome = exact.solve(graph.clone(), limit, 0);
    if let Some(choice) = outcome.choice {
        found = local.start(Some(&choice)).unwrap_or(found);
    }
    let kept = found.score.excess <= 0.0;
    if outcome.bound.is_finite()
        && (!kept || outcome.bound < improvement_threshold(found.score.cost))
    {
        let rest = steps.saturating_sub(exact.steps);
        let until = local.steps() + rest;
        local.shake(&mut found, u32::MAX, until);
    }
    (found, outcome.bound)
}

/// What a solution of the program chooses in the smaller one.
fn project_choice(program: &Program, reduced: &ReducedProgram, from: &Solution) -> Choice {
    let way_nodes = WayNodes::new(program);
    let chosen = |(demand, &was): (DemandId, &DemandId)| {
        let node = way_nodes.node(was, from.ways.member(was).copied().flatten()?)?;
        let mut ways = reduced.graph.demands[demand].iter().copied();
        ways.find(|&way| reduced.node_was[way] == node)
    };
    reduced.demand_was.enumerate_ids().map(chosen).collect()
}

/// The solution of the program from that of the smaller one.
fn expand(
    program: &Program,
    graph: &Graph,
    reduced: &ReducedProgram,
    found: &ScoredChoice,
    bound: f64,
) -> Solution {
    let mut taken = reduced.taken.clone();
    for (demand, &way) in found.choice.enumerate_ids() {
        taken[reduced.demand_was[demand]] =
            way.and_then(|way| reduced.node_was.member(way).copied());
    }
    let mut solution = Solution {
        ways: IdVec::from_elem(None, program.demands.len()),
        items: IdVec::default(),
        cost: 0.0,
        bound,
    };
    let way_nodes = WayNodes::new(program);
    let mut had = IdVec::<NodeId, bool>::from_elem(false, graph.nodes.len());
    let mut demands = graph.always.clone();
    let mut nodes: Vec<NodeId> = Vec::new();
    loop {
        if let Some(node) = nodes.pop() {
            if !std::mem::replace(&mut had[node], true) {
                nodes.extend_from_slice(&graph.nodes[node].needs);
                demands.extend_from_slice(&graph.nodes[node].raises);
            }
        } else if let Some(demand) = demands.pop() {
            if let (None, Some(way)) = (solution.ways[demand], taken[demand]) {
                solution.ways[demand] = way_nodes.way(demand, way);
                nodes.push(way);
            }
        } else {
            break;
        }
    }
    // Adding up in the order of the program gives the same sum however the solution was found.
    let nodes = graph.nodes.iter().zip(&had).filter(|(_, had)| **had);
    solution.cost = nodes.map(|(node, _)| node.cost).sum();
    solution.items = had.iter().take(program.items.len()).copied().collect();
    solution.bound = bound.min(solution.cost);
    solution
}
