//! Rules about settings: alarms that are off, limits that were raised, replicas.

mod dr120_silent_alarms;
mod dr121_short_gc_grace;
mod dr122_settings_differ;
mod dr123_raised_limits;
mod dr124_single_replica;
mod dr125_guardrail_violations;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr120_silent_alarms::RULE,
    dr121_short_gc_grace::RULE,
    dr122_settings_differ::RULE,
    dr123_raised_limits::RULE,
    dr124_single_replica::RULE,
    dr125_guardrail_violations::RULE,
];
