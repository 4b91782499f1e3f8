//! The rule book: a file and a page for each rule, and the list of all.

mod accord_restrictions;
mod add_column_with_select_star;
mod aggregation_over_in;
mod aggregation_without_partition;
mod aggressive_tombstone_compaction;
mod allow_filtering_in_partition;
mod allow_filtering_scan;
mod allow_filtering_small_table;
mod already_exists;
mod ann_rules;
mod arithmetic_on_regular_column;
mod artificial_sequence_key;
mod astra_unsupported;
mod batch_attributes;
mod batch_bytes;
mod batch_conditions;
mod batch_counter_mix;
mod batch_for_throughput;
mod batch_isolation_assumption;
mod batch_statement_count;
mod binary_payload;
mod blob_collection;
mod bloom_filter;
mod boolean_partition_key;
mod bucket_not_in_partition_key;
mod bucket_too_coarse;
mod bucket_too_fine;
mod business_code_key;
mod by_suffix_mismatch;
mod capacity;
mod chunk_length;
mod client_timestamp;
mod clustering_gap;
mod clustering_order_change;
mod clustering_order_clause;
mod collection_bytes;
mod collection_could_be_frozen;
mod collection_element_count;
mod collection_overwrite_tombstone;
mod collection_predicates;
mod column_cannot_be_dropped;
mod column_cannot_be_renamed;
mod column_exists;
mod column_type_change;
mod compact_storage;
mod compact_storage_rules;
mod compaction_change;
mod compaction_disabled;
mod compaction_options;
mod composite_key_column_order;
mod compound_vs_composite_confusion;
mod compression_off;
mod compression_options;
mod concurrent_ddl;
mod conflicting_orders;
mod conflicting_restrictions;
mod constant_partition_key;
mod contains_without_index;
mod count_on_growing_partition;
mod counter_default_ttl;
mod counter_delete_reuse;
mod counter_exactness;
mod counter_insert;
mod counter_inside_types;
mod counter_lwt;
mod counter_mixing;
mod counter_non_idempotent_retry;
mod counter_or_duration_in_key;
mod counter_set;
mod counter_time_window;
mod counter_ttl_timestamp;
mod cross_table_type_mismatch;
mod dc_name_mismatch;
mod ddl_and_dml_mixed;
mod decomposed_time_hierarchy;
mod delete_heavy_table;
mod delete_on_ttl_table;
mod denormalised_writes_not_batched;
mod destructive_statement;
mod disabled_by_default_feature;
mod distinct_rules;
mod downgrade_of_safety;
mod drop_and_recreate;
mod drop_column;
mod drop_used_object;
mod drop_with_dependents;
mod dtcs;
mod duplicate_index;
mod duplicate_table;
mod durable_writes_off;
mod duration_inside_collections;
mod element_op_on_frozen;
mod epoch_integer;
mod eq_range_sort_order;
mod floating_key;
mod floating_money;
mod frozen_on_scalar;
mod full_table_scan;
mod function_signature;
mod gc_grace_below_hint_window;
mod gc_grace_below_repair_interval;
mod gc_grace_lowered;
mod gc_grace_much_longer_than_ttl;
mod gc_grace_zero;
mod group_by_rules;
mod hot_counter;
mod hot_partition_forecast;
mod identifier_rules;
mod implicit_clustering_direction;
mod implicit_index_implementation;
mod in_cartesian_product;
mod in_on_index_or_regular;
mod inconsistent_naming;
mod index_high_cardinality_2i;
mod index_in_large_partition;
mod index_is_primary_path;
mod index_large_result;
mod index_on_collection_mismatch;
mod index_on_counter_or_view;
mod index_on_populated_table;
mod index_on_volatile_column;
mod index_scatter_gather;
mod index_target;
mod index_very_low_cardinality;
mod index_with_partition_in;
mod instant_as_partition_key;
mod json_in_text;
mod keyspace_replication;
mod keyspaces_unsupported;
mod large_cell;
mod large_in_clustering;
mod large_in_partition;
mod large_page_size;
mod large_row;
mod lcs_sstable_size;
mod lcs_write_heavy;
mod lease_table;
mod legacy_2i_on_5;
mod like_without_sasi;
mod limit_rules;
mod link_table_without_payload;
mod list_append_retry;
mod list_read_before_write;
mod list_type;
mod literal_statement;
mod logged_batch_gc_grace_zero;
mod long_partition_key;
mod lossy_manual_counter;
mod low_cardinality_partition_key;
mod low_replication;
mod lwt_condition_on_key;
mod lwt_cross_partition_invariant;
mod lwt_mixed_with_plain_writes;
mod lwt_used;
mod lwt_with_in_or_timestamp;
mod map_as_dynamic_columns;
mod mask_does_not_fit;
mod materialized_view_used;
mod memtable_flush_period;
mod missing_comment;
mod missing_index_or_table;
mod missing_or_duplicate_primary_key;
mod missing_rollback;
mod mixed_ttl;
mod multi_2i_predicate;
mod multi_partition_logged_batch;
mod multi_partition_request;
mod multi_partition_unlogged_batch;
mod mutable_clustering_column;
mod mutable_intersection_filter;
mod mutable_partition_key;
mod mv_illegal_base;
mod mv_low_cardinality_key;
mod mv_missing_base_key;
mod mv_not_null;
mod mv_of_wide_partition;
mod mv_same_as_base;
mod mv_two_non_key_columns;
mod mv_unselected_column_delete;
mod mv_volatile_key;
mod natural_key_collision;
mod needless_allow_filtering;
mod needless_if_not_exists;
mod nested_non_frozen;
mod newer_syntax;
mod no_large_partition_warning;
mod no_limit_on_wide_partition;
mod no_workload;
mod non_frozen_type_in_key;
mod non_idempotent_script;
mod non_key_in_write_where;
mod nts_auto_expansion;
mod null_insert;
mod null_where_forbidden;
mod one_table_many_patterns;
mod opaque_clustering_type;
mod option_out_of_range;
mod order_by_mixed_direction;
mod order_by_non_clustering;
mod order_by_prefix;
mod order_by_with_index;
mod order_by_without_partition;
mod over_normalised;
mod paged_order_by_with_in;
mod partial_row_ttl;
mod partition_bytes;
mod partition_cells;
mod partition_key_never_restricted;
mod partition_key_not_restricted;
mod partition_key_over_specified;
mod partition_rows;
mod primary_key_change;
mod queue_pattern;
mod quoted_or_reserved_identifier;
mod range_delete_of_columns;
mod range_on_partition_key;
mod read_heavy_on_stcs;
mod read_modify_write;
mod redundant_index_on_key;
mod redundant_order_by;
pub(crate) mod relational_syntax;
mod removed_function;
mod rename_column;
mod replication_change;
mod restriction_after_slice;
mod retention_without_ttl;
mod reversed_read_order;
mod rf_above_nodes;
mod row_cache_on_wide_table;
mod row_collision_risk;
mod row_delete_instead_of_range;
mod sai_many_predicates;
mod sai_target;
mod sai_term_size;
mod sai_unsupported_operator;
mod sasi_used;
mod scylla_differences;
mod scylla_global_when_local_fits;
mod search_requirement;
mod select_star;
mod set_primary_key;
mod shard_fanout;
mod simple_strategy;
mod size_forecast;
mod slice_from_tombstoned_head;
mod soft_delete_flag;
mod speculative_retry;
mod stale_copy_risk;
mod static_candidate;
mod static_in_bucketed_partition;
mod static_only_with_clustering;
mod static_rules;
mod stringly_typed;
mod suggest_guardrails;
mod syntax_error;
mod system_keyspace;
mod table_per_tenant_or_period;
mod tenant_missing_from_key;
mod tenant_only_partition_key;
mod text_time_bucket;
mod third_party_index;
mod time_as_sole_partition_key;
mod time_series_not_desc;
mod time_series_not_twcs;
mod timestamp_precision;
mod timeuuid_range_with_now;
mod tiny_partitions_read_together;
mod token_misuse;
mod tombstones_per_read;
mod too_many_clustering_columns;
mod too_many_columns;
mod too_many_indexes;
mod too_many_keyspaces;
mod too_many_markers;
mod too_many_tables;
mod too_many_views;
mod trigger_class_missing;
mod ttl_bounded_but_large;
mod ttl_change;
mod ttl_too_long;
mod twcs_window_count;
mod twcs_with_updates;
mod twcs_without_ttl;
mod two_hop_lookup;
mod type_change;
mod type_field_exists;
mod ucs_available;
mod udt_change;
mod udt_in_partition_key;
mod unbounded_collection;
mod unbounded_partition;
mod uncovered_query;
mod uniqueness_by_index;
mod unknown_allowance;
mod unknown_names_and_types;
mod unknown_or_duplicate_column;
mod unknown_or_foreign_udt;
mod unknown_table_property;
mod unnamed_index;
mod unqualified_table_name;
mod unreasoned_allowance;
mod unsafe_aggressive_expiration;
mod unsupported_operator;
mod unused_allowance;
mod unused_clustering_column;
mod unused_index;
mod unused_table;
mod use_before_define;
mod v2_missing_columns;
mod varchar_text_mix;
mod vector_index_experimental;
mod vendor_option;
mod version_gated_syntax;
mod versioned_leftovers;
mod view_definition;
mod view_on_populated_table;
mod volatile_frozen_udt;
mod volumes_missing;
mod weak_or_heavy_consistency;
mod wide_tuple_or_udt;
mod would_violate_guardrail;
mod write_amplification;
mod write_missing_clustering;
mod write_missing_partition_key;
mod write_to_view;
mod wrong_directive;

use crate::Rule;

/// All rules, by code.
static RULES: &[&Rule] = &[
    &multi_partition_logged_batch::RULE,
    &multi_partition_unlogged_batch::RULE,
    &batch_bytes::RULE,
    &batch_statement_count::RULE,
    &batch_for_throughput::RULE,
    &batch_isolation_assumption::RULE,
    &batch_counter_mix::RULE,
    &batch_conditions::RULE,
    &batch_attributes::RULE,
    &logged_batch_gc_grace_zero::RULE,
    &denormalised_writes_not_batched::RULE,
    &reversed_read_order::RULE,
    &time_series_not_desc::RULE,
    &redundant_order_by::RULE,
    &eq_range_sort_order::RULE,
    &conflicting_orders::RULE,
    &too_many_clustering_columns::RULE,
    &decomposed_time_hierarchy::RULE,
    &unused_clustering_column::RULE,
    &row_collision_risk::RULE,
    &mutable_clustering_column::RULE,
    &floating_key::RULE,
    &opaque_clustering_type::RULE,
    &static_candidate::RULE,
    &static_in_bucketed_partition::RULE,
    &implicit_clustering_direction::RULE,
    &natural_key_collision::RULE,
    &counter_insert::RULE,
    &counter_set::RULE,
    &counter_ttl_timestamp::RULE,
    &counter_lwt::RULE,
    &counter_delete_reuse::RULE,
    &counter_non_idempotent_retry::RULE,
    &counter_exactness::RULE,
    &hot_counter::RULE,
    &lossy_manual_counter::RULE,
    &counter_time_window::RULE,
    &unbounded_collection::RULE,
    &collection_element_count::RULE,
    &collection_bytes::RULE,
    &list_type::RULE,
    &list_read_before_write::RULE,
    &list_append_retry::RULE,
    &collection_overwrite_tombstone::RULE,
    &collection_could_be_frozen::RULE,
    &contains_without_index::RULE,
    &map_as_dynamic_columns::RULE,
    &blob_collection::RULE,
    &wide_tuple_or_udt::RULE,
    &twcs_without_ttl::RULE,
    &twcs_window_count::RULE,
    &twcs_with_updates::RULE,
    &time_series_not_twcs::RULE,
    &lcs_write_heavy::RULE,
    &read_heavy_on_stcs::RULE,
    &dtcs::RULE,
    &lcs_sstable_size::RULE,
    &aggressive_tombstone_compaction::RULE,
    &unsafe_aggressive_expiration::RULE,
    &compaction_disabled::RULE,
    &ucs_available::RULE,
    &over_normalised::RULE,
    &link_table_without_payload::RULE,
    &two_hop_lookup::RULE,
    &one_table_many_patterns::RULE,
    &unused_table::RULE,
    &duplicate_table::RULE,
    &stale_copy_risk::RULE,
    &write_amplification::RULE,
    &by_suffix_mismatch::RULE,
    &no_workload::RULE,
    &volumes_missing::RULE,
    &relational_syntax::RULE,
    &uniqueness_by_index::RULE,
    &search_requirement::RULE,
    &would_violate_guardrail::RULE,
    &no_large_partition_warning::RULE,
    &suggest_guardrails::RULE,
    &unused_allowance::RULE,
    &unknown_allowance::RULE,
    &unreasoned_allowance::RULE,
    &wrong_directive::RULE,
    &index_high_cardinality_2i::RULE,
    &index_very_low_cardinality::RULE,
    &index_is_primary_path::RULE,
    &index_scatter_gather::RULE,
    &index_large_result::RULE,
    &index_on_volatile_column::RULE,
    &redundant_index_on_key::RULE,
    &too_many_indexes::RULE,
    &unused_index::RULE,
    &missing_index_or_table::RULE,
    &multi_2i_predicate::RULE,
    &sai_many_predicates::RULE,
    &sai_unsupported_operator::RULE,
    &sai_term_size::RULE,
    &sasi_used::RULE,
    &legacy_2i_on_5::RULE,
    &implicit_index_implementation::RULE,
    &index_on_collection_mismatch::RULE,
    &third_party_index::RULE,
    &unnamed_index::RULE,
    &vector_index_experimental::RULE,
    &scylla_global_when_local_fits::RULE,
    &index_in_large_partition::RULE,
    &simple_strategy::RULE,
    &low_replication::RULE,
    &rf_above_nodes::RULE,
    &durable_writes_off::RULE,
    &dc_name_mismatch::RULE,
    &too_many_tables::RULE,
    &too_many_keyspaces::RULE,
    &table_per_tenant_or_period::RULE,
    &nts_auto_expansion::RULE,
    &lwt_used::RULE,
    &lwt_mixed_with_plain_writes::RULE,
    &needless_if_not_exists::RULE,
    &lwt_with_in_or_timestamp::RULE,
    &lwt_condition_on_key::RULE,
    &lease_table::RULE,
    &lwt_cross_partition_invariant::RULE,
    &primary_key_change::RULE,
    &clustering_order_change::RULE,
    &type_change::RULE,
    &drop_column::RULE,
    &rename_column::RULE,
    &destructive_statement::RULE,
    &drop_and_recreate::RULE,
    &concurrent_ddl::RULE,
    &ttl_change::RULE,
    &compaction_change::RULE,
    &gc_grace_lowered::RULE,
    &replication_change::RULE,
    &index_on_populated_table::RULE,
    &view_on_populated_table::RULE,
    &udt_change::RULE,
    &add_column_with_select_star::RULE,
    &v2_missing_columns::RULE,
    &non_idempotent_script::RULE,
    &ddl_and_dml_mixed::RULE,
    &drop_used_object::RULE,
    &missing_rollback::RULE,
    &downgrade_of_safety::RULE,
    &materialized_view_used::RULE,
    &mv_missing_base_key::RULE,
    &mv_two_non_key_columns::RULE,
    &mv_not_null::RULE,
    &mv_illegal_base::RULE,
    &mv_low_cardinality_key::RULE,
    &mv_volatile_key::RULE,
    &too_many_views::RULE,
    &mv_unselected_column_delete::RULE,
    &mv_same_as_base::RULE,
    &mv_of_wide_partition::RULE,
    &quoted_or_reserved_identifier::RULE,
    &inconsistent_naming::RULE,
    &versioned_leftovers::RULE,
    &low_cardinality_partition_key::RULE,
    &boolean_partition_key::RULE,
    &constant_partition_key::RULE,
    &time_as_sole_partition_key::RULE,
    &instant_as_partition_key::RULE,
    &mutable_partition_key::RULE,
    &tenant_missing_from_key::RULE,
    &tenant_only_partition_key::RULE,
    &long_partition_key::RULE,
    &partition_key_never_restricted::RULE,
    &partition_key_over_specified::RULE,
    &compound_vs_composite_confusion::RULE,
    &bucket_not_in_partition_key::RULE,
    &bucket_too_fine::RULE,
    &shard_fanout::RULE,
    &artificial_sequence_key::RULE,
    &business_code_key::RULE,
    &hot_partition_forecast::RULE,
    &tiny_partitions_read_together::RULE,
    &text_time_bucket::RULE,
    &composite_key_column_order::RULE,
    &unbounded_partition::RULE,
    &partition_bytes::RULE,
    &partition_cells::RULE,
    &partition_rows::RULE,
    &ttl_bounded_but_large::RULE,
    &bucket_too_coarse::RULE,
    &size_forecast::RULE,
    &large_row::RULE,
    &large_cell::RULE,
    &capacity::RULE,
    &keyspaces_unsupported::RULE,
    &astra_unsupported::RULE,
    &scylla_differences::RULE,
    &version_gated_syntax::RULE,
    &allow_filtering_scan::RULE,
    &allow_filtering_in_partition::RULE,
    &allow_filtering_small_table::RULE,
    &needless_allow_filtering::RULE,
    &full_table_scan::RULE,
    &large_in_partition::RULE,
    &in_cartesian_product::RULE,
    &large_in_clustering::RULE,
    &aggregation_without_partition::RULE,
    &aggregation_over_in::RULE,
    &count_on_growing_partition::RULE,
    &select_star::RULE,
    &no_limit_on_wide_partition::RULE,
    &multi_partition_request::RULE,
    &literal_statement::RULE,
    &unqualified_table_name::RULE,
    &client_timestamp::RULE,
    &mutable_intersection_filter::RULE,
    &large_page_size::RULE,
    &weak_or_heavy_consistency::RULE,
    &slice_from_tombstoned_head::RULE,
    &timeuuid_range_with_now::RULE,
    &uncovered_query::RULE,
    &read_modify_write::RULE,
    &partition_key_not_restricted::RULE,
    &write_missing_partition_key::RULE,
    &write_missing_clustering::RULE,
    &clustering_gap::RULE,
    &restriction_after_slice::RULE,
    &range_on_partition_key::RULE,
    &token_misuse::RULE,
    &non_key_in_write_where::RULE,
    &set_primary_key::RULE,
    &order_by_without_partition::RULE,
    &order_by_non_clustering::RULE,
    &order_by_prefix::RULE,
    &order_by_mixed_direction::RULE,
    &order_by_with_index::RULE,
    &paged_order_by_with_in::RULE,
    &group_by_rules::RULE,
    &distinct_rules::RULE,
    &unsupported_operator::RULE,
    &conflicting_restrictions::RULE,
    &collection_predicates::RULE,
    &like_without_sasi::RULE,
    &index_with_partition_in::RULE,
    &static_only_with_clustering::RULE,
    &range_delete_of_columns::RULE,
    &element_op_on_frozen::RULE,
    &arithmetic_on_regular_column::RULE,
    &unknown_names_and_types::RULE,
    &null_where_forbidden::RULE,
    &limit_rules::RULE,
    &ann_rules::RULE,
    &write_to_view::RULE,
    &too_many_markers::RULE,
    &removed_function::RULE,
    &in_on_index_or_regular::RULE,
    &accord_restrictions::RULE,
    &missing_or_duplicate_primary_key::RULE,
    &unknown_or_duplicate_column::RULE,
    &non_frozen_type_in_key::RULE,
    &counter_or_duration_in_key::RULE,
    &static_rules::RULE,
    &clustering_order_clause::RULE,
    &counter_mixing::RULE,
    &counter_default_ttl::RULE,
    &nested_non_frozen::RULE,
    &counter_inside_types::RULE,
    &duration_inside_collections::RULE,
    &frozen_on_scalar::RULE,
    &unknown_or_foreign_udt::RULE,
    &compact_storage_rules::RULE,
    &identifier_rules::RULE,
    &unknown_table_property::RULE,
    &option_out_of_range::RULE,
    &compaction_options::RULE,
    &compression_options::RULE,
    &index_target::RULE,
    &index_on_counter_or_view::RULE,
    &duplicate_index::RULE,
    &sai_target::RULE,
    &keyspace_replication::RULE,
    &disabled_by_default_feature::RULE,
    &drop_with_dependents::RULE,
    &already_exists::RULE,
    &use_before_define::RULE,
    &system_keyspace::RULE,
    &column_type_change::RULE,
    &column_exists::RULE,
    &column_cannot_be_dropped::RULE,
    &column_cannot_be_renamed::RULE,
    &type_field_exists::RULE,
    &mask_does_not_fit::RULE,
    &trigger_class_missing::RULE,
    &function_signature::RULE,
    &view_definition::RULE,
    &syntax_error::RULE,
    &newer_syntax::RULE,
    &queue_pattern::RULE,
    &tombstones_per_read::RULE,
    &null_insert::RULE,
    &delete_heavy_table::RULE,
    &row_delete_instead_of_range::RULE,
    &mixed_ttl::RULE,
    &retention_without_ttl::RULE,
    &ttl_too_long::RULE,
    &delete_on_ttl_table::RULE,
    &gc_grace_zero::RULE,
    &gc_grace_below_hint_window::RULE,
    &gc_grace_below_repair_interval::RULE,
    &gc_grace_much_longer_than_ttl::RULE,
    &partial_row_ttl::RULE,
    &soft_delete_flag::RULE,
    &compact_storage::RULE,
    &compression_off::RULE,
    &chunk_length::RULE,
    &row_cache_on_wide_table::RULE,
    &bloom_filter::RULE,
    &memtable_flush_period::RULE,
    &speculative_retry::RULE,
    &vendor_option::RULE,
    &missing_comment::RULE,
    &stringly_typed::RULE,
    &cross_table_type_mismatch::RULE,
    &epoch_integer::RULE,
    &binary_payload::RULE,
    &json_in_text::RULE,
    &floating_money::RULE,
    &too_many_columns::RULE,
    &udt_in_partition_key::RULE,
    &volatile_frozen_udt::RULE,
    &varchar_text_mix::RULE,
    &timestamp_precision::RULE,
];

/// All rules, by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied()
}

/// The rule of a code.
pub fn find(code: &str) -> Option<&'static Rule> {
    let at = RULES.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
    RULES.get(at).copied()
}
