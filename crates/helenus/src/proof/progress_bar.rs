//! How far a proof is, told while somebody looks.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use sim::ProofProgress;

/// What takes less is not worth a bar.
const SHOW_DELAY: Duration = Duration::from_secs(1);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
const BAR_WIDTH: u64 = 30;

/// A line on standard error, only where that is a terminal.
pub(super) struct ProgressBar {
    start: Instant,
    last_shown: Instant,
    is_wanted: bool,
    is_shown: bool,
}

impl ProgressBar {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { start: now, last_shown: now, is_wanted: io::stderr().is_terminal(), is_shown: false }
    }

    /// Shows how far it is.
    pub(super) fn show(&mut self, progress: ProofProgress) {
        if !self.is_wanted
            || self.start.elapsed() < SHOW_DELAY
            || self.last_shown.elapsed() < REFRESH_INTERVAL
        {
            return;
        }
        self.last_shown = Instant::now();
        self.is_shown = true;
        // A line of progress that cannot be shown is no reason to stop.
        let _ = write!(io::stderr(), "\r\x1b[K{}", line(progress));
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `proof: loading [########......................] 27 %`
fn line(progress: ProofProgress) -> String {
    let of = progress.of.max(1);
    let done = progress.done.min(of);
    let share = |whole: u64| {
        let part = u128::from(done) * u128::from(whole) / u128::from(of);
        usize::try_from(part).unwrap_or_default()
    };
    let (filled, percent) = (share(BAR_WIDTH), share(100));
    let empty = usize::try_from(BAR_WIDTH).unwrap_or_default().saturating_sub(filled);
    format!("proof: {} [{}{}] {percent} %", progress.stage, "#".repeat(filled), ".".repeat(empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_up() {
        let at = |done, of| line(ProofProgress { stage: "loading", done, of });
        assert_eq!(at(0, 0), format!("proof: loading [{}] 0 %", ".".repeat(30)));
        assert_eq!(at(1, 2), format!("proof: loading [{}{}] 50 %", "#".repeat(15), ".".repeat(15)));
        assert_eq!(at(u64::MAX, 7), format!("proof: loading [{}] 100 %", "#".repeat(30)));
    }
}
