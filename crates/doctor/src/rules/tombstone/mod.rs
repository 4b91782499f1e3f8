//! Rules about tombstones: the reads that meet them, and why they stay.

mod dr020_tombstones_per_read;
mod dr021_queue;
mod dr022_droppable_tombstones;
mod dr023_repair_overdue;
mod dr024_partition_tombstones;

use super::rule::RuleEntry;

/// The rules of the chapter.
pub(super) const RULES: &[RuleEntry] = &[
    dr020_tombstones_per_read::RULE,
    dr021_queue::RULE,
    dr022_droppable_tombstones::RULE,
    dr023_repair_overdue::RULE,
    dr024_partition_tombstones::RULE,
];
