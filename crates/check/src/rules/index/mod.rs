//! IX: rules about secondary indexes.

mod ix001_index_high_cardinality_2i;
mod ix002_index_very_low_cardinality;
mod ix003_index_is_primary_path;
mod ix004_index_scatter_gather;
mod ix005_index_large_result;
mod ix006_index_on_volatile_column;
mod ix007_redundant_index_on_key;
mod ix008_too_many_indexes;
mod ix009_unused_index;
mod ix011_multi_2i_predicate;
mod ix012_sai_many_predicates;
mod ix013_sai_unsupported_operator;
mod ix014_sai_term_size;
mod ix015_sasi_used;
mod ix016_legacy_2i_on_5;
mod ix017_implicit_index_implementation;
mod ix018_index_on_collection_mismatch;
mod ix019_third_party_index;
mod ix020_unnamed_index;
mod ix021_vector_index_experimental;
mod ix022_scylla_global_when_local_fits;
mod ix023_index_in_large_partition;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    ix001_index_high_cardinality_2i::RULE,
    ix002_index_very_low_cardinality::RULE,
    ix003_index_is_primary_path::RULE,
    ix004_index_scatter_gather::RULE,
    ix005_index_large_result::RULE,
    ix006_index_on_volatile_column::RULE,
    ix007_redundant_index_on_key::RULE,
    ix008_too_many_indexes::RULE,
    ix009_unused_index::RULE,
    RuleEntry::server(include_str!("ix010_missing_index_or_table.md")),
    ix011_multi_2i_predicate::RULE,
    ix012_sai_many_predicates::RULE,
    ix013_sai_unsupported_operator::RULE,
    ix014_sai_term_size::RULE,
    ix015_sasi_used::RULE,
    ix016_legacy_2i_on_5::RULE,
    ix017_implicit_index_implementation::RULE,
    ix018_index_on_collection_mismatch::RULE,
    ix019_third_party_index::RULE,
    ix020_unnamed_index::RULE,
    ix021_vector_index_experimental::RULE,
    ix022_scylla_global_when_local_fits::RULE,
    ix023_index_in_large_partition::RULE,
];
