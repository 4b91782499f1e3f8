//! [`RequestGovernor`]: the limits that the host of a request sets on its time and memory. The
//! engine asks it at regular intervals while it works, and stops if told so.

use std::fmt;
use std::time::Duration;

use cql::{Consistency, ErrorCode};

use crate::error::{Error, ReplicaReport};

/// The kinds of work with a time limit of their own, by the settings of `cassandra.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedOperation {
    /// `read_request_timeout`: reads of named partitions.
    Read,
    /// `range_request_timeout`: scans, and searches of indexes.
    Range,
    /// `write_request_timeout`
    Write,
    /// `counter_write_request_timeout`
    CounterWrite,
    /// `cas_contention_timeout`: conditional writes.
    ConditionalWrite,
    /// `truncate_request_timeout`
    Truncate,
}

/// Why a request must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Its time limit has passed.
    TimedOut,
    /// The client has left, or the server stops.
    Abandoned,
    /// Its result is larger than the limit.
    ResultTooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The results of all requests together are larger than the server's limit.
    Overloaded,
}

/// Watches over one request. All methods are called on the thread that runs it, with no lock held.
pub trait RequestGovernor: fmt::Debug {
    /// The request starts work with this time limit, or a part of it for which the limit counts
    /// anew: the pages that an aggregate reads.
    fn start(&self, limit: Duration);

    /// Fails if the request must stop. Called after every few rows; it may wait, so that other
    /// requests get their share of the processors.
    fn check(&self) -> Result<(), Interruption>;

    /// The result of the request has this size now.
    fn check_result(&self, bytes: usize) -> Result<(), Interruption>;
}

/// The error of a request that was interrupted.
pub(crate) fn interruption_error(
    interruption: Interruption,
    operation: TimedOperation,
    consistency: Consistency,
) -> Error {
    let timed_out = "Operation timed out - received only 0 responses.";
    match (interruption, operation) {
        (Interruption::TimedOut, TimedOperation::Read | TimedOperation::Range) => Error {
            detail: ReplicaReport::single_replica(consistency, 0).into(),
            ..Error::new(ErrorCode::ReadTimeout, timed_out)
        },
        (Interruption::TimedOut, TimedOperation::Truncate) => {
            Error::new(ErrorCode::Truncate, "Error during truncate: Truncate timed out")
        }
        (Interruption::TimedOut, _) => Error {
            detail: ReplicaReport::single_replica(consistency, 0).into(),
            ..Error::new(ErrorCode::WriteTimeout, timed_out)
        },
        (Interruption::Abandoned, _) => Error::server("The request was cancelled"),
        (Interruption::Overloaded, _) => Error::new(
            ErrorCode::Overloaded,
            "Server is in overloaded state. Cannot accept more requests at this point",
        ),
        (Interruption::ResultTooLarge { limit }, _) => Error {
            detail: ReplicaReport::single_replica(consistency, 1).into(),
            ..Error::new(
                ErrorCode::ReadFailure,
                format!(
                    "Query attempted to read more than {limit} bytes, the maximum allowed; query aborted (see coordinator_read_size_fail_threshold)"
                ),
            )
        },
    }
}
