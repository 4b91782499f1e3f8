//! The options of time-window compaction.

use super::{CompactionOptions, size_tiered};
use crate::Result;
use crate::refusal::CompactionReason;

pub(super) fn check(options: &mut CompactionOptions<'_>) -> Result<()> {
    check_unit(
        options,
        "timestamp_resolution",
        &["SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS"],
    )?;
    check_unit(options, "compaction_window_unit", &["MINUTES", "HOURS", "DAYS"])?;
    let size = options.int("compaction_window_size", 1)?;
    if size < 1 {
        return options.refuse(CompactionReason::WindowSize { size });
    }
    let frequency = options.long("expired_sstable_check_frequency_seconds", 600)?;
    if frequency < 0 {
        return options.refuse(CompactionReason::NegativeFrequency { frequency });
    }
    check_aggressive(options)?;
    options.mark_known(&[
        "compaction_window_size",
        "compaction_window_unit",
        "timestamp_resolution",
        "expired_sstable_check_frequency_seconds",
        "unsafe_aggressive_sstable_expiration",
    ]);
    size_tiered::check(options)
}

fn check_unit(options: &CompactionOptions<'_>, name: &str, allowed: &[&str]) -> Result<()> {
    match options.get(name) {
        Some(unit) if !allowed.contains(&unit) => options.refuse(CompactionReason::WindowUnit {
            unit: unit.to_string(),
            name: name.to_string(),
        }),
        _ => Ok(()),
    }
}

fn check_aggressive(options: &CompactionOptions<'_>) -> Result<()> {
    let Some(text) = options.get("unsafe_aggressive_sstable_expiration") else { return Ok(()) };
    if text.eq_ignore_ascii_case("false") {
        return Ok(());
    }
    if text.eq_ignore_ascii_case("true") {
        return options.refuse(CompactionReason::AggressiveExpirationOff);
    }
    options.refuse(CompactionReason::AggressiveExpirationFlag { text: text.to_string() })
}
