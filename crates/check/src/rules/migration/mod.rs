//! MG: rules about migrations.

mod mg001_primary_key_change;
mod mg002_clustering_order_change;
mod mg003_type_change;
mod mg004_drop_column;
mod mg005_rename_column;
mod mg006_destructive_statement;
mod mg007_drop_and_recreate;
mod mg008_concurrent_ddl;
mod mg009_ttl_change;
mod mg010_compaction_change;
mod mg011_gc_grace_lowered;
mod mg012_replication_change;
mod mg013_index_on_populated_table;
mod mg014_view_on_populated_table;
mod mg017_udt_change;
mod mg018_add_column_with_select_star;
mod mg019_v2_missing_columns;
mod mg020_non_idempotent_script;
mod mg021_ddl_and_dml_mixed;
mod mg022_drop_used_object;
mod mg023_missing_rollback;
mod mg024_downgrade_of_safety;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    mg001_primary_key_change::RULE,
    mg002_clustering_order_change::RULE,
    mg003_type_change::RULE,
    mg004_drop_column::RULE,
    mg005_rename_column::RULE,
    mg006_destructive_statement::RULE,
    mg007_drop_and_recreate::RULE,
    mg008_concurrent_ddl::RULE,
    mg009_ttl_change::RULE,
    mg010_compaction_change::RULE,
    mg011_gc_grace_lowered::RULE,
    mg012_replication_change::RULE,
    mg013_index_on_populated_table::RULE,
    mg014_view_on_populated_table::RULE,
    mg017_udt_change::RULE,
    mg018_add_column_with_select_star::RULE,
    mg019_v2_missing_columns::RULE,
    mg020_non_idempotent_script::RULE,
    mg021_ddl_and_dml_mixed::RULE,
    mg022_drop_used_object::RULE,
    mg023_missing_rollback::RULE,
    mg024_downgrade_of_safety::RULE,
];
