//! CP: rules about compaction.

mod cp001_twcs_without_ttl;
mod cp002_twcs_window_count;
mod cp003_twcs_with_updates;
mod cp004_time_series_not_twcs;
mod cp005_lcs_write_heavy;
mod cp006_read_heavy_on_stcs;
mod cp007_dtcs;
mod cp008_lcs_sstable_size;
mod cp009_aggressive_tombstone_compaction;
mod cp010_unsafe_aggressive_expiration;
mod cp011_compaction_disabled;
mod cp012_ucs_available;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    cp001_twcs_without_ttl::RULE,
    cp002_twcs_window_count::RULE,
    cp003_twcs_with_updates::RULE,
    cp004_time_series_not_twcs::RULE,
    cp005_lcs_write_heavy::RULE,
    cp006_read_heavy_on_stcs::RULE,
    cp007_dtcs::RULE,
    cp008_lcs_sstable_size::RULE,
    cp009_aggressive_tombstone_compaction::RULE,
    cp010_unsafe_aggressive_expiration::RULE,
    cp011_compaction_disabled::RULE,
    cp012_ucs_available::RULE,
];
