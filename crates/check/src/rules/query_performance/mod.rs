//! QP: rules about the cost of queries.

mod qp001_allow_filtering_scan;
mod qp002_allow_filtering_in_partition;
mod qp003_allow_filtering_small_table;
mod qp004_needless_allow_filtering;
mod qp005_full_table_scan;
mod qp006_large_in_partition;
mod qp007_in_cartesian_product;
mod qp008_large_in_clustering;
mod qp009_aggregation_without_partition;
mod qp010_aggregation_over_in;
mod qp011_count_on_growing_partition;
mod qp012_select_star;
mod qp013_no_limit_on_wide_partition;
mod qp014_multi_partition_request;
mod qp015_literal_statement;
mod qp016_unqualified_table_name;
mod qp017_client_timestamp;
mod qp018_mutable_intersection_filter;
mod qp019_large_page_size;
mod qp020_weak_or_heavy_consistency;
mod qp021_slice_from_tombstoned_head;
mod qp022_timeuuid_range_with_now;
mod qp023_uncovered_query;
mod qp024_read_modify_write;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    qp001_allow_filtering_scan::RULE,
    qp002_allow_filtering_in_partition::RULE,
    qp003_allow_filtering_small_table::RULE,
    qp004_needless_allow_filtering::RULE,
    qp005_full_table_scan::RULE,
    qp006_large_in_partition::RULE,
    qp007_in_cartesian_product::RULE,
    qp008_large_in_clustering::RULE,
    qp009_aggregation_without_partition::RULE,
    qp010_aggregation_over_in::RULE,
    qp011_count_on_growing_partition::RULE,
    qp012_select_star::RULE,
    qp013_no_limit_on_wide_partition::RULE,
    qp014_multi_partition_request::RULE,
    qp015_literal_statement::RULE,
    qp016_unqualified_table_name::RULE,
    qp017_client_timestamp::RULE,
    qp018_mutable_intersection_filter::RULE,
    qp019_large_page_size::RULE,
    qp020_weak_or_heavy_consistency::RULE,
    qp021_slice_from_tombstoned_head::RULE,
    qp022_timeuuid_range_with_now::RULE,
    qp023_uncovered_query::RULE,
    qp024_read_modify_write::RULE,
];
