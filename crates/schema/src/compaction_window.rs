//! The windows of `TimeWindowCompactionStrategy` for rows that expire.

use std::ops::RangeInclusive;

/// The minimum and maximum number of windows over a time to live.
pub const WINDOWS: RangeInclusive<u64> = 20..=30;

/// Units of a window with their seconds, the longest first.
const UNITS: [(&str, u64); 3] = [("DAYS", 86_400), ("HOURS", 3_600), ("MINUTES", 60)];

/// A window of compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactionWindow {
    /// `compaction_window_unit`
    pub unit: &'static str,
    /// `compaction_window_size`
    pub size: u64,
    /// How many of them make a time to live.
    pub count: u64,
}

impl CompactionWindow {
    /// The window for rows that live so many seconds: 20 to 30 of them, where they live long enough.
    pub fn for_life(seconds: u64) -> Self {
        for (unit, length) in UNITS {
            let size = seconds.div_ceil(length * WINDOWS.end()).max(1);
            let count = seconds.div_ceil(size * length);
            if WINDOWS.contains(&count) {
                return Self { unit, size, count };
            }
        }
        Self { unit: "MINUTES", size: 1, count: seconds.div_ceil(60).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::{CompactionWindow, WINDOWS};

    #[test]
    fn twenty_to_thirty_windows() {
        let day = 86_400;
        for (seconds, (unit, size, count)) in [
            (30 * day, ("DAYS", 1, 30)),
            (90 * day, ("DAYS", 3, 30)),
            (365 * day, ("DAYS", 13, 29)),
            // 31 days are 16 windows of two: 30 of 25 hours.
            (31 * day, ("HOURS", 25, 30)),
            (7 * day, ("HOURS", 6, 28)),
            (day, ("HOURS", 1, 24)),
            (3_600, ("MINUTES", 2, 30)),
            // Too short for twenty windows of a minute.
            (600, ("MINUTES", 1, 10)),
            (1, ("MINUTES", 1, 1)),
        ] {
            let expected = CompactionWindow { unit, size, count };
            assert_eq!(CompactionWindow::for_life(seconds), expected, "{seconds} s");
        }
        for days in 1..4_000 {
            let window = CompactionWindow::for_life(days * day);
            assert!(WINDOWS.contains(&window.count), "{days} days: {window:?}");
        }
    }
}
