//! What comes with a statement.

use cql::Consistency;
pub use cql::protocol::{MarkerValue, MarkerValues};

use crate::access_recorder::AccessRecorder;

/// What comes with a statement.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    /// The values for its markers.
    pub values: MarkerValues<'a>,
    /// How many replicas must agree; of little effect on one node.
    pub consistency: Consistency,
    /// That of conditional writes.
    pub serial_consistency: Option<Consistency>,
    /// Rows in a page; none, or zero and below, turns paging off.
    pub page_size: Option<i32>,
    /// Where the page begins, as an earlier answer said.
    pub paging_state: Option<&'a [u8]>,
    /// The timestamp of writes that name none, in microseconds.
    pub timestamp: Option<i64>,
    /// What is taken for now, in seconds since 1970.
    pub now_seconds: Option<i64>,
    /// Whether the execution is traced.
    pub tracing: bool,
    /// Takes down what the statement touches, if somebody wants to know.
    pub recorder: Option<&'a AccessRecorder>,
}

impl Default for Parameters<'_> {
    /// As drivers ask: `LOCAL_ONE`, pages of 5,000 rows.
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
        }
    }
}

impl Parameters<'_> {
    /// The size of a page, if there are pages.
    pub fn page_rows(&self) -> Option<u32> {
        self.page_size.and_then(|size| u32::try_from(size).ok()).filter(|size| *size > 0)
    }
}
