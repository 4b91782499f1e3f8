//! The progress of work that takes long: a bar on standard error, if that is a terminal and after a
//! second.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressDrawTarget, ProgressStyle};

/// The bar appears only after this time.
const SHOW_DELAY: Duration = Duration::from_secs(1);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
/// Work whose end is known, and work whose end is not.
const BAR: &str = "{prefix}: {wide_msg} [{bar:30}] {percent:>3} % {elapsed:>4}";
const SPINNER: &str = "{prefix}: {msg} {spinner} {elapsed}";

/// Progress that is shown until it is dropped. It may be reported from several threads.
pub(crate) struct ProgressBar {
    bar: indicatif::ProgressBar,
    delay: Option<Delay>,
}

/// The thread that shows the bar, whether or not progress is reported meanwhile.
struct Delay {
    /// Dropped when the work is done.
    work: Option<Sender<()>>,
    thread: JoinHandle<()>,
}

impl ProgressBar {
    /// Work of unknown length, such as `search`.
    pub(crate) fn new(title: &'static str) -> Self {
        let bar = indicatif::ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style(SPINNER));
        bar.set_prefix(title);
        // Without a terminal nothing is shown.
        let delay = io::stderr().is_terminal().then(|| Delay::start(&bar));
        Self { bar, delay }
    }

    /// Work on a number of items, counted by [`Self::step`].
    pub(crate) fn with_items(title: &'static str, stage: &'static str, items: usize) -> Self {
        let bar = Self::new(title);
        bar.show(stage, 0, items as u64);
        bar
    }

    /// Reports the stage, and how much of it is done.
    pub(crate) fn show(&self, stage: &str, done: u64, of: u64) {
        if self.delay.is_none() {
            return;
        }
        if self.bar.message() != stage {
            self.bar.set_message(stage.to_owned());
        }
        if self.bar.length() != Some(of) {
            self.bar.set_style(style(if of > 0 { BAR } else { SPINNER }));
            self.bar.set_length(of);
        }
        self.bar.set_position(done.min(of));
    }

    /// Counts an item as done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Delay {
    fn start(bar: &indicatif::ProgressBar) -> Self {
        let (work, is_done) = mpsc::channel();
        let bar = bar.clone();
        let thread = thread::spawn(move || {
            if is_done.recv_timeout(SHOW_DELAY) == Err(RecvTimeoutError::Timeout) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(REFRESH_INTERVAL);
            }
        });
        Self { work: Some(work), thread }
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        if let Some(mut delay) = self.delay.take() {
            drop(delay.work.take());
            // It only draws; should that panic, the work is done all the same.
            let _ = delay.thread.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("##.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for template in [BAR, SPINNER] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
