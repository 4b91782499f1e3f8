//! Reads over token ranges, as the coordinator plans them.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence, number};

/// A step of a read over token ranges.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeStep {
    /// The ranges are computed.
    Computing,
    /// The plan of the requests.
    Submitting {
        /// Token ranges to read.
        ranges: u64,
        /// Ranges that are read at the same time, at first.
        concurrency: u64,
        /// Rows expected of each range, where the server estimates them.
        rows_per_range: Option<f64>,
    },
    /// A round of requests was sent.
    Submitted {
        /// Their number.
        requests: u64,
    },
    /// No row came back, so that the next round asks more ranges.
    Widened {
        /// Ranges of the next round.
        concurrency: u64,
    },
    /// Every node is asked for its nearest rows.
    AllNodes {
        /// The number of nodes.
        nodes: u64,
    },
}

impl RangeStep {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::Computing => Mark::Start,
            _ => Mark::Moment,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<RangeStep> {
    if is_sentence("Computing ranges to query", sentence) {
        return Some(RangeStep::Computing);
    }
    let expecting = "Submitting range requests on {} ranges with a concurrency of {} ({} rows per range expected)";
    if let Some([ranges, concurrency, rows]) = fields(expecting, sentence) {
        return Some(RangeStep::Submitting {
            ranges: number(ranges)?,
            concurrency: number(concurrency)?,
            rows_per_range: rows.parse().ok(),
        });
    }
    let plain = "Submitting range requests on {} ranges with a concurrency of {}";
    if let Some([ranges, concurrency]) = fields(plain, sentence) {
        let (ranges, concurrency) = (number(ranges)?, number(concurrency)?);
        return Some(RangeStep::Submitting { ranges, concurrency, rows_per_range: None });
    }
    if let Some([requests]) = fields("Submitted {} concurrent range requests", sentence) {
        return Some(RangeStep::Submitted { requests: number(requests)? });
    }
    let widened = "Didn't get any response rows; new concurrent requests: {}";
    if let Some([concurrency]) = fields(widened, sentence) {
        return Some(RangeStep::Widened { concurrency: number(concurrency)? });
    }
    let [nodes] = fields("Submitted scanning all ranges requests to {} nodes", sentence)?;
    Some(RangeStep::AllNodes { nodes: number(nodes)? })
}
