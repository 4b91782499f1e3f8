//! The search for the cheapest tables.
//!
//! Candidates are [`frame::Frame`]s: which rows, in which partitions and order. What else a table stores beside its key is
//! decided with everything else: each column of each frame is a thing that may be had. [`ways`] says how a read can be answered
//! from frames, `crate::write_plan::upkeep` what writes do to keep a frame up and what they must read first; prices come from
//! [`crate::cost`]. All of it (`space`, `build`) becomes one integer program ([`solver`]); its solution becomes tables again
//! (`chosen`), with what was not chosen and at what price (`rejected`, `runners_up`, `flips`).

mod exclusions;
mod flips;
mod index_cost;
mod one_line;
mod program;
mod rate_dependent_cost;
mod rejections;
mod runners_up;
mod solution_tables;
mod space;
#[cfg(test)]
mod tests;
mod views;
pub(crate) mod ways;

use model::id::{IdList, ReadId};
use model::plan::{DesignChoice, DesignCost, PlannedTable};

use crate::Context;
use crate::candidate::CandidateId;
use program::SearchProgram;
use rate_dependent_cost::Rates;
use solver::{Bound, Infeasible, Program, Solution};
use space::SearchSpace;

/// What was found.
pub(crate) struct SearchResult {
    /// The tables, unnamed and unsplit.
    pub(crate) tables: Vec<PlannedTable>,
    /// Its price (of the program) and what else there was.
    pub(crate) choice: DesignChoice,
    /// What the program's solution costs.
    pub(crate) cost: f64,
    /// Reads for which there is no candidate: the method's own tables must do.
    pub(crate) left: Vec<ReadId>,
}

/// A solved program, and what it was made from.
struct SearchSolution<'s, 'a> {
    space: &'s SearchSpace<'a>,
    built: &'s SearchProgram,
    program: Program,
    bounds: Vec<Bound>,
    rates: Rates,
    solution: Solution,
}

/// The cheapest tables for the reads at these positions of the workload.
pub(crate) fn search(context: Context<'_>, reads: &[ReadId]) -> Result<SearchResult, Infeasible> {
    let wanted = program::select_reads(&context.workload.reads, reads);
    let mut space = SearchSpace::new(context, &wanted);
    let mut built = program::build(&mut space, reads);
    let left = built.release_unanswered();
    let rates = Rates::from_workload(context.workload);
    let program = built.with_rates(&rates);
    let bounds = bounds(context);
    let solution = solver::solve(&program, &bounds, context.options.search.work)?;
    let solved = SearchSolution { space: &space, built: &built, program, bounds, rates, solution };
    let tables = solution_tables::build_tables(
        &space,
        solution_tables::candidate_uses(&space, &built, &solved.solution),
    );
    let cost = solved.solution.cost;
    Ok(SearchResult { tables, choice: solved.choice(), cost, left })
}

/// The bounds asked for, in the order of the items' weights.
fn bounds(context: Context<'_>) -> Vec<Bound> {
    let search = &context.options.search;
    let bound = |most: Option<f64>| Bound { limit: most.unwrap_or(f64::INFINITY) };
    let all = [search.tables_most.map(|most| most as f64), search.bytes_most];
    if all.iter().all(Option::is_none) {
        return Vec::new();
    }
    all.into_iter().map(bound).collect()
}

impl SearchSolution<'_, '_> {
    /// What is to be said of the solution.
    fn choice(&self) -> DesignChoice {
        let (candidates, ways) = self.built.counts();
        let choice = DesignChoice {
            profile: self.space.context.options.search.prices.name.to_owned(),
            price: DesignCost::default(),
            bound: self.solution.bound,
            candidates,
            ways,
            ..DesignChoice::default()
        };
        if !self.space.context.options.search.explain {
            return choice;
        }
        let (rejected, runners_up) =
            (rejections::find_rejections(self), runners_up::find_runners_up(self));
        DesignChoice { rejected, runners_up, flips: flips::find_flips(self), ..choice }
    }

    /// The frames that a solution has.
    fn candidates(&self, solution: &Solution) -> Vec<CandidateId> {
        let had = self.built.item_kinds.iter().zip(&solution.items).filter(|(_, had)| **had);
        let mut frames: Vec<CandidateId> = had
            .filter_map(|(thing, _)| match thing {
                program::ItemKind::Candidate(frame) => Some(*frame),
                _ => None,
            })
            .collect();
        frames.sort_unstable();
        frames
    }

    /// Tables that another solution has more, and less, each on a line.
    fn difference(&self, other: &Solution) -> (Vec<String>, Vec<String>) {
        let (mine, theirs) = (self.candidates(&self.solution), self.candidates(other));
        let draw = |frames: &[CandidateId], but: &[CandidateId]| {
            let only = frames.iter().filter(|frame| !but.contains(frame));
            only.filter_map(|frame| {
                Some(one_line::describe_table(
                    self.space.context.concept,
                    &self.space.candidates.member(*frame)?.table,
                ))
            })
            .collect::<Vec<_>>()
        };
        (draw(&theirs, &mine), draw(&mine, &theirs))
    }
}
