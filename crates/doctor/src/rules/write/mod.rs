//! Rules about the statements that write.

mod dr060_batch_partitions;
mod dr061_batch_size;
mod dr062_batch_without_grace;
mod dr063_counter_timeouts;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr060_batch_partitions::RULE,
    dr061_batch_size::RULE,
    dr062_batch_without_grace::RULE,
    dr063_counter_timeouts::RULE,
];
