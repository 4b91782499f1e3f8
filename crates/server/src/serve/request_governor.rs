//! [`PoolGovernor`]: the limits of one request on a thread of the pool: its deadline, its client,
//! its share of the processors and the size of its result.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engine::{Interruption, RequestGovernor};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::ServerState;
use super::queue_turn::QueueTurn;

/// A statement that has run for this long needs one of the slots of long statements, which it
/// passes on after the same time.
const SLICE: Duration = Duration::from_millis(10);
/// A statement that has run for this long leaves the further requests of its connection to another
/// thread.
const SHORT: Duration = Duration::from_micros(500);

/// Governs one request.
pub(super) struct PoolGovernor<'a> {
    turn: &'a QueueTurn<'a>,
    received: Instant,
    deadline: Cell<Option<Instant>>,
    /// When the statement started, or got its slot.
    slice_start: Cell<Option<Instant>>,
    slot: RefCell<Option<SemaphorePermit<'a>>>,
    result_bytes: Cell<usize>,
}

impl<'a> PoolGovernor<'a> {
    /// `started` is when the statement starts, or `None` for one that is too short to take the time.
    pub(super) fn new(
        turn: &'a QueueTurn<'a>,
        received: Instant,
        started: Option<Instant>,
    ) -> Self {
        Self {
            turn,
            received,
            deadline: Cell::new(None),
            slice_start: Cell::new(started),
            slot: RefCell::new(None),
            result_bytes: Cell::new(0),
        }
    }

    fn server(&self) -> &'a ServerState {
        self.turn.connection.server()
    }

    /// Waits for a slot of long statements. At most one statement per processor has one, so that
    /// short statements of other clients find the processors nearly free.
    fn await_slot(&self, slots: &'a Semaphore) {
        let mut slot = self.slot.borrow_mut();
        *slot = None;
        *slot = self.server().runtime.block_on(slots.acquire()).ok();
        self.slice_start.set(Some(Instant::now()));
    }
}

impl RequestGovernor for PoolGovernor<'_> {
    fn start(&self, limit: Duration) {
        // The first limit counts from the arrival of the request.
        let from = match self.deadline.get() {
            None => self.received,
            Some(_) => Instant::now(),
        };
        self.deadline.set(from.checked_add(limit));
    }

    fn check(&self) -> Result<(), Interruption> {
        if self.turn.connection.is_closed() || self.server().is_stopping.load(Ordering::Relaxed) {
            return Err(Interruption::Abandoned);
        }
        let now = Instant::now();
        if self.deadline.get().is_some_and(|deadline| now > deadline) {
            return Err(Interruption::TimedOut);
        }
        let start = self.slice_start.get().unwrap_or_else(|| {
            self.slice_start.set(Some(now));
            now
        });
        let elapsed = now.duration_since(start);
        if elapsed >= SHORT {
            self.turn.pass_on();
        }
        if elapsed >= SLICE {
            self.await_slot(&self.server().long_statement_slots);
        }
        Ok(())
    }

    fn check_result(&self, bytes: usize) -> Result<(), Interruption> {
        let shared = self.server();
        if bytes as u64 > shared.limits.result_bytes {
            return Err(Interruption::ResultTooLarge { limit: shared.limits.result_bytes });
        }
        let before = self.result_bytes.replace(bytes);
        let growth = bytes.saturating_sub(before);
        let total = shared.result_bytes.fetch_add(growth, Ordering::Relaxed) + growth;
        if total as u64 > shared.limits.all_result_bytes {
            return Err(Interruption::Overloaded);
        }
        Ok(())
    }
}

impl Drop for PoolGovernor<'_> {
    fn drop(&mut self) {
        self.server().result_bytes.fetch_sub(self.result_bytes.get(), Ordering::Relaxed);
    }
}

impl fmt::Debug for PoolGovernor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolGovernor").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
