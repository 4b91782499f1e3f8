//! QV: queries that the server rejects. Most rules are a page only: the binder finds what they
//! describe.

mod qv015_paged_order_by_with_in;
mod qv033_removed_function;
mod qv034_in_on_index_or_regular;
mod qv035_accord_restrictions;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    RuleEntry::server(include_str!("qv001_partition_key_not_restricted.md")),
    RuleEntry::server(include_str!("qv002_write_missing_partition_key.md")),
    RuleEntry::server(include_str!("qv003_write_missing_clustering.md")),
    RuleEntry::server(include_str!("qv004_clustering_gap.md")),
    RuleEntry::server(include_str!("qv005_restriction_after_slice.md")),
    RuleEntry::server(include_str!("qv006_range_on_partition_key.md")),
    RuleEntry::server(include_str!("qv007_token_misuse.md")),
    RuleEntry::server(include_str!("qv008_non_key_in_write_where.md")),
    RuleEntry::server(include_str!("qv009_set_primary_key.md")),
    RuleEntry::server(include_str!("qv010_order_by_without_partition.md")),
    RuleEntry::server(include_str!("qv011_order_by_non_clustering.md")),
    RuleEntry::server(include_str!("qv012_order_by_prefix.md")),
    RuleEntry::server(include_str!("qv013_order_by_mixed_direction.md")),
    RuleEntry::server(include_str!("qv014_order_by_with_index.md")),
    qv015_paged_order_by_with_in::RULE,
    RuleEntry::server(include_str!("qv016_group_by_rules.md")),
    RuleEntry::server(include_str!("qv017_distinct_rules.md")),
    RuleEntry::server(include_str!("qv018_unsupported_operator.md")),
    RuleEntry::server(include_str!("qv019_conflicting_restrictions.md")),
    RuleEntry::server(include_str!("qv020_collection_predicates.md")),
    RuleEntry::server(include_str!("qv021_like_without_sasi.md")),
    RuleEntry::server(include_str!("qv022_index_with_partition_in.md")),
    RuleEntry::server(include_str!("qv023_static_only_with_clustering.md")),
    RuleEntry::server(include_str!("qv024_range_delete_of_columns.md")),
    RuleEntry::server(include_str!("qv025_element_op_on_frozen.md")),
    RuleEntry::server(include_str!("qv026_arithmetic_on_regular_column.md")),
    RuleEntry::server(include_str!("qv027_unknown_names_and_types.md")),
    RuleEntry::server(include_str!("qv028_null_where_forbidden.md")),
    RuleEntry::server(include_str!("qv029_limit_rules.md")),
    RuleEntry::server(include_str!("qv030_ann_rules.md")),
    RuleEntry::server(include_str!("qv031_write_to_view.md")),
    RuleEntry::server(include_str!("qv032_too_many_markers.md")),
    qv033_removed_function::RULE,
    qv034_in_on_index_or_regular::RULE,
    qv035_accord_restrictions::RULE,
];
