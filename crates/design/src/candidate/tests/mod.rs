//! Frames of the examples and of small models.

mod examples;
mod random;
mod small;
mod splits;

use std::collections::BTreeSet;

use super::CandidateTable;
use crate::sample::marks;
use crate::{Context, mapping};

/// What every frame must be.
fn assert_candidate(context: Context<'_>, frame: &CandidateTable) {
    let collision = mapping::find_collision(context.concept, &frame.table);
    assert_eq!(collision, None, "{}", marks(&frame.table));
    assert!(frame.table.partition_key().next().is_some());
    assert!(frame.table.columns.iter().all(|column| !column.reasons.is_empty()));
    let aliases: BTreeSet<&str> =
        frame.table.holds.sources.iter().map(|source| source.alias.as_str()).collect();
    assert_eq!(aliases.len(), frame.table.holds.sources.len(), "aliases are told apart");
}
