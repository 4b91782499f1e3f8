//! [`LogBuffer`]: the records of the log that are not flushed yet.

use std::time::Duration;

use crate::record::{FlushMark, RecordChecksums};

/// The records that are not flushed to the operating system yet.
#[derive(Debug, Default)]
pub(super) struct LogBuffer {
    pub(super) bytes: Vec<u8>,
    /// The position after the last record.
    pub(super) end: u64,
    /// When the oldest record was appended that no started sync covers.
    pub(super) unsynced_since: Option<i64>,
    /// When the oldest record was appended that the running sync covers.
    pub(super) syncing_since: Option<i64>,
}

impl LogBuffer {
    /// Appends a record. In a mode whose flushes are all synced before the next (`is_marked`), it
    /// tells whether it is the first of its flush.
    pub(super) fn append(&mut self, checksums: RecordChecksums, payload: &[u8], is_marked: bool) {
        let mark = match (is_marked, self.bytes.is_empty()) {
            (false, _) => FlushMark::Unknown,
            (true, true) => FlushMark::Start,
            (true, false) => FlushMark::Continuation,
        };
        self.end = checksums.append(payload, mark, self.end, &mut self.bytes);
    }

    /// Whether a record has been waiting for a sync for at least this long. The absolute difference
    /// makes this true as well when the clock was set back: one sync too early instead of none for
    /// as long as the clock was moved.
    pub(super) fn is_late(&self, now: i64, limit: Duration) -> bool {
        let limit = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        let since = self.syncing_since.or(self.unsynced_since);
        since.is_some_and(|since| now.abs_diff(since) >= limit)
    }
}
