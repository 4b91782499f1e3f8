//! Rules about the statements that read.

mod dr040_filtering;
mod dr041_full_scan;
mod dr042_range_reads;
mod dr043_slow_query;
mod dr044_index_fan_out;
mod dr045_large_in;
mod dr046_unprepared_statements;
mod dr047_aggregation_without_key;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr040_filtering::RULE,
    dr041_full_scan::RULE,
    dr042_range_reads::RULE,
    dr043_slow_query::RULE,
    dr044_index_fan_out::RULE,
    dr045_large_in::RULE,
    dr046_unprepared_statements::RULE,
    dr047_aggregation_without_key::RULE,
];
