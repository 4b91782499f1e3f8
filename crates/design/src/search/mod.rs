//! The search for the cheapest set of tables, as one integer program (see [`solver`]).
//!
//! **Items** are what a design pays for: each candidate table (`candidate::CandidateTable`: which
//! rows, in which partitions and order), each column that it may store beside its key, each index,
//! the additional statements of a write that columns cause, and each read before a write.
//! **Demands** are the reads of the workload (always raised), the further reads that a way of
//! answering one consists of, and the rows that writes must read first (raised by the candidates
//! and columns that need them). A **way** is one access path for a demand: the items it needs, the
//! further demands it raises, and its effort. So the trade-off between one wide table and several
//! narrow ones, between denormalising a column and looking it up, and the write cost of each copy
//! are all decided together.
//!
//! The flow:
//!
//! 1. `space`: the candidates, from reads, their parts, and what maintaining candidates requires.
//!
//! 2. [`ways`]: how a read is answered from candidates. `crate::write_plan::upkeep`: what writes do
//!    to maintain a candidate and what they must read first. `views`: candidates that the server
//!    maintains.
//!
//! 3. `program`: all of it as items, demands and ways; costs are kept per rate
//!    (`rate_dependent_cost`). `index_cost` prices indexes.
//!
//! 4. [`solver::solve`], then `solution_tables`: the solution as tables.
//!
//! 5. `program_names`: the program with readable names, for other solvers.
//!
//! 6. For reports: `rejections` (ways not taken, and the total cost with them), `exclusions` (what
//!    no price makes possible), `runners_up` (next best designs), `flips` (rates at which another
//!    wins).
//!
//! The program prices tables one by one; a finished design is priced again as a whole. Where the
//! two differ is stated in `upkeep`.

mod exclusions;
mod flips;
mod index_cost;
mod one_line;
mod program;
mod program_names;
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
use crate::design_program::DesignProgram;
use program::SearchProgram;
use rate_dependent_cost::Rates;
use solver::{Bound, Infeasible, Program, Solution};
use space::SearchSpace;

/// The result of a search.
pub(crate) struct SearchResult {
    /// The tables, unnamed and unsplit.
    pub(crate) tables: Vec<PlannedTable>,
    /// What the choice was made from: its price, and the alternatives.
    pub(crate) choice: DesignChoice,
    /// The tables of its runners-up and of the designs at its flips, in their order.
    pub(crate) others: OtherTables,
    /// The cost of the program's solution.
    pub(crate) cost: f64,
    /// Reads for which there is no candidate: they get the tables of the mapping rules.
    pub(crate) left: Vec<ReadId>,
}

/// The tables of other designs, unnamed and unsplit.
#[derive(Default)]
pub(crate) struct OtherTables {
    pub(crate) runners_up: Vec<Vec<PlannedTable>>,
    pub(crate) flips: Vec<Vec<PlannedTable>>,
}

/// A solved program, with what it was built from.
struct SearchSolution<'s, 'a> {
    space: &'s SearchSpace<'a>,
    built: &'s SearchProgram,
    program: Program,
    bounds: Vec<Bound>,
    rates: Rates,
    solution: Solution,
}

/// The cheapest tables for the reads at these positions of the workload; with the program itself if
/// it is to be exported.
pub(crate) fn search(
    context: Context<'_>,
    reads: &[ReadId],
    export: bool,
) -> (Result<SearchResult, Infeasible>, Option<DesignProgram>) {
    let wanted = program::select_reads(&context.workload.reads, reads);
    let mut space = SearchSpace::new(context, &wanted);
    let mut built = program::build(&mut space, reads);
    let left = built.release_unanswered();
    let rates = Rates::from_workload(context.workload);
    let program = built.with_rates(&rates);
    let bounds = bounds(context);
    let outcome = solver::solve(&program, &bounds, context.options.search.work);
    let exported = export.then(|| {
        let answered = reads.iter().filter(|read| !left.contains(read));
        let names = answered.filter_map(|read| context.workload.reads.member(*read));
        DesignProgram::new(
            (&program, &bounds),
            &program_names::name_program(&space, &built),
            outcome.clone(),
            context.options.search.prices.name,
            names.map(|read| read.name.clone()).collect(),
        )
    });
    let found = outcome.map(|solution| {
        let solved =
            SearchSolution { space: &space, built: &built, program, bounds, rates, solution };
        let tables = solved.tables(&solved.solution);
        let cost = solved.solution.cost;
        let (choice, others) = solved.choice();
        SearchResult { tables, choice, others, cost, left }
    });
    (found, exported)
}

/// The bounds of the options, in the order of the items' weights: tables, then bytes.
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
    /// The tables of a solution.
    fn tables(&self, solution: &Solution) -> Vec<PlannedTable> {
        let uses = solution_tables::candidate_uses(self.space, self.built, solution);
        solution_tables::build_tables(self.space, uses)
    }

    /// The report on the solution, with the tables of the other designs that it names.
    fn choice(&self) -> (DesignChoice, OtherTables) {
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
            return (choice, OtherTables::default());
        }
        let rejected = rejections::find_rejections(self);
        let (runners_up, solutions): (Vec<_>, Vec<_>) =
            runners_up::find_runners_up(self).into_iter().unzip();
        let runners = solutions.iter().map(|other| self.tables(other)).collect();
        let (flips, solutions): (Vec<_>, Vec<_>) = flips::find_flips(self).into_iter().unzip();
        let others = OtherTables {
            runners_up: runners,
            flips: solutions.iter().map(|other| self.tables(other)).collect(),
        };
        (DesignChoice { rejected, runners_up, flips, ..choice }, others)
    }

    /// The candidates that a solution selects.
    fn candidates(&self, solution: &Solution) -> Vec<CandidateId> {
        let selected =
            self.built.item_kinds.iter().zip(&solution.items).filter(|(_, selected)| **selected);
        let mut candidates: Vec<CandidateId> = selected
            .filter_map(|(kind, _)| match kind {
                program::ItemKind::Candidate(candidate) => Some(*candidate),
                _ => None,
            })
            .collect();
        candidates.sort_unstable();
        candidates
    }

    /// Tables that only another solution has, and that it lacks, one line for each.
    fn difference(&self, other: &Solution) -> (Vec<String>, Vec<String>) {
        let (mine, theirs) = (self.candidates(&self.solution), self.candidates(other));
        let draw = |solution: &Solution, candidates: &[CandidateId], but: &[CandidateId]| {
            let uses = solution_tables::candidate_uses(self.space, self.built, solution);
            let only = candidates.iter().filter(|candidate| !but.contains(candidate));
            only.filter_map(|candidate| {
                let columns = uses.get(candidate).map(|chosen| chosen.columns.clone());
                let columns = columns.unwrap_or_default();
                one_line::describe_candidate(self.space, *candidate, &columns)
            })
            .collect::<Vec<_>>()
        };
        (draw(other, &theirs, &mine), draw(&self.solution, &mine, &theirs))
    }
}
