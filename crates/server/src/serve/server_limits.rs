//! [`ServerLimits`]: what bounds the memory and the time that clients can use.

use std::time::Duration;

use engine::Settings;

const DEFAULT_CONNECTIONS: usize = 1024;
/// The maximum size of a result unless `coordinator_read_size_fail_threshold` is set: no frame can
/// be larger.
const RESULT_BYTES: u64 = 256 << 20;
/// The maximum size of all results that are being built.
const ALL_RESULT_BYTES: u64 = 1 << 30;
/// The memory of large frames that have arrived in part.
const PARTIAL_FRAME_BYTES: u64 = 256 << 20;
/// The memory of long statements that wait or run.
const STATEMENT_BYTES: u64 = 1 << 30;
const STATEMENT_BYTES_MIN: u64 = 64 << 20;
/// The memory of prepared statements.
const PREPARED_BYTES: usize = 64 << 20;

/// The limits of the server.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// The maximum number of concurrent connections.
    pub connections: usize,
    /// The maximum length of a frame.
    pub frame_bytes: usize,
    /// The maximum number of threads that run statements.
    pub threads: usize,
    /// The maximum bytes of requests that wait or run.
    pub request_bytes: u64,
    /// The same for one client address.
    pub address_request_bytes: u64,
    /// The memory of large frames that have arrived in part, in bytes.
    pub partial_frame_bytes: u64,
    /// The memory that long statements need while they wait or run, in bytes.
    pub statement_bytes: u64,
    /// The maximum size of a result in bytes.
    pub result_bytes: u64,
    /// The maximum size of all results that are being built, in bytes.
    pub all_result_bytes: u64,
    /// The maximum memory of prepared statements in bytes.
    pub prepared_bytes: usize,
    /// How long a request may wait before it starts.
    pub queue_time: Duration,
    /// How long a statement may take before it is logged.
    pub slow_time: Duration,
}

impl ServerLimits {
    /// Restricts the memory of long statements to half of the memory for data, but not below what
    /// usual ones need.
    pub fn restrict_statements(&mut self, data_bytes: u64) {
        self.statement_bytes = self.statement_bytes.min((data_bytes / 2).max(STATEMENT_BYTES_MIN));
    }

    /// The limits that the settings of the node ask for, with the default number of connections.
    pub fn new(settings: &Settings) -> Self {
        let transport = &settings.transport;
        let read_size = transport.coordinator_read_size_fail_threshold;
        Self {
            connections: DEFAULT_CONNECTIONS,
            frame_bytes: usize::try_from(transport.max_frame_size).unwrap_or(usize::MAX),
            threads: usize::try_from(transport.max_threads).unwrap_or(usize::MAX),
            request_bytes: transport.max_request_data_in_flight,
            address_request_bytes: transport.max_request_data_in_flight_per_ip,
            partial_frame_bytes: PARTIAL_FRAME_BYTES,
            statement_bytes: STATEMENT_BYTES,
            result_bytes: u64::try_from(read_size).unwrap_or(RESULT_BYTES),
            all_result_bytes: ALL_RESULT_BYTES,
            prepared_bytes: PREPARED_BYTES,
            queue_time: settings.timeouts.queue,
            slow_time: settings.timeouts.slow,
        }
    }
}
