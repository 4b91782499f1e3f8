//! CK: rules about clustering columns and their order.

mod ck001_reversed_read_order;
mod ck002_time_series_not_desc;
mod ck003_redundant_order_by;
mod ck004_eq_range_sort_order;
mod ck005_conflicting_orders;
mod ck006_too_many_clustering_columns;
pub(super) mod ck007_decomposed_time_hierarchy;
mod ck008_unused_clustering_column;
mod ck009_row_collision_risk;
mod ck010_mutable_clustering_column;
mod ck012_floating_key;
mod ck013_opaque_clustering_type;
mod ck014_static_candidate;
mod ck015_static_in_bucketed_partition;
mod ck017_implicit_clustering_direction;
mod ck018_natural_key_collision;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    ck001_reversed_read_order::RULE,
    ck002_time_series_not_desc::RULE,
    ck003_redundant_order_by::RULE,
    ck004_eq_range_sort_order::RULE,
    ck005_conflicting_orders::RULE,
    ck006_too_many_clustering_columns::RULE,
    ck007_decomposed_time_hierarchy::RULE,
    ck008_unused_clustering_column::RULE,
    ck009_row_collision_risk::RULE,
    ck010_mutable_clustering_column::RULE,
    ck012_floating_key::RULE,
    ck013_opaque_clustering_type::RULE,
    ck014_static_candidate::RULE,
    ck015_static_in_bucketed_partition::RULE,
    ck017_implicit_clustering_direction::RULE,
    ck018_natural_key_collision::RULE,
];
