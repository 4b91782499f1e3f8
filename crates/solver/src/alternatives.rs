//! What a solution would cost with another way for one demand, or without some items.

use super::complete::NONE;
use super::graph::{Graph, first_ways};
use super::local::{Found, LocalSearch, STEPS_PER_UNIT};
use super::solving::solve_from;
use super::{Bound, Program, Solution};

/// Prices of other ways, all measured from one solution.
#[derive(Debug)]
pub struct Alternatives {
    graph: Graph,
    /// For each demand the way taken, as a node.
    choice: Vec<usize>,
    /// The node of each demand's first way.
    first: Vec<usize>,
}

impl Alternatives {
    /// Prepares the pricing of other ways.
    pub fn new(program: &Program, bounds: &[Bound], from: &Solution) -> Self {
        let graph = Graph::of(program, bounds);
        let first = first_ways(program);
        let mut choice = vec![NONE; graph.demands.len()];
        for (demand, way) in from.ways.iter().enumerate() {
            if let (Some(way), Some(&first), Some(chosen)) =
                (way, first.get(demand), choice.get_mut(demand))
            {
                *chosen = first + way;
            }
        }
        Self { graph, choice, first }
    }

    /// The cheapest cost found for each of these ways of demands, the demand being met by it in any case; all else is kept where
    /// nothing better is found near by. `None` where the way cannot be taken. `work` is for each of them.
    pub fn costs(&self, forced: &[(usize, usize)], work: u64) -> Vec<Option<f64>> {
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
        start: &Found,
        demand: usize,
        way: usize,
        work: u64,
    ) -> Option<f64> {
        let forced = self.first.get(demand)?.checked_add(way)?;
        let ways = self.graph.demands.get(demand)?;
        if !ways.contains(&forced) {
            return None;
        }
        let others: Vec<usize> = ways.iter().copied().filter(|&other| other != forced).collect();
        for &other in &others {
            search.completer().ban(other);
        }
        search.completer().forced = Some(demand);
        let until = search.steps() + work.saturating_mul(STEPS_PER_UNIT);
        let mut choice = start.choice.clone();
        choice[demand] = forced;
        let score = search.completer().complete(&mut choice, f64::INFINITY);
        let found = score.map(|score| {
            let mut found = Found { choice, score };
            search.mend(&mut found, &start.choice, until);
            found
        });
        search.completer().forced = None;
        for &other in &others {
            search.completer().allow(other);
        }
        found.filter(|found| found.score.excess <= 0.0).map(|found| found.score.cost)
    }
}

/// The cheapest cost found when one demand must be met by one of its ways; see [`Alternatives`], which is for many of them.
pub fn cost_with(
    program: &Program,
    bounds: &[Bound],
    forced: (usize, usize),
    from: &Solution,
    work: u64,
) -> Option<f64> {
    Alternatives::new(program, bounds, from).costs(&[forced], work).pop().flatten()
}

/// The cheapest solution found without some items.
pub fn without(
    program: &Program,
    bounds: &[Bound],
    banned: &[usize],
    from: &Solution,
    work: u64,
) -> Option<Solution> {
    let mut program = program.clone();
    for &item in banned {
        if let Some(item) = program.items.get_mut(item) {
            // What has no price cannot be had.
            item.cost = f64::INFINITY;
        }
    }
    solve_from(&program, bounds, Some(from), work).ok()
}
