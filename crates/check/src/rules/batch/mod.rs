//! BA: rules about batches.

mod ba001_multi_partition_logged_batch;
mod ba002_multi_partition_unlogged_batch;
mod ba003_batch_bytes;
mod ba004_batch_statement_count;
mod ba005_batch_for_throughput;
mod ba006_batch_isolation_assumption;
mod ba010_logged_batch_gc_grace_zero;
mod ba011_denormalised_writes_not_batched;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    ba001_multi_partition_logged_batch::RULE,
    ba002_multi_partition_unlogged_batch::RULE,
    ba003_batch_bytes::RULE,
    ba004_batch_statement_count::RULE,
    ba005_batch_for_throughput::RULE,
    ba006_batch_isolation_assumption::RULE,
    RuleEntry::server(include_str!("ba007_batch_counter_mix.md")),
    RuleEntry::server(include_str!("ba008_batch_conditions.md")),
    RuleEntry::server(include_str!("ba009_batch_attributes.md")),
    ba010_logged_batch_gc_grace_zero::RULE,
    ba011_denormalised_writes_not_batched::RULE,
];
