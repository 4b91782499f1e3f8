//! [`Clock`]: the time as a dependency, the machine's or a virtual one for tests and simulations.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of the current time.
pub trait Clock: Debug + Send + Sync {
    /// Microseconds since 1970.
    fn now_micros(&self) -> i64;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_micros(&self) -> i64 {
        let micros = |duration: Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => micros(since),
            Err(before) => -micros(before.duration()),
        }
    }
}

/// A clock that stands still until it is set or advanced.
#[derive(Debug, Default)]
pub struct VirtualClock {
    micros: AtomicI64,
}

impl VirtualClock {
    /// A clock at this many microseconds since 1970.
    pub fn new(micros: i64) -> Self {
        Self { micros: AtomicI64::new(micros) }
    }

    /// Sets the time, to an earlier or later one.
    pub fn set(&self, micros: i64) {
        self.micros.store(micros, Ordering::SeqCst);
    }

    /// Advances the time.
    pub fn advance(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for VirtualClock {
    fn now_micros(&self) -> i64 {
        self.micros.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Clock, SystemClock, VirtualClock};

    #[test]
    fn a_virtual_clock_moves_only_when_set_or_advanced() {
        let clock = VirtualClock::new(5);
        assert_eq!(clock.now_micros(), 5);
        clock.advance(Duration::from_millis(2));
        assert_eq!(clock.now_micros(), 2005);
        clock.set(-1);
        assert_eq!(clock.now_micros(), -1);
        assert!(SystemClock.now_micros() > 1_600_000_000_000_000);
    }
}
