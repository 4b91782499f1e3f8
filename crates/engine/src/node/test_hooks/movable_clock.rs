//! [`MovableClock`]: another clock, moved or stopped by a test.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use storage::clock::Clock;

/// A clock that runs at a distance from another one, or stands still.
#[derive(Debug)]
pub(crate) struct MovableClock {
    base: Arc<dyn Clock>,
    state: Mutex<ClockState>,
}

#[derive(Clone, Copy, Debug)]
enum ClockState {
    /// Runs this many microseconds ahead of the other clock.
    Running(i64),
    /// Stands at this time.
    Frozen(i64),
}

impl Clock for MovableClock {
    fn now_micros(&self) -> i64 {
        match *self.state() {
            ClockState::Running(offset) => self.base.now_micros().saturating_add(offset),
            ClockState::Frozen(at) => at,
        }
    }
}

impl MovableClock {
    /// A clock that shows the time of another one, until it is moved.
    pub(crate) fn new(base: Arc<dyn Clock>) -> Self {
        Self { base, state: Mutex::new(ClockState::Running(0)) }
    }

    fn state(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the time, and whether the clock stands still from now on.
    pub(crate) fn set(&self, micros: i64, is_frozen: bool) {
        *self.state() = if is_frozen {
            ClockState::Frozen(micros)
        } else {
            ClockState::Running(micros.saturating_sub(self.base.now_micros()))
        };
    }

    /// Returns to the time of the other clock.
    pub(crate) fn reset(&self) {
        *self.state() = ClockState::Running(0);
    }

    /// Whether it stands still.
    pub(crate) fn is_frozen(&self) -> bool {
        matches!(*self.state(), ClockState::Frozen(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use storage::clock::VirtualClock;

    #[test]
    fn a_clock_runs_from_where_it_was_set_unless_it_is_frozen() {
        let base = Arc::new(VirtualClock::new(100));
        let clock = MovableClock::new(Arc::clone(&base) as Arc<dyn Clock>);
        assert_eq!(clock.now_micros(), 100);
        clock.set(1_000, false);
        base.set(110);
        assert_eq!((clock.now_micros(), clock.is_frozen()), (1_010, false));
        clock.set(5, true);
        base.set(200);
        assert_eq!((clock.now_micros(), clock.is_frozen()), (5, true));
        clock.set(clock.now_micros(), false);
        base.set(201);
        assert_eq!(clock.now_micros(), 6);
        clock.reset();
        assert_eq!(clock.now_micros(), 201);
    }
}
