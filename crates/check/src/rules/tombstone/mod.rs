//! TB: rules about tombstones and lifetimes.

mod tb001_queue_pattern;
mod tb002_tombstones_per_read;
mod tb003_null_insert;
mod tb004_delete_heavy_table;
mod tb005_row_delete_instead_of_range;
mod tb006_mixed_ttl;
mod tb007_retention_without_ttl;
mod tb008_ttl_too_long;
mod tb009_delete_on_ttl_table;
mod tb010_gc_grace_zero;
mod tb011_gc_grace_below_hint_window;
mod tb012_gc_grace_below_repair_interval;
mod tb013_gc_grace_much_longer_than_ttl;
mod tb014_partial_row_ttl;
mod tb016_soft_delete_flag;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    tb001_queue_pattern::RULE,
    tb002_tombstones_per_read::RULE,
    tb003_null_insert::RULE,
    tb004_delete_heavy_table::RULE,
    tb005_row_delete_instead_of_range::RULE,
    tb006_mixed_ttl::RULE,
    tb007_retention_without_ttl::RULE,
    tb008_ttl_too_long::RULE,
    tb009_delete_on_ttl_table::RULE,
    tb010_gc_grace_zero::RULE,
    tb011_gc_grace_below_hint_window::RULE,
    tb012_gc_grace_below_repair_interval::RULE,
    tb013_gc_grace_much_longer_than_ttl::RULE,
    tb014_partial_row_ttl::RULE,
    tb016_soft_delete_flag::RULE,
];
