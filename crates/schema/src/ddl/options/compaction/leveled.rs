//! The options of leveled compaction.

use super::{CompactionOptions, size_tiered};
use crate::Result;
use crate::refusal::CompactionReason;

pub(super) fn check(options: &mut CompactionOptions<'_>) -> Result<()> {
    for name in ["sstable_size_in_mb", "fanout_size"] {
        let value = options.int(name, 1)?;
        if value < 1 {
            return options.refuse(CompactionReason::NotPositive { name: name.to_string(), value });
        }
    }
    options.mark_known(&["sstable_size_in_mb", "fanout_size", "single_sstable_uplevel"]);
    size_tiered::check(options)
}
