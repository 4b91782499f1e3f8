//! Programs with bounds: solved without them first, then with a price on what is bounded.

use super::attempt::{Attempt, attempt, solve_unbounded};
use super::branch_and_bound::improvement_threshold;
use super::graph::with_slack;
use super::{Bound, IdVec, Infeasible, Item, ItemId, Program, Solution};

/// The cheapest solution found that keeps to the bounds.
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
    let mut priced = PriceSearch::new(program, bounds, &free);
    for _ in 0..ROUNDS {
        priced.round(program, bounds, work / 24)?;
        if priced.kept.as_ref().is_some_and(|kept| priced.bound >= improvement_threshold(kept.cost))
        {
            break;
        }
    }
    let mut starts = priced.starts();
    starts.extend(from.cloned());
    let found = match attempt(program, bounds, &starts, &priced.best_prices, work / 3)? {
        Attempt::Solved(solution) => solution,
        Attempt::Exceeded(solution, certain) => {
            for (bound, most) in bounds.iter().enumerate() {
                let light = find_lightest(program, bound, work / 8)?;
                let least = weight(program, bound, &light.items);
                if light.bound > with_slack(most.most) {
                    return Err(Infeasible::Bound { bound, least, certain: true });
                }
                starts.push(light);
            }
            if certain {
                return Err(find_most_exceeded(program, bounds, &solution, true));
            }
            match attempt(program, bounds, &starts, &priced.best_prices, work / 4)? {
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

/// Rounds of other prices for what is bounded.
const ROUNDS: usize = 8;

/// The search for prices of what is bounded at which the bounds are just kept to.
#[derive(Debug)]
struct PriceSearch {
    prices: Vec<f64>,
    /// For each bound the highest price at which it was exceeded, and the lowest at which it was not.
    between: Vec<(f64, f64)>,
    /// No solution that keeps to the bounds costs less.
    bound: f64,
    /// The prices that say so.
    best_prices: Vec<f64>,
    last: Solution,
    /// The cheapest that keeps to the bounds.
    kept: Option<Solution>,
}

impl PriceSearch {
    /// From the best solution without bounds.
    fn new(program: &Program, bounds: &[Bound], free: &Solution) -> Self {
        let first = |(bound, most): (usize, &Bound)| {
            let exceeded = weight(program, bound, &free.items) > with_slack(most.most);
            if exceeded { 0.1 * free.cost.max(1e-9) / most.most.max(1e-9) } else { 0.0 }
        };
        Self {
            prices: bounds.iter().enumerate().map(first).collect(),
            between: vec![(0.0, f64::INFINITY); bounds.len()],
            bound: free.bound,
            best_prices: vec![0.0; bounds.len()],
            last: free.clone(),
            kept: None,
        }
    }

    /// Solves with the prices as they are, and moves them.
    fn round(&mut self, program: &Program, bounds: &[Bound], work: u64) -> Result<(), Infeasible> {
        let mut dearer = program.clone();
        for item in &mut dearer.items {
            item.cost += self
                .prices
                .iter()
                .enumerate()
                .map(|(bound, price)| price * weight_of(item, bound))
                .sum::<f64>();
        }
        let found = solve_unbounded(&dearer, Some(&self.last), work)?;
        let given: f64 =
            self.prices.iter().zip(bounds).map(|(price, bound)| price * bound.most).sum();
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
            if self.kept.as_ref().is_none_or(|kept| cost < kept.cost) {
                self.kept = Some(Solution { cost, ..found.clone() });
            }
        }
        for (bound, most) in bounds.iter().enumerate() {
            let (low, high) = &mut self.between[bound];
            let price = &mut self.prices[bound];
            if weight(program, bound, &found.items) > with_slack(most.most) {
                *low = *price;
                let unit = 0.05 * found.cost.max(1e-9) / most.most.max(1e-9);
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
        self.kept.iter().chain([&self.last]).cloned().collect()
    }
}

/// The solution that weighs least against one bound, whatever it costs.
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

/// Whether a solution keeps to the bounds.
fn is_within_bounds(program: &Program, bounds: &[Bound], items: &IdVec<ItemId, bool>) -> bool {
    bounds
        .iter()
        .enumerate()
        .all(|(bound, most)| weight(program, bound, items) <= with_slack(most.most))
}

fn weight_of(item: &Item, bound: usize) -> f64 {
    item.weights.get(bound).copied().unwrap_or(0.0).max(0.0)
}

/// What the items had weigh against a bound.
fn weight(program: &Program, bound: usize, items: &IdVec<ItemId, bool>) -> f64 {
    program
        .items
        .iter()
        .zip(items)
        .filter(|(_, had)| **had)
        .map(|(item, _)| weight_of(item, bound))
        .sum()
}

/// The bound that a solution exceeds most.
fn find_most_exceeded(
    program: &Program,
    bounds: &[Bound],
    solution: &Solution,
    certain: bool,
) -> Infeasible {
    let share = |bound: usize| {
        let most = bounds[bound].most;
        (weight(program, bound, &solution.items) - most) / most.abs().max(1e-9)
    };
    let bound =
        (0..bounds.len()).max_by(|&left, &right| share(left).total_cmp(&share(right))).unwrap_or(0);
    Infeasible::Bound { bound, least: weight(program, bound, &solution.items), certain }
}
