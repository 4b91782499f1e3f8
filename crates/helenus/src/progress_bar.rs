//! The progress bar of work that takes long.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The bar appears only after this time.
const SHOW_DELAY: Duration = Duration::from_secs(1);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
const BAR_WIDTH: u64 = 30;

/// A line on standard error, shown only if that is a terminal.
pub(crate) struct ProgressBar {
    /// What is done, such as `proof`.
    title: &'static str,
    start: Instant,
    last_shown: Instant,
    is_terminal: bool,
    is_shown: bool,
}

impl ProgressBar {
    pub(crate) fn new(title: &'static str) -> Self {
        let now = Instant::now();
        Self {
            title,
            start: now,
            last_shown: now,
            is_terminal: io::stderr().is_terminal(),
            is_shown: false,
        }
    }

    /// Shows the progress, at most once per `REFRESH_INTERVAL`.
    pub(crate) fn show(&mut self, stage: &str, done: u64, of: u64) {
        if !self.is_terminal
            || self.start.elapsed() < SHOW_DELAY
            || self.last_shown.elapsed() < REFRESH_INTERVAL
        {
            return;
        }
        self.last_shown = Instant::now();
        self.is_shown = true;
        // A failure to show the progress does not stop the work.
        let _ = write!(io::stderr(), "\r\x1b[K{}: {}", self.title, line(stage, done, of));
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `loading [########......................] 27 %`
fn line(stage: &str, done: u64, of: u64) -> String {
    let total = of.max(1);
    let done = done.min(total);
    let share = |whole: u64| {
        let part = u128::from(done) * u128::from(whole) / u128::from(total);
        usize::try_from(part).unwrap_or_default()
    };
    let (filled, percent) = (share(BAR_WIDTH), share(100));
    let empty = usize::try_from(BAR_WIDTH).unwrap_or_default().saturating_sub(filled);
    format!("{stage} [{}{}] {percent} %", "#".repeat(filled), ".".repeat(empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_up() {
        let at = |done, of| line("loading", done, of);
        assert_eq!(at(0, 0), format!("loading [{}] 0 %", ".".repeat(30)));
        assert_eq!(at(1, 2), format!("loading [{}{}] 50 %", "#".repeat(15), ".".repeat(15)));
        assert_eq!(at(u64::MAX, 7), format!("loading [{}] 100 %", "#".repeat(30)));
    }
}
