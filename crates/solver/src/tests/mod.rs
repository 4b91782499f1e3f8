//! Tests of the solver.

mod designs;
mod hard;
mod large;
mod random;
mod reduction;
mod small;
