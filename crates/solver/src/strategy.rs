//! The entry of the solver: programs without bounds are attempted directly, others by relaxation.

use super::attempt::solve_unbounded;
use super::relaxation::solve_bounded;
use super::{Bound, Infeasible, Program, Solution};

/// The cheapest solution that `work` units find, with a lower bound on the cost of any. The same
/// input gives the same answer.
pub fn solve(program: &Program, bounds: &[Bound], work: u64) -> Result<Solution, Infeasible> {
    solve_from(program, bounds, None, work)
}

/// As [`solve`], started from a solution of a similar program, which may not be a solution of this
/// one.
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
