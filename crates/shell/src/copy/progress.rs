//! The progress of a copy, shown while standard error is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// A short copy shows only its end.
const SHOW_DELAY: Duration = Duration::from_secs(1);

/// Counts rows and shows their number.
pub(super) struct CopyProgress {
    pub(super) rows: u64,
    start: Instant,
    last_shown: Instant,
    is_shown: bool,
}

impl CopyProgress {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { rows: 0, start: now, last_shown: now, is_shown: io::stderr().is_terminal() }
    }

    /// Counts further rows.
    pub(crate) fn add(&mut self, rows: u64) {
        self.rows += rows;
        // Reading the clock for every row would cost more than the row.
        if self.is_shown
            && self.rows.is_multiple_of(1_000)
            && self.last_shown.elapsed() >= REPORT_INTERVAL
            && self.start.elapsed() >= SHOW_DELAY
        {
            self.last_shown = Instant::now();
            self.show();
        }
    }

    fn show(&self) {
        let seconds = self.start.elapsed().as_secs_f64().max(0.001);
        let rate = self.rows as f64 / seconds;
        // A failure to show the progress does not stop the copy.
        let _ = write!(io::stderr(), "\rProcessed: {} rows; Rate: {rate:7.0} rows/s", self.rows);
    }

    /// The elapsed time, if the progress is shown: ` in 0.123 seconds`.
    pub(crate) fn finish(&self) -> String {
        if !self.is_shown {
            return String::new();
        }
        self.show();
        let _ = writeln!(io::stderr());
        format!(" in {:.3} seconds", self.start.elapsed().as_secs_f64())
    }
}
