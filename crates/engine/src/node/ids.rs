//! Unique timestamps and UUIDs.

use std::sync::atomic::{AtomicI64, Ordering};

use cql::HostId;
use storage::clock::Clock;

use super::entropy::Entropy;

/// The 100-nanosecond ticks between the start of the Gregorian calendar, from which time-based
/// UUIDs count, and 1970.
const GREGORIAN_TICKS: i64 = 122_192_928_000_000_000;
/// The start of 2010 in microseconds: the ids of prepended list elements are as far before it as
/// the current time is after it.
const FRONT_REFERENCE: i64 = 1_262_304_000_000_000;

/// The last timestamps that were issued.
#[derive(Debug)]
pub(crate) struct UniqueTimes {
    last_timestamp: AtomicI64,
    last_tick: AtomicI64,
    front_tick: AtomicI64,
}

impl Default for UniqueTimes {
    fn default() -> Self {
        Self {
            last_timestamp: AtomicI64::new(i64::MIN),
            last_tick: AtomicI64::new(i64::MIN),
            front_tick: AtomicI64::new(i64::MAX),
        }
    }
}

impl UniqueTimes {
    /// Forgets what was issued: later values may be smaller.
    pub(crate) fn forget(&self) {
        let new = Self::default();
        self.last_timestamp.store(new.last_timestamp.into_inner(), Ordering::Relaxed);
        self.last_tick.store(new.last_tick.into_inner(), Ordering::Relaxed);
        self.front_tick.store(new.front_tick.into_inner(), Ordering::Relaxed);
    }

    /// A timestamp in microseconds since 1970; strictly increasing.
    pub(crate) fn timestamp(&self, clock: &dyn Clock) -> i64 {
        let now = clock.now_micros();
        let next = |last: i64| Some(now.max(last.saturating_add(1)));
        match self.last_timestamp.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(last) | Err(last) => now.max(last.saturating_add(1)),
        }
    }

    /// A tick since 1970, later than all before it.
    pub(crate) fn next_tick(&self, clock: &dyn Clock) -> i64 {
        let now = clock.now_micros().saturating_mul(10);
        let later = |last: i64| now.max(last.saturating_add(1));
        let last = self
            .last_tick
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(later(last)));
        later(last.unwrap_or_else(|last| last))
    }

    /// A tick of the past, earlier than all before it.
    pub(crate) fn next_front_tick(&self, clock: &dyn Clock) -> i64 {
        let mirrored = FRONT_REFERENCE.saturating_mul(2).saturating_sub(clock.now_micros());
        let mirrored = mirrored.saturating_mul(10);
        let earlier = |last: i64| mirrored.min(last.saturating_sub(1));
        let last = self
            .front_tick
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(earlier(last)));
        earlier(last.unwrap_or_else(|last| last))
    }
}

/// The time-based UUID (version 1) of a tick since 1970 and a node.
pub(crate) fn time_id(tick: i64, host_id: HostId) -> [u8; 16] {
    let ticks = tick.saturating_add(GREGORIAN_TICKS).to_be_bytes();
    let mut id = [0; 16];
    id[..4].copy_from_slice(&ticks[4..]);
    id[4..6].copy_from_slice(&ticks[2..4]);
    id[6..8].copy_from_slice(&ticks[..2]);
    id[6] = 0x10 | (id[6] & 0x0f);
    id[8..].copy_from_slice(&host_id.0[8..]);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}

/// A random UUID (version 4).
pub(crate) fn random_id(entropy: &dyn Entropy) -> [u8; 16] {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&entropy.next().to_be_bytes());
    id[8..].copy_from_slice(&entropy.next().to_be_bytes());
    id[6] = 0x40 | (id[6] & 0x0f);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}
