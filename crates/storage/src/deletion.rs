//! [`DeletionTime`] and [`LivenessInfo`]: the timestamps by which deletions and inserts are merged.
//!
//! Both merges choose the greater of two values in a total order, so they are commutative,
//! associative and idempotent: neither the order of writes nor a repeated write changes the result.

use std::cmp::Ordering;

/// The timestamp of a write that never happened: earlier than any other.
pub const NO_TIMESTAMP: i64 = i64::MIN;
/// The TTL of what does not expire.
pub const NO_TTL: i32 = 0;
/// The local deletion time of what is neither deleted nor expiring: later than any other, in
/// seconds since 1970.
pub const NO_DELETION_TIME: i32 = i32::MAX;
/// The TTL that marks the liveness of a view's row as expired: the base row lost the column that
/// the view's key needs (Cassandra's `ExpiredLivenessInfo`).
pub const EXPIRED_TTL: i32 = i32::MAX;

/// A deletion: it covers everything written at its timestamp or before. A deletion and a write with
/// the same timestamp leave nothing, so that replicas agree whichever arrives first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeletionTime {
    /// The timestamp of the deleting write, in microseconds.
    pub timestamp: i64,
    /// When the server executed it, in seconds since 1970; `gc_grace_seconds` counts from here.
    pub local_time: i32,
}

impl DeletionTime {
    /// No deletion.
    pub const LIVE: Self = Self { timestamp: NO_TIMESTAMP, local_time: NO_DELETION_TIME };

    /// Whether this is no deletion.
    pub fn is_live(self) -> bool {
        self == Self::LIVE
    }

    /// Whether it covers something written at that timestamp.
    pub fn has_deleted(self, timestamp: i64) -> bool {
        !self.is_live() && timestamp <= self.timestamp
    }

    /// Whether it covers more than another: by timestamp, then by local time. The local time breaks
    /// ties only to make the order total (Cassandra's `DeletionTime.supersedes`).
    pub(crate) fn is_superseding(self, other: Self) -> bool {
        match self.timestamp.cmp(&other.timestamp) {
            Ordering::Equal => {
                !self.is_live() && (other.is_live() || self.local_time > other.local_time)
            }
            order => order == Ordering::Greater,
        }
    }

    /// The one of two that supersedes the other.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        if other.is_superseding(self) { other } else { self }
    }
}

/// The liveness of a row's primary key, apart from its cells. INSERT sets it, UPDATE does not: a
/// row without it is gone when its last cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LivenessInfo {
    /// The timestamp of the insert.
    pub timestamp: i64,
    /// Its TTL in seconds, or [`NO_TTL`].
    pub ttl: i32,
    /// When it expires, in seconds since 1970, or [`NO_DELETION_TIME`].
    pub expires_at: i32,
}

impl LivenessInfo {
    /// No liveness.
    pub const NONE: Self =
        Self { timestamp: NO_TIMESTAMP, ttl: NO_TTL, expires_at: NO_DELETION_TIME };

    /// The liveness of an insert that never expires.
    pub fn new(timestamp: i64) -> Self {
        Self { timestamp, ..Self::NONE }
    }

    /// The liveness of an insert with a TTL.
    pub fn with_ttl(timestamp: i64, ttl: i32, now_seconds: i64) -> Self {
        Self { timestamp, ttl, expires_at: expiry(ttl, now_seconds) }
    }

    /// Whether this is no liveness.
    pub fn is_none(self) -> bool {
        self.timestamp == NO_TIMESTAMP
    }

    /// Whether it makes the row live at that second.
    pub fn is_live(self, now_seconds: i64) -> bool {
        !self.is_none() && self.ttl != EXPIRED_TTL && i64::from(self.expires_at) > now_seconds
    }

    /// The one of two that supersedes the other.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        if other.is_superseding(self) { other } else { self }
    }

    /// The order of Cassandra's `LivenessInfo.supersedes`: the later timestamp; at the same one,
    /// expired before expiring before permanent, then the later expiry, then the smaller TTL (the
    /// later write, as both expire at the same time).
    fn is_superseding(self, other: Self) -> bool {
        if self.timestamp != other.timestamp {
            return self.timestamp > other.timestamp;
        }
        let is_expired = |liveness: Self| liveness.ttl == EXPIRED_TTL;
        if is_expired(self) != is_expired(other) {
            return is_expired(self);
        }
        let is_expiring = |liveness: Self| liveness.ttl != NO_TTL;
        if is_expiring(self) != is_expiring(other) {
            return is_expiring(self);
        }
        match self.expires_at.cmp(&other.expires_at) {
            Ordering::Equal => self.ttl < other.ttl,
            order => order == Ordering::Greater,
        }
    }
}

/// The local expiry time of a TTL, capped at the last time that 32 bits can hold.
pub fn expiry(ttl: i32, now_seconds: i64) -> i32 {
    let end = now_seconds.saturating_add(ttl.into()).min(i64::from(NO_DELETION_TIME) - 1);
    i32::try_from(end).unwrap_or(NO_DELETION_TIME - 1)
}
