//! GR: rules about guardrails.

mod gr001_would_violate_guardrail;
mod gr002_no_large_partition_warning;
mod gr003_suggest_guardrails;

use crate::RuleEntry;

/// The rules of this chapter, by code.
pub(super) const RULES: &[RuleEntry] = &[
    gr001_would_violate_guardrail::RULE,
    gr002_no_large_partition_warning::RULE,
    gr003_suggest_guardrails::RULE,
];
