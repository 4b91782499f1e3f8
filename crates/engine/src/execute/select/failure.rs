//! Read failures on the replica, which the coordinator reports without the cause.

use cql::{Consistency, ErrorCode};

use crate::error::{Error, ReplicaReport};

/// The failure of a read on the only replica.
pub(crate) fn read_failure(consistency: Consistency, reason: &str) -> Error {
    let message = format!(
        "Operation failed - received 0 responses and 1 failures: {reason} from /127.0.0.1:7000"
    );
    let detail = ReplicaReport::single_replica(consistency, 1).into();
    Error { detail, ..Error::new(ErrorCode::ReadFailure, message) }
}
