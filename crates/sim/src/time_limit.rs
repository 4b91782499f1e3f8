//! The time that a proof may take.

use std::fmt;
use std::time::Duration;

/// The time that a proof may take. The clock is handed in.
#[derive(Clone, Copy)]
pub struct TimeLimit<'c> {
    /// The time since the start.
    elapsed: &'c dyn Fn() -> Duration,
    limit: Duration,
}

/// The clock of a proof without a limit.
const NO_TIME: &dyn Fn() -> Duration = &|| Duration::ZERO;

impl<'c> TimeLimit<'c> {
    /// A limit on a clock that gives the time since the start of the proof.
    pub const fn new(elapsed: &'c dyn Fn() -> Duration, limit: Duration) -> Self {
        Self { elapsed, limit }
    }

    /// No limit.
    pub const fn none() -> TimeLimit<'static> {
        TimeLimit { elapsed: NO_TIME, limit: Duration::MAX }
    }

    /// The limit.
    pub(crate) const fn limit(&self) -> Duration {
        self.limit
    }

    /// Whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        (self.elapsed)() >= self.limit
    }

    /// Whether this share of the time, in percent, is over.
    pub(crate) fn is_share_over(&self, percent: u32) -> bool {
        (self.elapsed)() >= (self.limit / 100).saturating_mul(percent)
    }

    /// As much time again, from now on.
    pub(crate) fn renew(self) -> Self {
        Self { limit: (self.elapsed)().saturating_add(self.limit), ..self }
    }
}

impl fmt::Debug for TimeLimit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimeLimit").field("limit", &self.limit).finish_non_exhaustive()
    }
}
