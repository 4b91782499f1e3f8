//! Rules about nodes: what they dropped, where they waited, whether they agree.

mod dr100_dropped_messages;
mod dr101_gc_pauses;
mod dr102_schema_disagreement;
mod dr103_blocked_threads;
mod dr104_node_down;
mod dr105_storage_failures;
mod dr106_mixed_versions;
mod dr107_request_timeouts;
mod dr108_ring_imbalance;
mod dr109_pending_hints;
mod dr110_membership_disagreement;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr100_dropped_messages::RULE,
    dr101_gc_pauses::RULE,
    dr102_schema_disagreement::RULE,
    dr103_blocked_threads::RULE,
    dr104_node_down::RULE,
    dr105_storage_failures::RULE,
    dr106_mixed_versions::RULE,
    dr107_request_timeouts::RULE,
    dr108_ring_imbalance::RULE,
    dr109_pending_hints::RULE,
    dr110_membership_disagreement::RULE,
];
