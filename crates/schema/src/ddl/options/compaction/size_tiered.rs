//! The options of size-tiered compaction, which leveled and time-window compaction have as well.

use super::CompactionOptions;
use crate::Result;
use crate::java::number;
use crate::refusal::CompactionReason;

const MIN_SSTABLE_SIZE: i64 = 50 * 1024 * 1024;

pub(super) fn check(options: &mut CompactionOptions<'_>) -> Result<()> {
    let size = options.long("min_sstable_size", MIN_SSTABLE_SIZE)?;
    if size < 0 {
        return options.refuse(CompactionReason::NegativeMinSize { size });
    }
    let low = bucket(options, "bucket_low", 0.5)?;
    let high = bucket(options, "bucket_high", 1.5)?;
    if high <= low {
        let (low, high) = (number::double_text(low), number::double_text(high));
        return options.refuse(CompactionReason::BucketOrder { high, low });
    }
    options.mark_known(&["min_sstable_size", "bucket_low", "bucket_high"]);
    Ok(())
}

fn bucket(options: &CompactionOptions<'_>, name: &str, default: f64) -> Result<f64> {
    let Some(text) = options.get(name) else { return Ok(default) };
    match number::parse_double(text) {
        Ok(value) => Ok(value),
        Err(_) => options
            .refuse(CompactionReason::NoFloat { text: text.to_string(), name: name.to_string() }),
    }
}
