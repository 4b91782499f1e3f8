//! SV: schema statements that the server rejects. Most rules are a page only: the binder finds what
//! they describe.

mod sv025_disabled_by_default_feature;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    RuleEntry::server(include_str!("sv001_missing_or_duplicate_primary_key.md")),
    RuleEntry::server(include_str!("sv002_unknown_or_duplicate_column.md")),
    RuleEntry::server(include_str!("sv003_non_frozen_type_in_key.md")),
    RuleEntry::server(include_str!("sv004_counter_or_duration_in_key.md")),
    RuleEntry::server(include_str!("sv005_static_rules.md")),
    RuleEntry::server(include_str!("sv006_clustering_order_clause.md")),
    RuleEntry::server(include_str!("sv007_counter_mixing.md")),
    RuleEntry::server(include_str!("sv008_counter_default_ttl.md")),
    RuleEntry::server(include_str!("sv009_nested_non_frozen.md")),
    RuleEntry::server(include_str!("sv010_counter_inside_types.md")),
    RuleEntry::server(include_str!("sv011_duration_inside_collections.md")),
    RuleEntry::server(include_str!("sv012_frozen_on_scalar.md")),
    RuleEntry::server(include_str!("sv013_unknown_or_foreign_udt.md")),
    RuleEntry::server(include_str!("sv014_compact_storage_rules.md")),
    RuleEntry::server(include_str!("sv015_identifier_rules.md")),
    RuleEntry::server(include_str!("sv016_unknown_table_property.md")),
    RuleEntry::server(include_str!("sv017_option_out_of_range.md")),
    RuleEntry::server(include_str!("sv018_compaction_options.md")),
    RuleEntry::server(include_str!("sv019_compression_options.md")),
    RuleEntry::server(include_str!("sv020_index_target.md")),
    RuleEntry::server(include_str!("sv021_index_on_counter_or_view.md")),
    RuleEntry::server(include_str!("sv022_duplicate_index.md")),
    RuleEntry::server(include_str!("sv023_sai_target.md")),
    RuleEntry::server(include_str!("sv024_keyspace_replication.md")),
    sv025_disabled_by_default_feature::RULE,
    RuleEntry::server(include_str!("sv026_drop_with_dependents.md")),
    RuleEntry::server(include_str!("sv027_already_exists.md")),
    RuleEntry::server(include_str!("sv028_use_before_define.md")),
    RuleEntry::server(include_str!("sv029_system_keyspace.md")),
    RuleEntry::server(include_str!("sv030_column_type_change.md")),
    RuleEntry::server(include_str!("sv031_column_exists.md")),
    RuleEntry::server(include_str!("sv032_column_cannot_be_dropped.md")),
    RuleEntry::server(include_str!("sv033_column_cannot_be_renamed.md")),
    RuleEntry::server(include_str!("sv034_type_field_exists.md")),
    RuleEntry::server(include_str!("sv035_mask_does_not_fit.md")),
    RuleEntry::server(include_str!("sv036_trigger_class_missing.md")),
    RuleEntry::server(include_str!("sv037_function_signature.md")),
    RuleEntry::server(include_str!("sv038_view_definition.md")),
];
