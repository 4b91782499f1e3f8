//! [`RequestTimeouts`]: how long requests may take.

use std::time::Duration;

use crate::request_governor::TimedOperation;

/// The time limits of requests, with Cassandra's defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestTimeouts {
    /// `read_request_timeout`
    pub read: Duration,
    /// `range_request_timeout`
    pub range: Duration,
    /// `write_request_timeout`
    pub write: Duration,
    /// `counter_write_request_timeout`
    pub counter_write: Duration,
    /// `cas_contention_timeout`
    pub conditional_write: Duration,
    /// `truncate_request_timeout`
    pub truncate: Duration,
    /// `native_transport_timeout`: how long a request may wait before it starts.
    pub queue: Duration,
    /// `slow_query_log_timeout`: how long a statement may take before it is logged.
    pub slow: Duration,
}

impl Default for RequestTimeouts {
    fn default() -> Self {
        Self {
            read: Duration::from_secs(5),
            range: Duration::from_secs(10),
            write: Duration::from_secs(2),
            counter_write: Duration::from_secs(5),
            conditional_write: Duration::from_millis(1800),
            truncate: Duration::from_secs(60),
            queue: Duration::from_secs(12),
            slow: Duration::from_millis(500),
        }
    }
}

impl RequestTimeouts {
    /// The limit of a kind of work.
    pub(crate) fn limit(&self, operation: TimedOperation) -> Duration {
        match operation {
            TimedOperation::Read => self.read,
            TimedOperation::Range => self.range,
            TimedOperation::Write => self.write,
            TimedOperation::CounterWrite => self.counter_write,
            TimedOperation::ConditionalWrite => self.conditional_write,
            TimedOperation::Truncate => self.truncate,
        }
    }
}
