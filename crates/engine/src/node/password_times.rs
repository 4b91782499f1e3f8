//! [`PasswordTimes`]: when passwords were set, because they cannot be changed in quick succession.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The shortest time between two changes of a password, in microseconds.
const INTERVAL: i64 = 5_000_000;

/// The last change of the password of each role, forgotten after the interval. A dropped role is
/// remembered, as in the server.
#[derive(Default)]
pub(crate) struct PasswordTimes {
    times: Mutex<HashMap<Box<str>, i64>>,
}

impl PasswordTimes {
    /// Whether the password of a role was set shortly before this time.
    pub(crate) fn is_recent(&self, role: &str, now: i64) -> bool {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.get(role).is_some_and(|set_at| now - set_at < INTERVAL)
    }

    /// Records a new password.
    pub(crate) fn record(&self, role: &str, now: i64) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.retain(|_, set_at| now - *set_at < INTERVAL);
        times.insert(role.into(), now);
    }
}
