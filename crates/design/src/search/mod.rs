//! The search for the cheapest tables.
//!
//! Candidates are [`frame::Frame`]s: which rows, in which partitions and order. What else a table stores beside its key is
//! decided with everything else: each column of each frame is a thing that may be had. [`ways`] says how a read can be answered
//! from frames, `crate::writing::upkeep` what writes do to keep a frame up and what they must read first; prices come from
//! [`crate::cost`]. All of it (`space`, `build`) becomes one integer program ([`solver`]); its solution becomes tables again
//! (`chosen`), with what was not chosen and at what price (`rejected`, `runners_up`, `flips`).

mod build;
mod chosen;
mod drawn;
mod flips;
mod forbidden;
mod indexed;
mod rejected;
mod runners_up;
mod space;
mod terms;
#[cfg(test)]
mod tests;
mod views;
pub(crate) mod ways;

use model::id::{Numbered, ReadId};
use model::plan::{Choice, PlannedTable, Price};

use crate::Context;
use crate::frame::FrameId;
use build::Built;
use solver::{Bound, Infeasible, Program, Solution};
use space::Space;
use terms::Rates;

/// What was found.
pub(crate) struct Found {
    /// The tables, unnamed and unsplit.
    pub(crate) tables: Vec<PlannedTable>,
    /// Its price (of the program) and what else there was.
    pub(crate) choice: Choice,
    /// What the program's solution costs.
    pub(crate) cost: f64,
    /// Reads for which there is no candidate: the method's own tables must do.
    pub(crate) left: Vec<ReadId>,
}

/// A solved program, and what it was made from.
struct Solved<'s, 'a> {
    space: &'s Space<'a>,
    built: &'s Built,
    program: Program,
    bounds: Vec<Bound>,
    rates: Rates,
    solution: Solution,
}

/// The cheapest tables for the reads at these positions of the workload.
pub(crate) fn search(context: Context<'_>, reads: &[ReadId]) -> Result<Found, Infeasible> {
    let wanted = build::reads_at(&context.workload.reads, reads);
    let mut space = Space::new(context, &wanted);
    let mut built = build::build(&mut space, reads);
    let left = built.release_unanswered();
    let rates = Rates::of_workload(context.workload);
    let program = built.at(&rates);
    let bounds = bounds(context);
    let solution = solver::solve(&program, &bounds, context.options.search.work)?;
    let solved = Solved { space: &space, built: &built, program, bounds, rates, solution };
    let tables = chosen::tables(&space, chosen::chosen(&space, &built, &solved.solution));
    let cost = solved.solution.cost;
    Ok(Found { tables, choice: solved.choice(), cost, left })
}

/// The bounds asked for, in the order of the items' weights.
fn bounds(context: Context<'_>) -> Vec<Bound> {
    let search = &context.options.search;
    let bound = |most: Option<f64>| Bound { most: most.unwrap_or(f64::INFINITY) };
    let all = [search.tables_most.map(|most| most as f64), search.bytes_most];
    if all.iter().all(Option::is_none) {
        return Vec::new();
    }
    all.into_iter().map(bound).collect()
}

impl Solved<'_, '_> {
    /// What is to be said of the solution.
    fn choice(&self) -> Choice {
        let (candidates, ways) = self.built.counts();
        let choice = Choice {
            profile: self.space.context.options.search.prices.name.to_owned(),
            price: Price::default(),
            bound: self.solution.bound,
            candidates,
            ways,
            ..Choice::default()
        };
        if !self.space.context.options.search.explain {
            return choice;
        }
        let (rejected, runners_up) = (rejected::of(self), runners_up::of(self));
        Choice { rejected, runners_up, flips: flips::of(self), ..choice }
    }

    /// The frames that a solution has.
    fn frames(&self, solution: &Solution) -> Vec<FrameId> {
        let had = self.built.things.iter().zip(&solution.items).filter(|(_, had)| **had);
        let mut frames: Vec<FrameId> = had
            .filter_map(|(thing, _)| match thing {
                build::Thing::Frame(frame) => Some(*frame),
                _ => None,
            })
            .collect();
        frames.sort_unstable();
        frames
    }

    /// Tables that another solution has more, and less, each on a line.
    fn difference(&self, other: &Solution) -> (Vec<String>, Vec<String>) {
        let (mine, theirs) = (self.frames(&self.solution), self.frames(other));
        let draw = |frames: &[FrameId], but: &[FrameId]| {
            let only = frames.iter().filter(|frame| !but.contains(frame));
            only.filter_map(|frame| {
                Some(drawn::line(self.space.context.concept, &self.space.frames.at(*frame)?.table))
            })
            .collect::<Vec<_>>()
        };
        (draw(&theirs, &mine), draw(&mine, &theirs))
    }
}
