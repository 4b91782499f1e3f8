//! DM: rules about the data model as a whole.

mod dm001_over_normalised;
mod dm002_link_table_without_payload;
mod dm003_two_hop_lookup;
mod dm004_one_table_many_patterns;
mod dm005_unused_table;
mod dm006_duplicate_table;
mod dm007_stale_copy_risk;
mod dm008_write_amplification;
mod dm009_by_suffix_mismatch;
mod dm010_no_workload;
mod dm011_volumes_missing;
pub(crate) mod dm012_relational_syntax;
mod dm013_uniqueness_by_index;
mod dm014_search_requirement;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    dm001_over_normalised::RULE,
    dm002_link_table_without_payload::RULE,
    dm003_two_hop_lookup::RULE,
    dm004_one_table_many_patterns::RULE,
    dm005_unused_table::RULE,
    dm006_duplicate_table::RULE,
    dm007_stale_copy_risk::RULE,
    dm008_write_amplification::RULE,
    dm009_by_suffix_mismatch::RULE,
    dm010_no_workload::RULE,
    dm011_volumes_missing::RULE,
    dm012_relational_syntax::RULE,
    dm013_uniqueness_by_index::RULE,
    dm014_search_requirement::RULE,
];
