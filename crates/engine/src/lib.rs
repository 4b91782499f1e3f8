//! The answers: statements carried out on stored rows, as one Cassandra node would.

pub mod function;
