//! Compares the copies of a design on a cluster with the tables that they are copied from, and mends
//! rows that do not agree, as after a client was killed in the middle of a write.
//!
//! `verification_plan` decides from the `definitions` of the tables which one is the source of truth
//! about each entity (`entity_table`) and how the rows of the others follow from it
//! (`table_shape`). `table_reader` reads tables page by page; `entity_join` joins the rows of a
//! base with those that they refer to. `row_comparison` compares what they make with the copy,
//! `orphan_search` finds rows of the copy that nothing makes, and `group_count` does both for
//! counters. `verifier` runs all of it, `confirmation` compares once more and mends with the
//! statements of `mended_table`. `report` is the result. `stored_definitions` is how `design.json` keeps
//! the definitions.

mod confirmation;
mod definitions;
mod difference;
mod entity_join;
mod entity_table;
mod group_count;
mod mended_table;
mod orphan_search;
mod report;
mod row_comparison;
mod stored_definitions;
mod stored_derivation;
mod stored_row;
mod table_reader;
mod table_shape;
mod verification_plan;
mod verifier;

#[cfg(test)]
mod tests;

pub(crate) use definitions::Definitions;
pub(crate) use difference::{Difference, DifferenceKind, MendState};
pub(crate) use group_count::GROUPS_MAX;
pub(crate) use report::{CopyReport, VerificationReport};
pub(crate) use stored_definitions::{KEY, read_design, to_json};
pub(crate) use verifier::{VerificationOptions, verify};
