//! Rates at which another design becomes the cheapest.
//!
//! A solution's cost is a line over one rate, and the cheapest cost at each rate the lower edge of all such lines. Far off
//! another solution may win; where its line crosses that of now, whatever wins is looked at next, until nothing is cheaper
//! there: then it is the nearest crossing of all.

use model::id::IdList;
use model::plan::{NoteSubject, RateFlip};

use super::SearchSolution;
use super::rate_dependent_cost::RateId;
use solver::Solution;

/// How many times as often (or as rarely) is far off.
const FAR: f64 = 16_777_216.0;
/// Crossings followed towards the rate of now.
const CROSSINGS: usize = 12;
/// Steps of the search that each may take.
const WORK: u64 = 100;
/// Programs with more items times rates are not asked again and again.
const SIZE_MOST: usize = 40_000;
/// Costs this near (in parts of the whole) are the same.
const SAME: f64 = 1e-9;

/// The nearest flip of each read and write in both directions, where there is one.
pub(super) fn find_flips(solved: &SearchSolution<'_, '_>) -> Vec<RateFlip> {
    let workload = solved.space.context.workload;
    let rates = workload.reads.len() + workload.writes.len();
    if solved.program.items.len() * rates > SIZE_MOST {
        return Vec::new();
    }
    let reads = workload.reads.ids().map(|at| (RateId::Read(at), NoteSubject::Read(at)));
    let writes = workload.writes.ids().map(|at| (RateId::Write(at), NoteSubject::Write(at)));
    let both = writes.chain(reads).flat_map(|which| [(which, FAR), (which, 1.0 / FAR)]);
    both.filter_map(|((rate, about), factor)| find_flip(solved, rate, about, factor)).collect()
}

fn find_flip(
    solved: &SearchSolution<'_, '_>,
    rate: RateId,
    about: NoteSubject,
    factor: f64,
) -> Option<RateFlip> {
    let now = solved.rates.rate(rate);
    if now <= 0.0 {
        return None;
    }
    let mut mine = CostLine::new(solved, rate, &solved.solution);
    // What costs nothing for each run stays the cheapest however often it runs.
    if factor > 1.0 && mine.slope <= 0.0 {
        return None;
    }
    let frames = solved.candidates(&solved.solution);
    let mut other = solve_at(solved, rate, now * factor, &solved.solution)?;
    if solved.candidates(&other) == frames {
        return None;
    }
    let mut at = mine.crossing(CostLine::new(solved, rate, &other), now)?;
    for _ in 0..CROSSINGS {
        let there = solve_at(solved, rate, at, &other)?;
        let line = CostLine::new(solved, rate, &there);
        if line.cost_at(at - now) >= mine.cost_at(at - now) * (1.0 - SAME) {
            break;
        }
        if solved.candidates(&there) == frames {
            // The same tables with other columns in them.
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
    beyond.then_some(RateFlip { about, now, at, gains, loses })
}

/// The cheapest at another rate, found from a solution that was.
fn solve_at(
    solved: &SearchSolution<'_, '_>,
    rate: RateId,
    value: f64,
    from: &Solution,
) -> Option<Solution> {
    let program = solved.built.with_rates(&solved.rates.with_rate(rate, value));
    solver::solve_without(&program, &solved.bounds, &[], from, WORK)
}

/// What a solution costs at the rate of now, and how much more for each run more.
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

    /// The cost at a rate that is so much higher than now.
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
    /// What a solution costs at the rates of now.
    fn cost_of(&self, solution: &Solution) -> f64 {
        let had = self.program.items.iter().zip(&solution.items).filter(|(_, had)| **had);
        let items: f64 = had.map(|(item, _)| item.cost).sum();
        let taken = self.program.demands.iter().zip(&solution.ways);
        let taken = taken.filter_map(|(demand, way)| demand.ways.member((*way)?));
        items + taken.map(|way| way.cost).sum::<f64>()
    }
}
