//! The integer program of a design, and its solution.
//!
//! Things may be had at a price ([`Item`]: a table, a column of it, what a write does to keep it up, a read before a write).
//! Demands are to be met, each in one of several ways ([`Demand`], [`Way`]); a way takes items and may raise further demands,
//! and so may an item. Of all sets of items and ways that meet every demand raised, the cheapest is wanted. Nothing here knows what
//! a table is.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod alternatives;
mod ascent;
mod attempt;
mod branch_and_bound;
mod completer;
mod components;
mod graph;
mod id;
mod local_search;
mod presolve;
mod relaxation;
mod search;
mod strategy;
#[cfg(test)]
mod tests;

pub use alternatives::{Alternatives, cost_with, solve_without};
pub use id::{DemandId, Id, IdVec, ItemId, WayId};
pub use strategy::solve;

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What may be had.
    pub items: IdVec<ItemId, Item>,
    /// What is to be met.
    pub demands: IdVec<DemandId, Demand>,
}

/// Something that may be had, once, however many use it.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// What it costs; not negative.
    pub cost: f64,
    /// What it weighs against each bound, in the order of the bounds; missing is 0.
    pub weights: Vec<f64>,
    /// Items that it needs.
    pub needs: Vec<ItemId>,
    /// Demands that it raises.
    pub raises: Vec<DemandId>,
}

/// Something to be met, once it is raised.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// It must be met whatever is chosen.
    pub always: bool,
    /// The ways to meet it; exactly one is taken once it is raised. Without any, what raises it cannot be had.
    pub ways: IdVec<WayId, Way>,
}

/// A way to meet a demand.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// What it costs; not negative.
    pub cost: f64,
    /// Items that it takes.
    pub items: Vec<ItemId>,
    /// Demands that it raises.
    pub raises: Vec<DemandId>,
}

/// A bound on the sum of one weight over the items that are had.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The most that the weights may add up to.
    pub most: f64,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// For each demand the way taken; `None` where it is not raised.
    pub ways: IdVec<DemandId, Option<WayId>>,
    /// Whether each item is had.
    pub items: IdVec<ItemId, bool>,
    /// What it costs.
    pub cost: f64,
    /// No solution costs less.
    pub bound: f64,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Infeasible {
    /// A demand that is always to be met, and that no way meets.
    Demand(DemandId),
    /// A bound, by position, that nothing found keeps to.
    Bound {
        /// Its position.
        bound: usize,
        /// The least found that would do, the other bounds kept to if possible.
        least: f64,
        /// That nothing keeps to it is certain, not only that nothing was found.
        certain: bool,
    },
}
