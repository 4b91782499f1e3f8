//! The cost of a program under a changed choice: another way for one demand, or without some items.

use super::graph::{Choice, Graph, WayNodes};
use super::id::NodeId;
use super::local_search::{LocalSearch, STEPS_PER_UNIT, ScoredChoice};
use super::strategy::solve_from;
use super::{Bound, DemandId, ItemId, Program, Solution, WayId};

/// Prices of ways that were not taken, all relative to one solution.
///
/// Each price is an upper bound by local repair around that solution, not a new optimum: reports
/// need hundreds of them, and a way that changes little is priced exactly in most cases.
#[derive(Debug)]
pub struct Alternatives {
    graph: Graph,
    choice: Choice,
    way_nodes: WayNodes,
}

impl Alternatives {
    /// Prepares the pricing of other ways for a solution.
    pub fn new(program: &Program, bounds: &[Bound], from: &Solution) -> Self {
        let graph = Graph::from_program(program, bounds);
        let way_nodes = WayNodes::new(program);
        let chosen =
            |demand: DemandId| way_nodes.node(demand, from.ways.member(demand).copied().flatten()?);
        let choice = graph.demands.ids().map(chosen).collect();
        Self { graph, choice, way_nodes }
    }

    /// The cheapest cost found when a demand must be satisfied by the way given, for each of these
    /// pairs. The rest of the solution stays unless repair finds better ways near the change.
    /// `None` where the way cannot be taken. `work` is for each of them.
    pub fn costs(&self, forced: &[(DemandId, WayId)], work: u64) -> Vec<Option<f64>> {
        let mut search = LocalSearch::new(&self.graph);
        let Some(start) = search.start(Some(&self.choice)) else { return vec![None; forced.len()] };
        if start.score.excess > 0.0 {
            return vec![None; forced.len()];
        }
        search.completer().penalty = start.score.cost.max(1e-9) * 1e6;
        forced
            .iter()
            .map(|&(demand, way)| self.cost(&mut search, &start, demand, way, work))
            .collect()
    }

    fn cost(
        &self,
        search: &mut LocalSearch<'_>,
        start: &ScoredChoice,
        demand: DemandId,
        way: WayId,
        work: u64,
    ) -> Option<f64> {
        let forced = self.way_nodes.node(demand, way)?;
        let ways = self.graph.demands.member(demand)?;
        if !ways.contains(&forced) {
            return None;
        }
        let others: Vec<NodeId> = ways.iter().copied().filter(|&other| other != forced).collect();
        for &other in &others {
            search.completer().ban(other);
        }
        search.completer().forced = Some(demand);
        let until = search.steps() + work.saturating_mul(STEPS_PER_UNIT);
        let mut choice = start.choice.clone();
        choice[demand] = Some(forced);
        let score = search.completer().complete(&mut choice, f64::INFINITY);
        let found = score.map(|score| {
            let mut found = ScoredChoice { choice, score };
            search.repair(&mut found, &start.choice, until);
            found
        });
        search.completer().forced = None;
        for &other in &others {
            search.completer().allow(other);
        }
        found.filter(|found| found.score.excess <= 0.0).map(|found| found.score.cost)
    }
}

/// The cheapest cost found when one demand must be satisfied by one of its ways; [`Alternatives`]
/// prices many of them.
pub fn cost_with(
    program: &Program,
    bounds: &[Bound],
    forced: (DemandId, WayId),
    from: &Solution,
    work: u64,
) -> Option<f64> {
    Alternatives::new(program, bounds, from).costs(&[forced], work).pop().flatten()
}

/// The cheapest solution found without some items.
pub fn solve_without(
    program: &Program,
    bounds: &[Bound],
    banned: &[ItemId],
    from: &Solution,
    work: u64,
) -> Option<Solution> {
    let mut program = program.clone();
    for &item in banned {
        if let Some(item) = program.items.member_mut(item) {
            // What has no finite cost cannot be selected.
            item.cost = f64::INFINITY;
        }
    }
    solve_from(&program, bounds, Some(from), work).ok()
}
