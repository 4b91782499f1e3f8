//! Programs with bounds: solved without them first, then with a price on what is bounded.

use super::alternatives::keeps;
use super::solving::{Attempt, attempt, solve_from};
use super::{Bound, Infeasible, Item, Program, Solution};

/// The cheapest solution found that keeps to the bounds.
pub(super) fn solve_bounded(
    program: &Program,
    bounds: &[Bound],
    from: Option<&Solution>,
    work: u64,
) -> Result<Solution, Infeasible> {
    let free = solve_from(program, &[], from, work / 4)?;
    if keeps(program, bounds, &free.items) {
        return Ok(free);
    }
    let mut starts = vec![free.clone()];
    starts.extend(from.cloned());
    let found = match attempt(program, bounds, &starts, work / 2)? {
        Attempt::Solved(solution) => solution,
        Attempt::Exceeded(solution, certain) => {
            for (bound, most) in bounds.iter().enumerate() {
                let light = lightest(program, bound, work / 8)?;
                let least = weight(program, bound, &light.items);
                if light.bound > most.most + most.most.abs() * 1e-9 + 1e-9 {
                    return Err(Infeasible::Bound { bound, least, certain: true });
                }
                starts.push(light);
            }
            if certain {
                return Err(most_exceeded(program, bounds, &solution, true));
            }
            match attempt(program, bounds, &starts, work / 4)? {
                Attempt::Solved(solution) => solution,
                Attempt::Exceeded(solution, certain) => {
                    return Err(most_exceeded(program, bounds, &solution, certain));
                }
            }
        }
    };
    Ok(Solution { bound: found.bound.max(free.bound), ..found })
}

/// The solution that weighs least against one bound, whatever it costs.
fn lightest(program: &Program, bound: usize, work: u64) -> Result<Solution, Infeasible> {
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
    solve_from(&weighed, &[], None, work)
}

fn weight_of(item: &Item, bound: usize) -> f64 {
    item.weights.get(bound).copied().unwrap_or(0.0).max(0.0)
}

/// What the items had weigh against a bound.
fn weight(program: &Program, bound: usize, items: &[bool]) -> f64 {
    program
        .items
        .iter()
        .zip(items)
        .filter(|(_, had)| **had)
        .map(|(item, _)| weight_of(item, bound))
        .sum()
}

/// The bound that a solution exceeds most.
fn most_exceeded(
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
