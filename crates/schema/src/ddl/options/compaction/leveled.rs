//! The options of leveled compaction.

use super::{Options, size_tiered};
use crate::Result;

pub(super) fn check(options: &mut Options<'_>) -> Result<()> {
    for name in ["sstable_size_in_mb", "fanout_size"] {
        let value = options.int(name, 1)?;
        if value < 1 {
            return options.refuse(format!("{name} must be larger than 0, but was {value}"));
        }
    }
    options.known(&["sstable_size_in_mb", "fanout_size", "single_sstable_uplevel"]);
    size_tiered::check(options)
}
