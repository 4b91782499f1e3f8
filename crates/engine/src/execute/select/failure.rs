//! Reads that fail on the replica, which the coordinator tells without the cause.

use cql::{Consistency, ErrorCode};

use crate::error::{Error, ErrorDetail};

/// A read that failed on the one replica there is.
pub(crate) fn read_failure(consistency: Consistency, reason: &str) -> Error {
    let message = format!(
        "Operation failed - received 0 responses and 1 failures: {reason} from /127.0.0.1:7000"
    );
    let detail = ErrorDetail::ReadFailure { consistency, data_present: false };
    Error { detail, ..Error::new(ErrorCode::ReadFailure, message) }
}
