//! Rates at which another design becomes the cheapest.
//!
//! The cost of a solution is a line over one rate, and the cheapest cost at each rate is the lower
//! envelope of all such lines. To find the nearest breakpoint, solve at a rate far away; where that
//! solution's line crosses the current one, solve again; whatever is cheaper there crosses nearer.
//! When nothing is, the crossing is the nearest one (Newton's method on a piecewise linear
//! function, as in parametric programming).

use model::id::IdList;
use model::plan::{DesignDifference, NoteSubject, RateFlip};

use super::SearchSolution;
use super::rate_dependent_cost::RateId;
use solver::Solution;

/// The factor of a rate that counts as far away.
const FAR: f64 = 16_777_216.0;
/// Crossings followed towards the current rate.
const CROSSINGS: usize = 12;
/// Units of solver work for each rate tried.
const WORK: u64 = 100;
/// Programs with more items times rates get no flips: each rate takes several runs of the solver.
const SIZE_MOST: usize = 40_000;
/// Costs whose relative difference is smaller than this are the same.
const SAME: f64 = 1e-9;

/// The nearest flip of each read and write in both directions, where there is one.
pub(super) fn find_flips(solved: &SearchSolution<'_, '_>) -> Vec<(RateFlip, Solution)> {
    let workload = solved.space.context.workload;
    let rates = workload.reads.len() + workload.list_stated_writes().len();
    if solved.program.items.len() * rates > SIZE_MOST {
        return Vec::new();
    }
    let reads = workload.reads.ids().map(|at| (RateId::Read(at), NoteSubject::Read(at)));
    let writes = workload.list_stated_writes().ids();
    let writes = writes.map(|at| (RateId::Write(at), NoteSubject::Write(at)));
    let both = writes.chain(reads).flat_map(|which| [(which, FAR), (which, 1.0 / FAR)]);
    both.filter_map(|((rate, about), factor)| find_flip(solved, rate, about, factor)).collect()
}

fn find_flip(
    solved: &SearchSolution<'_, '_>,
    rate: RateId,
    about: NoteSubject,
    factor: f64,
) -> Option<(RateFlip, Solution)> {
    let now = solved.rates.rate(rate);
    if now <= 0.0 {
        return None;
    }
    let mut mine = CostLine::new(solved, rate, &solved.solution);
    // A solution whose cost does not grow with the rate stays the cheapest at any higher rate.
    if factor > 1.0 && mine.slope <= 0.0 {
        return None;
    }
    let candidates = solved.candidates(&solved.solution);
    let mut other = solve_at(solved, rate, now * factor, &solved.solution)?;
    if solved.candidates(&other) == candidates {
        return None;
    }
    let mut at = mine.crossing(CostLine::new(solved, rate, &other), now)?;
    for _ in 0..CROSSINGS {
        let there = solve_at(solved, rate, at, &other)?;
        let line = CostLine::new(solved, rate, &there);
        if line.cost_at(at - now) >= mine.cost_at(at - now) * (1.0 - SAME) {
            break;
        }
        if solved.candidates(&there) == candidates {
            // The same tables with other columns: not another design, but a new line to compare
            // with.
            mine = line;
        } else {
            other = there;
        }
        let nearer = mine.crossing(CostLine::new(solved, rate, &other), now)?;
        if (nearer - at).abs() <= at * SAME {
            break;
        }
        at = nearer;
    }
    let beyond = if factor > 1.0 { at > now } else { at < now };
    let (gains, loses) = solved.difference(&other);
    let difference = DesignDifference::default();
    beyond.then_some((RateFlip { about, now, at, gains, loses, difference }, other))
}

/// The cheapest solution at another rate, starting from a given one.
fn solve_at(
    solved: &SearchSolution<'_, '_>,
    rate: RateId,
    value: f64,
    from: &Solution,
) -> Option<Solution> {
    let program = solved.built.with_rates(&solved.rates.with_rate(rate, value));
    solver::solve_without(&program, &solved.bounds, &[], from, WORK)
}

/// The cost of a solution as a line over one rate: at the current rate, and its slope.
#[derive(Clone, Copy)]
struct CostLine {
    now: f64,
    slope: f64,
}

impl CostLine {
    fn new(solved: &SearchSolution<'_, '_>, rate: RateId, solution: &Solution) -> Self {
        let slope = solved.built.slope(rate, solution);
        Self { now: solved.cost_of(solution), slope }
    }

    /// The cost at a rate that is higher than the current one by `more`.
    fn cost_at(self, more: f64) -> f64 {
        self.now + more * self.slope
    }

    /// The rate at which two solutions cost the same.
    fn crossing(self, other: Self, now: f64) -> Option<f64> {
        let steeper = self.slope - other.slope;
        let at = now + (other.now - self.now) / steeper;
        (steeper.abs() > 1e-12 && at.is_finite() && at > 0.0).then_some(at)
    }
}

impl SearchSolution<'_, '_> {
    /// The cost of a solution at the current rates.
    fn cost_of(&self, solution: &Solution) -> f64 {
        let selected =
            self.program.items.iter().zip(&solution.items).filter(|(_, selected)| **selected);
        let items: f64 = selected.map(|(item, _)| item.cost).sum();
        let taken = self.program.demands.iter().zip(&solution.ways);
        let taken = taken.filter_map(|(demand, way)| demand.ways.member((*way)?));
        items + taken.map(|way| way.cost).sum::<f64>()
    }
}
