//! Rules about compaction: `SSTables` per read, backlogs, and strategies that do not fit.

mod dr080_sstables_per_read;
mod dr081_compaction_backlog;
mod dr082_ttl_without_time_windows;
mod dr083_changes_in_time_windows;
mod dr084_window_count;
mod dr085_level_zero_backlog;

use schema::catalog::Table;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr080_sstables_per_read::RULE,
    dr081_compaction_backlog::RULE,
    dr082_ttl_without_time_windows::RULE,
    dr083_changes_in_time_windows::RULE,
    dr084_window_count::RULE,
    dr085_level_zero_backlog::RULE,
];

/// The name of the compaction strategy, without its package.
fn strategy(table: &Table) -> Option<&str> {
    table.params.compaction.get("class")?.rsplit('.').next()
}
