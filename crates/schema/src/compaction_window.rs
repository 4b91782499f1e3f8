//! The windows of `TimeWindowCompactionStrategy` for rows that expire.

use std::ops::RangeInclusive;

use crate::catalog::Table;

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

/// Seconds of a window of `TimeWindowCompactionStrategy`, a day unless the options say otherwise;
/// `None` for another strategy.
pub fn window_seconds(table: &Table) -> Option<f64> {
    let option = |name: &str| table.params.compaction.get(name).map(|text| &**text);
    option("class").filter(|class| class.ends_with("TimeWindowCompactionStrategy"))?;
    let unit = match option("compaction_window_unit") {
        Some("MINUTES") => 60.0,
        Some("HOURS") => 3_600.0,
        _ => 86_400.0,
    };
    let size = option("compaction_window_size").and_then(|text| text.parse::<f64>().ok());
    Some(size.unwrap_or(1.0) * unit)
}

impl CompactionWindow {
    /// The seconds of a window.
    pub fn seconds(self) -> f64 {
        let unit =
            UNITS.iter().find(|(unit, _)| *unit == self.unit).map_or(60, |(_, seconds)| *seconds);
        f64::from(u32::try_from(self.size * unit).unwrap_or(u32::MAX))
    }

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
