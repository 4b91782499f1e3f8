//! CN: rules about counters.

mod cn001_counter_insert;
mod cn005_counter_delete_reuse;
mod cn006_counter_non_idempotent_retry;
mod cn007_counter_exactness;
mod cn008_hot_counter;
mod cn009_lossy_manual_counter;
mod cn010_counter_time_window;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    cn001_counter_insert::RULE,
    RuleEntry::server(include_str!("cn002_counter_set.md")),
    RuleEntry::server(include_str!("cn003_counter_ttl_timestamp.md")),
    RuleEntry::server(include_str!("cn004_counter_lwt.md")),
    cn005_counter_delete_reuse::RULE,
    cn006_counter_non_idempotent_retry::RULE,
    cn007_counter_exactness::RULE,
    cn008_hot_counter::RULE,
    cn009_lossy_manual_counter::RULE,
    cn010_counter_time_window::RULE,
];
