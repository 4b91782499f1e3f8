//! [`WriteTimes`]: the timestamp, TTL and local deletion time of a write.

use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundAttributes, BoundWrite};
use storage::deletion::NO_TTL;
use storage::{DeletionTime, LivenessInfo};

use crate::execute::Execution;

/// The times of one statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriteTimes {
    /// The timestamp of everything it writes, in microseconds.
    pub(super) timestamp: i64,
    /// The local deletion time of what it deletes, in seconds since 1970.
    pub(super) now_seconds: i64,
    /// The liveness of rows that it inserts, with the expiry of their cells.
    pub(super) liveness: LivenessInfo,
}

impl WriteTimes {
    /// The times of a write with this timestamp.
    pub(super) fn new(execution: &Execution<'_>, write: &BoundWrite, timestamp: i64) -> Self {
        let now_seconds = execution.now_seconds();
        let liveness = match resolve_ttl(write) {
            NO_TTL => LivenessInfo::new(timestamp),
            ttl => LivenessInfo::with_ttl(timestamp, ttl, now_seconds),
        };
        Self { timestamp, now_seconds, liveness }
    }

    /// A deletion of everything up to this write.
    pub(super) fn deletion(&self) -> DeletionTime {
        DeletionTime { timestamp: self.timestamp, local_time: self.local_time() }
    }

    /// A deletion of everything before this write, which itself is not covered.
    pub(super) fn deletion_before(&self) -> DeletionTime {
        DeletionTime { timestamp: self.timestamp.saturating_sub(1), local_time: self.local_time() }
    }

    fn local_time(&self) -> i32 {
        i32::try_from(self.now_seconds).unwrap_or(i32::MAX - 1).min(i32::MAX - 1)
    }
}

/// The value of USING TIMESTAMP.
pub(super) fn explicit_timestamp(using: &BoundAttributes) -> Option<i64> {
    match &using.timestamp {
        Some((BoundTerm::Value(Some(bytes)), _)) => {
            <[u8; 8]>::try_from(&**bytes).ok().map(i64::from_be_bytes)
        }
        _ => None,
    }
}

/// The TTL in seconds: that of USING TTL (null is none), otherwise the table's default.
fn resolve_ttl(write: &BoundWrite) -> i32 {
    match &write.using.ttl {
        Some((BoundTerm::Value(Some(bytes)), _)) => {
            <[u8; 4]>::try_from(&**bytes).map_or(NO_TTL, i32::from_be_bytes)
        }
        Some((BoundTerm::Value(None), _)) => NO_TTL,
        _ => write.table.params.default_time_to_live,
    }
}
