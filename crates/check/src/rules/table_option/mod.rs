//! TO: rules about table options.

mod to002_compact_storage;
mod to003_compression_off;
mod to004_chunk_length;
mod to005_row_cache_on_wide_table;
mod to006_bloom_filter;
mod to007_memtable_flush_period;
mod to008_speculative_retry;
mod to010_missing_comment;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    to002_compact_storage::RULE,
    to003_compression_off::RULE,
    to004_chunk_length::RULE,
    to005_row_cache_on_wide_table::RULE,
    to006_bloom_filter::RULE,
    to007_memtable_flush_period::RULE,
    to008_speculative_retry::RULE,
    RuleEntry::server(include_str!("to009_vendor_option.md")),
    to010_missing_comment::RULE,
];
