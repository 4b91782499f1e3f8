//! Whether the user asked to end what runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised by whoever listens to Ctrl-C, looked at by what takes long.
#[derive(Clone, Debug, Default)]
pub struct InterruptFlag(Arc<AtomicBool>);

impl InterruptFlag {
    /// Asks what runs to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether what runs was asked to end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Lowers it, before something else runs.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
