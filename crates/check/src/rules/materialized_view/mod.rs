//! MV: rules about materialized views.

mod mv001_materialized_view_used;
mod mv004_mv_not_null;
mod mv006_mv_low_cardinality_key;
mod mv007_mv_volatile_key;
mod mv008_too_many_views;
mod mv009_mv_unselected_column_delete;
mod mv010_mv_same_as_base;
mod mv011_mv_of_wide_partition;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    mv001_materialized_view_used::RULE,
    RuleEntry::server(include_str!("mv002_mv_missing_base_key.md")),
    RuleEntry::server(include_str!("mv003_mv_two_non_key_columns.md")),
    mv004_mv_not_null::RULE,
    RuleEntry::server(include_str!("mv005_mv_illegal_base.md")),
    mv006_mv_low_cardinality_key::RULE,
    mv007_mv_volatile_key::RULE,
    mv008_too_many_views::RULE,
    mv009_mv_unselected_column_delete::RULE,
    mv010_mv_same_as_base::RULE,
    mv011_mv_of_wide_partition::RULE,
];
