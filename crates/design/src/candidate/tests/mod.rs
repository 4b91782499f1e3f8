//! Candidates of the examples and of small models.

mod examples;
mod random;
mod small;
mod splits;

use std::collections::BTreeSet;

use super::CandidateTable;
use crate::sample::marks;
use crate::{Context, mapping};

/// What every candidate must be.
fn assert_candidate(context: Context<'_>, candidate: &CandidateTable) {
    let collision = mapping::find_collision(context.concept, &candidate.table);
    assert_eq!(collision, None, "{}", marks(&candidate.table));
    assert!(candidate.table.partition_key().next().is_some());
    assert!(candidate.table.columns.iter().all(|column| !column.reasons.is_empty()));
    let aliases: BTreeSet<&str> =
        candidate.table.holds.sources.iter().map(|source| source.alias.as_str()).collect();
    assert_eq!(aliases.len(), candidate.table.holds.sources.len(), "aliases are told apart");
}
