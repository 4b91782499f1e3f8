//! [`TestHooks`]: what tests can change about a node while it runs: its clock, the faults of
//! statements, and snapshots to return to. Only a node that was opened for tests has them.

mod fault;
mod movable_clock;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use storage::clock::Clock;

use super::snapshot::DatabaseSnapshot;
pub(crate) use fault::{Fault, FaultKind, FaultRegistry, FaultTarget, StatementClass};
pub(crate) use movable_clock::MovableClock;

/// A function that waits, which the host hands in.
pub type Pause = fn(Duration);

/// The hooks of a node.
#[derive(Debug)]
pub(crate) struct TestHooks {
    pub(crate) clock: Arc<MovableClock>,
    pub(crate) faults: FaultRegistry,
    /// By name.
    pub(crate) snapshots: Mutex<BTreeMap<Box<str>, NamedSnapshot>>,
    pub(crate) pause: Pause,
}

/// A snapshot that a test has taken.
#[derive(Clone, Debug)]
pub(crate) struct NamedSnapshot {
    pub(crate) content: Arc<DatabaseSnapshot>,
    /// When it was taken, in microseconds since 1970.
    pub(crate) taken_at: i64,
    pub(crate) is_restored: bool,
}

impl TestHooks {
    /// Hooks on a node with that clock.
    pub(crate) fn new(clock: Arc<dyn Clock>, pause: Pause) -> Self {
        Self {
            clock: Arc::new(MovableClock::new(clock)),
            faults: FaultRegistry::default(),
            snapshots: Mutex::default(),
            pause,
        }
    }
}
