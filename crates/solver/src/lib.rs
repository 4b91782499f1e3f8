//! Solver for the selection problem behind a design. Nothing here refers to tables or queries.
//!
//! **The program.** An [`Item`] (a table, a column of it, the upkeep of it by a write, a read
//! before a write) can be selected once at a fixed cost, however many others use it. A [`Demand`]
//! is satisfied by exactly one of its [`Way`]s. A way needs items and may raise further demands; so
//! may an item. Some demands are always raised. Wanted is the cheapest set of items and ways that
//! satisfies every demand raised, optionally within [`Bound`]s on the total weight of the selected
//! items.
//!
//! The problem contains uncapacitated facility location and the Steiner problem in graphs
//! (AND-nodes: an item with all it needs and raises; OR-nodes: a demand with its ways), so it is
//! NP-hard. The programs of designs are large but loosely coupled: reductions decide much of each,
//! and branch and bound proves the rest optimal or reports how far from optimal the answer can be
//! ([`Solution::bound`]).
//!
//! **The flow**, file by file:
//!
//! - `strategy` is the entry: without bounds straight to `attempt`, with bounds to `relaxation`.
//! - `graph` is the one representation that everything below works on: items and ways become nodes.
//! - `presolve` shrinks the graph without losing its cheapest solution.
//! - `completer` turns a partial choice of ways into a solution, and prices changes of one way;
//!   `local_search` improves solutions; `search` schedules the two, including the penalties that lead back to feasibility under
//!   bounds.
//! - `ascent` computes lower bounds by dual ascent; `branch_and_bound` closes the gap, splitting
//!   the graph into `components` where it falls apart.
//! - `relaxation` handles bounds by Lagrangian relaxation: a price on each weight.
//! - `alternatives` prices ways that were not taken, for reports.
//! - `linear_program` states a program in linear form and `lp_format` writes it as text, so that
//!   other solvers can check what is claimed here. Nothing above uses them.
//!
//! **Invariants.** Costs and weights are not negative. All work is counted in elementary steps,
//! never in time, and the only random numbers come from a fixed seed, so the same input gives the
//! same answer on every machine. A solution's cost is always recomputed in the order of the
//! program, so that it does not depend on how the solution was found.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod alternatives;
mod ascent;
mod attempt;
mod branch_and_bound;
mod completer;
mod components;
mod graph;
mod id;
mod linear_program;
mod local_search;
pub mod lp_format;
mod presolve;
mod relaxation;
mod search;
mod strategy;
#[cfg(test)]
mod tests;

pub use alternatives::{Alternatives, cost_with, solve_without};
pub use id::{DemandId, Id, IdVec, ItemId, VariableId, WayId};
pub use linear_program::{
    Constraint, ConstraintOrigin, LinearProgram, Relation, Variable, VariableOrigin,
};
pub use strategy::solve;

/// Items that can be selected, and demands to be satisfied.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The items; a solution selects a subset of them.
    pub items: IdVec<ItemId, Item>,
    /// The demands, those that are always raised and those that items or ways raise.
    pub demands: IdVec<DemandId, Demand>,
}

/// Something that can be selected, and is paid for once, however many ways and items use it.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its cost; not negative. An infinite or undefined cost makes it unavailable.
    pub cost: f64,
    /// Its weight towards each bound, in the order of the bounds; missing is 0.
    pub weights: Vec<f64>,
    /// Items that must be selected with it.
    pub needs: Vec<ItemId>,
    /// Demands that must be satisfied once it is selected.
    pub raises: Vec<DemandId>,
}

/// Something that must be satisfied once it is raised.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// It is raised whatever is selected.
    pub always: bool,
    /// The ways to satisfy it; exactly one is taken once it is raised. Without any, whatever raises
    /// it cannot be selected.
    pub ways: IdVec<WayId, Way>,
}

/// A way to satisfy a demand.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// Its cost; not negative. An infinite or undefined cost makes it unavailable.
    pub cost: f64,
    /// Items that it uses.
    pub items: Vec<ItemId>,
    /// Demands that must be satisfied once it is selected.
    pub raises: Vec<DemandId>,
}

/// A bound on the sum of one weight over the selected items.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The largest sum allowed.
    pub limit: f64,
}

/// The cheapest solution found, with a proof of how good it is.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// For each demand the way taken; `None` where it is not raised.
    pub ways: IdVec<DemandId, Option<WayId>>,
    /// Whether each item is selected.
    pub items: IdVec<ItemId, bool>,
    /// The sum of the costs of the selected items and the ways taken.
    pub cost: f64,
    /// A lower bound: no solution costs less. Equal to `cost` when the solution is proved optimal.
    pub bound: f64,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Infeasible {
    /// A demand that is always raised and that no way satisfies.
    Demand(DemandId),
    /// A bound that no solution found stays within.
    Bound {
        /// The bound's position.
        bound: usize,
        /// The smallest limit found to be feasible, within the other bounds if possible.
        least: f64,
        /// It is proved that no solution stays within the bound; otherwise none was found.
        certain: bool,
    },
}
