//! The schedule of the heuristic search: starts, descent, rising penalties until the bounds are
//! kept, then large neighbourhood moves.

use super::graph::Choice;
use super::local_search::{LocalSearch, ScoredChoice};

/// Perturbations without success before branch and bound takes over.
const PATIENCE: u32 = 30;

/// Rounds of rising prices on bounded weights; each doubles the prices.
const PRICE_ROUNDS: u32 = 14;

/// The best solution found until the steps are used up, started from scratch and from each choice
/// given. Its excess is zero if it stays within the bounds.
pub(super) fn search(
    local: &mut LocalSearch<'_>,
    from: &[Choice],
    until: u64,
) -> Option<ScoredChoice> {
    let begun = local.steps();
    let share = |part: u64| begun + (until - begun) / 8 * part;
    // Three orders of magnitude above the cost, so that descent trades cost for feasibility and
    // still compares the costs of equally infeasible solutions.
    if !local.completer().graph.limits.is_empty() {
        local.completer().penalty = local.start(None)?.score.cost.max(1e-9) * 1e3;
    }
    let mut best: Option<ScoredChoice> = None;
    for from in from.iter().map(Some).chain([None]) {
        if let Some(mut found) = local.start(from) {
            local.descend(&mut found, share(4));
            if best.as_ref().is_none_or(|best| is_better(&found, best)) {
                best = Some(found);
            }
        }
    }
    let mut best = best?;
    if best.score.excess > 0.0 {
        satisfy_bounds(local, &mut best, share(7));
    }
    local.shake(&mut best, PATIENCE, until);
    Some(best)
}

/// Whether one solution is better: less excess over the bounds first, then less cost.
pub(super) fn is_better(new: &ScoredChoice, old: &ScoredChoice) -> bool {
    (new.score.excess, new.score.cost) < (old.score.excess, old.score.cost)
}

/// Raises the prices of bounded weights round by round. The penalty alone only compares whole
/// solutions; the prices also steer the completer, which picks ways one at a time, away from heavy
/// items. The best solution within the bounds, or the one with the least excess, stays.
fn satisfy_bounds(local: &mut LocalSearch<'_>, best: &mut ScoredChoice, until: u64) {
    let most = local.completer().graph.limits.clone();
    let whole = best.score.cost.max(1e-9);
    let mut raise = 0.02;
    for _ in 0..PRICE_ROUNDS {
        for (price, most) in local.completer().prices.iter_mut().zip(&most) {
            *price = raise * whole / most.max(1e-9);
        }
        local.completer().estimate();
        for from in [Some(best.choice.clone()), None] {
            if let Some(mut found) = local.start(from.as_ref()) {
                local.descend(&mut found, until);
                if is_better(&found, best) {
                    *best = found;
                }
            }
        }
        raise *= 2.0;
        if local.steps() >= until {
            break;
        }
    }
    // The perturbations that follow run with these prices: mild ones once a feasible solution is
    // known, since from then on cost matters.
    let light = if best.score.excess > 0.0 { 1.0 } else { 0.1 };
    for (price, most) in local.completer().prices.iter_mut().zip(&most) {
        *price = light * whole / most.max(1e-9);
    }
    local.completer().estimate();
}
