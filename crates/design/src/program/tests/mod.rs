//! Tests of the solver.

mod designs;
mod large;
mod random;
mod reducing;
mod small;
