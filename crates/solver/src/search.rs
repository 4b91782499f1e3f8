//! The whole of the step-by-step search: a start, improvement, and prices for what is bounded until the bounds are kept to.

use super::graph::Choice;
use super::local_search::{LocalSearch, ScoredChoice};

/// Pieces torn down in vain before the search by branches takes over.
const PATIENCE: u32 = 30;

/// Rounds of ever higher prices for what is bounded.
const PRICE_ROUNDS: u32 = 14;

/// The best solution found until the steps are used up, from nothing and from each choice given; its excess says whether it
/// keeps to the bounds.
pub(super) fn search(
    local: &mut LocalSearch<'_>,
    from: &[Choice],
    until: u64,
) -> Option<ScoredChoice> {
    let begun = local.steps();
    let share = |part: u64| begun + (until - begun) / 8 * part;
    if !local.completer().graph.most.is_empty() {
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

/// Whether one solution is better: keeping to the bounds first, then cost.
pub(super) fn is_better(new: &ScoredChoice, old: &ScoredChoice) -> bool {
    (new.score.excess, new.score.cost) < (old.score.excess, old.score.cost)
}

/// Puts ever higher prices on what is bounded; the best that keeps to the bounds, or exceeds them least, stays.
fn satisfy_bounds(local: &mut LocalSearch<'_>, best: &mut ScoredChoice, until: u64) {
    let most = local.completer().graph.most.clone();
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
    let light = if best.score.excess > 0.0 { 1.0 } else { 0.1 };
    for (price, most) in local.completer().prices.iter_mut().zip(&most) {
        *price = light * whole / most.max(1e-9);
    }
    local.completer().estimate();
}
