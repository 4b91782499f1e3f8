//! Rates at which another design becomes the cheapest.
//!
//! A solution's cost is a line over one rate. From the rate of now it is looked at twice, four times, ... as much (and half, a
//! quarter, ...) until another solution wins; where the two lines cross, both cost the same; whatever wins before that
//! crossing is looked at next, until none does.

use model::plan::{About, Flip};

use super::Solved;
use super::terms::Rate;
use crate::program::{self, Solution};

/// Doublings (and halvings) that are looked at.
const DOUBLINGS: i32 = 24;
/// Crossings followed towards the rate of now.
const CROSSINGS: usize = 6;
/// Steps of the search that each may take.
const WORK: u64 = 300;
/// Programs with more items are not asked again and again.
const ITEMS_MOST: usize = 3_000;

/// The nearest flip of each read and write in both directions, where there is one.
pub(super) fn of(solved: &Solved<'_, '_>) -> Vec<Flip> {
    if solved.program.items.len() > ITEMS_MOST {
        return Vec::new();
    }
    let workload = solved.space.context.workload;
    let reads = (0..workload.reads.len()).map(|at| (Rate::Read(at), About::Read(at)));
    let writes = (0..workload.writes.len()).map(|at| (Rate::Write(at), About::Write(at)));
    let both = writes.chain(reads).flat_map(|which| [(which, 2.0), (which, 0.5)]);
    both.filter_map(|((rate, about), factor)| flip(solved, rate, about, factor)).collect()
}

fn flip(solved: &Solved<'_, '_>, rate: Rate, about: About, factor: f64) -> Option<Flip> {
    let now = solved.rates.of(rate);
    if now <= 0.0 {
        return None;
    }
    let mut other = first_other(solved, rate, now, factor)?;
    let mut at = crossing(solved, rate, now, &other)?;
    for _ in 0..CROSSINGS {
        // A hair on this side of the crossing: does the solution of now hold?
        let before = now + (at - now) * 0.999;
        let there = solve_at(solved, rate, before)?;
        if solved.frames(&there) == solved.frames(&solved.solution) {
            break;
        }
        let nearer = crossing(solved, rate, now, &there)?;
        if (nearer - now).abs() >= (at - now).abs() {
            break;
        }
        (other, at) = (there, nearer);
    }
    let (gains, loses) = solved.difference(&other);
    Some(Flip { about, now, at, gains, loses })
}

/// The solution that wins at the nearest power of the factor at which another one does.
fn first_other(solved: &Solved<'_, '_>, rate: Rate, now: f64, factor: f64) -> Option<Solution> {
    let mine = solved.frames(&solved.solution);
    // Far off first: where nothing else wins there, nothing does on the way.
    let far = solve_at(solved, rate, now * factor.powi(DOUBLINGS))?;
    if solved.frames(&far) == mine {
        return None;
    }
    let nearer = (1..DOUBLINGS).find_map(|power| {
        let there = solve_at(solved, rate, now * factor.powi(power))?;
        (solved.frames(&there) != mine).then_some(there)
    });
    Some(nearer.unwrap_or(far))
}

fn solve_at(solved: &Solved<'_, '_>, rate: Rate, value: f64) -> Option<Solution> {
    let program = solved.built.at(&solved.rates.with(rate, value));
    program::solve(&program, &solved.bounds, WORK).ok()
}

/// The rate at which the solution of now and another one cost the same.
fn crossing(solved: &Solved<'_, '_>, rate: Rate, now: f64, other: &Solution) -> Option<f64> {
    let Solution { items, ways, .. } = &solved.solution;
    let mine = solved.built.slope(rate, items, ways);
    let theirs = solved.built.slope(rate, &other.items, &other.ways);
    // What the other costs at the rate of now.
    let cost = solved.cost_of(other);
    let steeper = mine - theirs;
    let at = now + (cost - solved.solution.cost) / steeper;
    (steeper.abs() > 1e-12 && at.is_finite() && at > 0.0).then_some(at)
}

impl Solved<'_, '_> {
    /// What a solution costs at the rates of now.
    fn cost_of(&self, solution: &Solution) -> f64 {
        let had = self.program.items.iter().zip(&solution.items).filter(|(_, had)| **had);
        let items: f64 = had.map(|(item, _)| item.cost).sum();
        let taken = self.program.demands.iter().zip(&solution.ways);
        let taken = taken.filter_map(|(demand, way)| demand.ways.get((*way)?));
        items + taken.map(|way| way.cost).sum::<f64>()
    }
}
