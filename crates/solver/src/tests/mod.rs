//! Tests of the solver.

mod designs;
mod hard;
mod large;
mod linear;
mod random;
mod reduction;
mod small;
mod switches;
