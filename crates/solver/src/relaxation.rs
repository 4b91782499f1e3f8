//! Programs with bounds, by Lagrangian relaxation.
//!
//! With a price (multiplier) on each bounded weight, the cheapest solution of the program without
//! bounds, less the price of the limits, is a lower bound on every solution within the bounds; and
//! with the right prices its solutions are near the bounds. There are only a few bounds, so prices
//! are found by bracketing each of them rather than by a subgradient method.

use super::attempt::{Attempt, attempt, solve_unbounded};
use super::branch_and_bound::improvement_threshold;
use super::graph::with_slack;
use super::{Bound, IdVec, Infeasible, Item, ItemId, Program, Solution};

/// The cheapest solution found within the bounds.
///
/// 1. Solve without bounds: often the bounds do not bind.
///
/// 2. Minimise each bounded weight alone: that proves a bound infeasible at once, or gives light
///    solutions to start from.
///
/// 3. Search for prices, for lower bounds and for more solutions to start from.
///
/// 4. Attempt the program with its bounds, the prices making the bounds of its search tree strong;
///    if nothing within the bounds is found, again from the light solutions.
pub(super) fn solve_bounded(
    program: &Program,
    bounds: &[Bound],
    from: Option<&Solution>,
    work: u64,
) -> Result<Solution, Infeasible> {
    let free = solve_unbounded(program, from, work / 4)?;
    if is_within_bounds(program, bounds, &free.items) {
        return Ok(free);
    }
    let lightest = find_all_lightest(program, bounds, work / 8)?;
    let mut priced = PriceSearch::new(program, bounds, &free);
    for _ in 0..ROUNDS {
        priced.round(program, bounds, work / 24)?;
        if priced
            .best_within
            .as_ref()
            .is_some_and(|best_within| priced.bound >= improvement_threshold(best_within.cost))
        {
            break;
        }
    }
    let mut starts = priced.starts();
    starts.extend(from.cloned());
    let attempt_from = |starts: &[Solution], work: u64| {
        let attempted = attempt(program, bounds, starts, &priced.best_prices, work);
        // Without the bounds every demand has its ways: the bounds exclude them.
        attempted.map_err(|_| find_most_exceeded(program, bounds, &free, false))
    };
    let found = match attempt_from(&starts, work / 3)? {
        Attempt::Solved(solution) => solution,
        Attempt::Exceeded(solution, true) => {
            return Err(find_most_exceeded(program, bounds, &solution, true));
        }
        Attempt::Exceeded(_, false) => {
            starts.extend(lightest);
            match attempt_from(&starts, work / 4)? {
                Attempt::Solved(solution) => solution,
                Attempt::Exceeded(solution, certain) => {
                    return Err(find_most_exceeded(program, bounds, &solution, certain));
                }
            }
        }
    };
    let bound = found.bound.max(free.bound).max(priced.bound).min(found.cost);
    Ok(Solution { bound, ..found })
}

/// Rounds of the price search.
const ROUNDS: usize = 8;

/// The search for the prices at which the bounds are just kept.
#[derive(Debug)]
struct PriceSearch {
    prices: Vec<f64>,
    /// For each bound the highest price at which it was exceeded, and the lowest at which it was
    /// not.
    brackets: Vec<(f64, f64)>,
    /// No solution within the bounds costs less.
    bound: f64,
    /// The prices that gave this lower bound.
    best_prices: Vec<f64>,
    last: Solution,
    /// The cheapest solution within the bounds.
    best_within: Option<Solution>,
}

impl PriceSearch {
    /// Starts from the best solution without bounds, with prices for the bounds that it exceeds.
    fn new(program: &Program, bounds: &[Bound], free: &Solution) -> Self {
        let first = |(bound, most): (usize, &Bound)| {
            let exceeded = weight(program, bound, &free.items) > with_slack(most.limit);
            if exceeded { 0.1 * free.cost.max(1e-9) / most.limit.max(1e-9) } else { 0.0 }
        };
        Self {
            prices: bounds.iter().enumerate().map(first).collect(),
            brackets: vec![(0.0, f64::INFINITY); bounds.len()],
            bound: free.bound,
            best_prices: vec![0.0; bounds.len()],
            last: free.clone(),
            best_within: None,
        }
    }

    /// Solves with the current prices, and moves each towards the point where its bound is just
    /// kept: by factors of four until it is bracketed, then to the geometric mean of the bracket.
    fn round(&mut self, program: &Program, bounds: &[Bound], work: u64) -> Result<(), Infeasible> {
        let mut priced = program.clone();
        for item in &mut priced.items {
            item.cost += self
                .prices
                .iter()
                .enumerate()
                .map(|(bound, price)| price * weight_of(item, bound))
                .sum::<f64>();
        }
        let found = solve_unbounded(&priced, Some(&self.last), work)?;
        let given: f64 =
            self.prices.iter().zip(bounds).map(|(price, bound)| price * bound.limit).sum();
        if found.bound - given > self.bound {
            self.bound = found.bound - given;
            self.best_prices.clone_from(&self.prices);
        }
        if is_within_bounds(program, bounds, &found.items) {
            let cost = found.cost
                - self
                    .prices
                    .iter()
                    .enumerate()
                    .map(|(bound, price)| price * weight(program, bound, &found.items))
                    .sum::<f64>();
            if self.best_within.as_ref().is_none_or(|best_within| cost < best_within.cost) {
                self.best_within = Some(Solution { cost, ..found.clone() });
            }
        }
        for (bound, most) in bounds.iter().enumerate() {
            let (low, high) = &mut self.brackets[bound];
            let price = &mut self.prices[bound];
            if weight(program, bound, &found.items) > with_slack(most.limit) {
                *low = *price;
                let unit = 0.05 * found.cost.max(1e-9) / most.limit.max(1e-9);
                *price =
                    if high.is_finite() { (*low * *high).sqrt() } else { (*price * 4.0).max(unit) };
            } else if *price > 0.0 {
                *high = *price;
                *price = if *low > 0.0 { (*low * *high).sqrt() } else { *price / 4.0 };
            }
        }
        self.last = found;
        Ok(())
    }

    /// Solutions worth starting from.
    fn starts(&self) -> Vec<Solution> {
        self.best_within.iter().chain([&self.last]).cloned().collect()
    }
}

/// The lightest solution for each bound that has a limit; an error where it exceeds the limit.
fn find_all_lightest(
    program: &Program,
    bounds: &[Bound],
    work: u64,
) -> Result<Vec<Solution>, Infeasible> {
    let mut all = Vec::new();
    for (bound, most) in bounds.iter().enumerate().filter(|(_, most)| most.limit.is_finite()) {
        let light = find_lightest(program, bound, work)?;
        let least = weight(program, bound, &light.items);
        if light.bound > with_slack(most.limit) {
            let certain = light.bound >= improvement_threshold(least);
            return Err(Infeasible::Bound { bound, least, certain });
        }
        all.push(light);
    }
    Ok(all)
}

/// The solution with the least weight towards one bound, whatever it costs.
fn find_lightest(program: &Program, bound: usize, work: u64) -> Result<Solution, Infeasible> {
    let mut weighed = program.clone();
    for item in &mut weighed.items {
        let cost = if item.cost.is_finite() { weight_of(item, bound) } else { item.cost };
        *item = Item { cost, weights: Vec::new(), ..std::mem::take(item) };
    }
    for way in weighed.demands.iter_mut().flat_map(|demand| &mut demand.ways) {
        if way.cost.is_finite() {
            way.cost = 0.0;
        }
    }
    solve_unbounded(&weighed, None, work)
}

/// Whether a selection of items is within the bounds.
fn is_within_bounds(program: &Program, bounds: &[Bound], items: &IdVec<ItemId, bool>) -> bool {
    bounds
        .iter()
        .enumerate()
        .all(|(bound, most)| weight(program, bound, items) <= with_slack(most.limit))
}

fn weight_of(item: &Item, bound: usize) -> f64 {
    item.weights.get(bound).copied().unwrap_or(0.0).max(0.0)
}

/// The weight of the selected items towards a bound.
fn weight(program: &Program, bound: usize, items: &IdVec<ItemId, bool>) -> f64 {
    program
        .items
        .iter()
        .zip(items)
        .filter(|(_, had)| **had)
        .map(|(item, _)| weight_of(item, bound))
        .sum()
}

/// The bound that a solution exceeds most, relative to its limit.
fn find_most_exceeded(
    program: &Program,
    bounds: &[Bound],
    solution: &Solution,
    certain: bool,
) -> Infeasible {
    let share = |bound: usize| {
        let most = bounds[bound].limit;
        (weight(program, bound, &solution.items) - most) / most.abs().max(1e-9)
    };
    let bound =
        (0..bounds.len()).max_by(|&left, &right| share(left).total_cmp(&share(right))).unwrap_or(0);
    Infeasible::Bound { bound, least: weight(program, bound, &solution.items), certain }
}
