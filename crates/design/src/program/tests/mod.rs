//! Tests of the solver.

mod random;
mod reducing;
mod small;
