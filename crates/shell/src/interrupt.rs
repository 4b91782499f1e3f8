//! The flag by which Ctrl-C interrupts a running statement or copy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shared flag: raised by the signal handler, polled by long-running work.
#[derive(Clone, Debug, Default)]
pub struct InterruptFlag(Arc<AtomicBool>);

impl InterruptFlag {
    /// Requests an interrupt.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether an interrupt was requested.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Clears the flag before the next statement.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
