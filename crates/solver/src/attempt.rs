//! One attempt at a program: reduce, search heuristically, prove by branch and bound, and map the
//! solution back.

use super::branch_and_bound::{BranchAndBound, improvement_threshold};
use super::graph::{Choice, Graph, WayNodes};
use super::id::NodeId;
use super::local_search::{LocalSearch, STEPS_PER_UNIT, ScoredChoice};
use super::presolve::{Infeasibility, ReducedProgram, reduce};
use super::search::search;
use super::{Bound, DemandId, IdVec, Infeasible, Program, Solution};

/// The cheapest solution found of a program without bounds. `from` is where to start; it may come
/// from a similar program and need not be a solution of this one.
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

/// The outcome of one attempt.
#[derive(Debug)]
pub(super) enum Attempt {
    /// A solution within the bounds.
    Solved(Solution),
    /// The solution that exceeds the bounds least, and whether it is proved that none stays within
    /// them.
    Exceeded(Solution, bool),
}

/// Reduces a program, searches from the solutions given, and proves. The prices are multipliers of
/// the bounded weights: any that are not negative give valid lower bounds, good ones give strong
/// bounds.
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
            let least = bounds.get(bound).map_or(0.0, |bound| bound.limit) - left;
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

/// The best solution found of a graph, and a lower bound.
///
/// The steps are split: a third for the heuristic search, most of the rest for branch and bound,
/// and what is left for more heuristics where a gap remains. The incumbent comes first because both
/// pruning and the elimination of nodes by reduced costs are only as strong as the best known cost.
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

/// The choice of ways in the reduced graph that corresponds to a solution of the program.
fn project_choice(program: &Program, reduced: &ReducedProgram, from: &Solution) -> Choice {
    let way_nodes = WayNodes::new(program);
    let chosen = |(demand, &was): (DemandId, &DemandId)| {
        let node = way_nodes.node(was, from.ways.member(was).copied().flatten()?)?;
        let mut ways = reduced.graph.demands[demand].iter().copied();
        ways.find(|&way| reduced.node_was[way] == node)
    };
    reduced.demand_was.enumerate_ids().map(chosen).collect()
}

/// The solution of the program from that of the reduced graph.
fn expand(
    program: &Program,
    graph: &Graph,
    reduced: &ReducedProgram,
    found: &ScoredChoice,
    bound: f64,
) -> Solution {
    // Reductions fix ways without knowing whether their demand is raised in the end. Following the
    // graph from the demands that are always raised selects exactly what is needed.
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
