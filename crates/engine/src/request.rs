//! [`Parameters`]: what a client sends with a statement.

use cql::Consistency;
pub use cql::protocol::{MarkerValue, MarkerValues};

use crate::access_recorder::AccessRecorder;
use crate::request_governor::RequestGovernor;

/// The parameters of a statement.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    /// The values of its markers.
    pub values: MarkerValues<'a>,
    /// The consistency level; of little effect on a single node.
    pub consistency: Consistency,
    /// The consistency level of conditional writes.
    pub serial_consistency: Option<Consistency>,
    /// The page size in rows; `None`, zero and below disable paging.
    pub page_size: Option<i32>,
    /// The paging state of an earlier result.
    pub paging_state: Option<&'a [u8]>,
    /// The timestamp of writes without USING TIMESTAMP, in microseconds.
    pub timestamp: Option<i64>,
    /// The current time for TTLs and deletions, in seconds since 1970; for tests of clients.
    pub now_seconds: Option<i64>,
    /// Whether the execution is traced.
    pub tracing: bool,
    /// Records what the statement touches, if present.
    pub recorder: Option<&'a AccessRecorder>,
    /// Limits the time and memory of the statement, if present.
    pub governor: Option<&'a dyn RequestGovernor>,
}

impl Default for Parameters<'_> {
    /// The defaults of drivers: `LOCAL_ONE`, pages of 5,000 rows.
    fn default() -> Self {
        Self {
            values: MarkerValues::None,
            consistency: Consistency::LocalOne,
            serial_consistency: None,
            page_size: Some(5000),
            paging_state: None,
            timestamp: None,
            now_seconds: None,
            tracing: false,
            recorder: None,
            governor: None,
        }
    }
}

impl Parameters<'_> {
    /// The page size, if paging is enabled.
    pub fn page_rows(&self) -> Option<u32> {
        self.page_size.and_then(|size| u32::try_from(size).ok()).filter(|size| *size > 0)
    }
}
