//! Solves a program, within its bounds if it has some.

use super::attempt::solve_unbounded;
use super::relaxation::solve_bounded;
use super::{Bound, Infeasible, Program, Solution};

/// The cheapest solution that `work` units find, and a cost below which there is none. The same input gives the same answer.
pub fn solve(program: &Program, bounds: &[Bound], work: u64) -> Result<Solution, Infeasible> {
    solve_from(program, bounds, None, work)
}

/// As [`solve`], from a solution that may not be one any more.
pub(super) fn solve_from(
    program: &Program,
    bounds: &[Bound],
    from: Option<&Solution>,
    work: u64,
) -> Result<Solution, Infeasible> {
    if bounds.is_empty() {
        solve_unbounded(program, from, work)
    } else {
        solve_bounded(program, bounds, from, work)
    }
}
