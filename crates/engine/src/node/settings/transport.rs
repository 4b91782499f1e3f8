//! [`TransportLimits`]: the limits of the server that drivers connect to.

/// The limits of the native transport. The engine only keeps and shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportLimits {
    /// `native_transport_max_threads`
    pub max_threads: u64,
    /// `native_transport_max_frame_size`, in bytes
    pub max_frame_size: u64,
    /// `native_transport_max_request_data_in_flight`, in bytes
    pub max_request_data_in_flight: u64,
    /// `native_transport_max_request_data_in_flight_per_ip`, in bytes
    pub max_request_data_in_flight_per_ip: u64,
    /// `coordinator_read_size_fail_threshold`, in bytes; -1 leaves it to the server.
    pub coordinator_read_size_fail_threshold: i64,
}

impl Default for TransportLimits {
    fn default() -> Self {
        Self {
            max_threads: 128,
            max_frame_size: 16 << 20,
            max_request_data_in_flight: 103_795_916,
            max_request_data_in_flight_per_ip: 25_948_979,
            coordinator_read_size_fail_threshold: -1,
        }
    }
}
