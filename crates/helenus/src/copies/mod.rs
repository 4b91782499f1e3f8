//! Compares the copies of a design with their bases.
#![expect(dead_code, reason = "wip")]
mod definitions;
mod entity_table;
mod table_shape;
mod verification_plan;

#[cfg(test)]
mod plan_tests;
