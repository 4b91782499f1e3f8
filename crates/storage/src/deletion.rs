//! Times of life and death: of rows, of ranges, of cells.

use std::cmp::Ordering;

/// No write happened.
pub const NO_TIMESTAMP: i64 = i64::MIN;
/// Without a lifetime.
pub const NO_TTL: i32 = 0;
/// Not deleted and not expiring: later than any deletion, in seconds since 1970.
pub const NO_DELETION_TIME: i32 = i32::MAX;
/// The lifetime of what a view's row has lost.
pub const EXPIRED_TTL: i32 = i32::MAX;

/// A deletion: it covers everything written at its timestamp or before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeletionTime {
    /// The timestamp of the deleting write, in microseconds.
    pub timestamp: i64,
    /// When it was carried out, in seconds since 1970.
    pub local_time: i32,
}

impl DeletionTime {
    /// None.
    pub const LIVE: Self = Self { timestamp: NO_TIMESTAMP, local_time: NO_DELETION_TIME };

    /// Whether it is none.
    pub fn is_live(self) -> bool {
        self == Self::LIVE
    }

    /// Whether something written at that time is gone.
    pub fn has_deleted(self, timestamp: i64) -> bool {
        !self.is_live() && timestamp <= self.timestamp
    }

    /// Whether it counts for more than another.
    pub fn is_superseding(self, other: Self) -> bool {
        match self.timestamp.cmp(&other.timestamp) {
            Ordering::Equal => {
                !self.is_live() && (other.is_live() || self.local_time > other.local_time)
            }
            order => order == Ordering::Greater,
        }
    }

    /// The one of two that counts.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        if other.is_superseding(self) { other } else { self }
    }
}

/// When a row was inserted, apart from its cells; an UPDATE inserts none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LivenessInfo {
    /// The timestamp of the insert.
    pub timestamp: i64,
    /// Its lifetime in seconds, or [`NO_TTL`].
    pub ttl: i32,
    /// When it ends, in seconds since 1970, or [`NO_DELETION_TIME`].
    pub expires_at: i32,
}

impl LivenessInfo {
    /// None.
    pub const NONE: Self =
        Self { timestamp: NO_TIMESTAMP, ttl: NO_TTL, expires_at: NO_DELETION_TIME };

    /// Of an insert that never expires.
    pub fn new(timestamp: i64) -> Self {
        Self { timestamp, ..Self::NONE }
    }

    /// Of an insert with a lifetime.
    pub fn with_ttl(timestamp: i64, ttl: i32, now_seconds: i64) -> Self {
        Self { timestamp, ttl, expires_at: expiry(ttl, now_seconds) }
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.timestamp == NO_TIMESTAMP
    }

    /// Whether the row lives by it at that second.
    pub fn is_live(self, now_seconds: i64) -> bool {
        !self.is_none() && self.ttl != EXPIRED_TTL && i64::from(self.expires_at) > now_seconds
    }

    /// The one of two that counts.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        if other.is_superseding(self) { other } else { self }
    }

    fn is_superseding(self, other: Self) -> bool {
        if self.timestamp != other.timestamp {
            return self.timestamp > other.timestamp;
        }
        let expired = |one: Self| one.ttl == EXPIRED_TTL;
        if expired(self) != expired(other) {
            return expired(self);
        }
        let expiring = |one: Self| one.ttl != NO_TTL;
        if expiring(self) != expiring(other) {
            return expiring(self);
        }
        match self.expires_at.cmp(&other.expires_at) {
            Ordering::Equal => self.ttl < other.ttl,
            order => order == Ordering::Greater,
        }
    }
}

/// When something with a lifetime ends, not later than the last time that can be kept.
pub fn expiry(ttl: i32, now_seconds: i64) -> i32 {
    let end = now_seconds.saturating_add(ttl.into()).min(i64::from(NO_DELETION_TIME) - 1);
    i32::try_from(end).unwrap_or(NO_DELETION_TIME - 1)
}
