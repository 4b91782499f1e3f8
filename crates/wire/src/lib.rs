//! The messages of the native protocol, versions 3 and 4, to and from bytes. No sockets.
//!
//! [`frame::decode`] finds a frame at the start of some bytes, or returns how many are missing.
//! [`Request::decode`] and [`Response::decode`] decode its body (`reader`), [`Request::encode`] and
//! [`Response::encode`] append whole frames to a buffer (`writer`). Errors have Cassandra's codes
//! and texts, except for those that refer to its internals.

#![warn(clippy::indexing_slicing)]

mod error;
pub mod frame;
mod opcode;
mod protocol_version;
mod reader;
mod request;
mod response;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod writer;

pub use cql::protocol::{
    ChangeKind, ChangeTarget, Consistency, ErrorCode, MarkerValue, MarkerValues, SchemaChange,
};
pub use error::{ErrorKind, ErrorMessage, ReplicaResponses, WriteType};
pub use frame::{DecodedFrame, Frame, FrameError};
pub use opcode::Opcode;
pub use protocol_version::ProtocolVersion;
pub use reader::DecodeError;
pub use request::{Batch, BatchStatement, QueryOptions, Request, RequestHead, StatementRef};
pub use response::{
    ColumnBlock, ColumnRef, ColumnSpec, Event, EventKind, PreparedResult, Response, ResponseHead,
    ResultMetadata, Rows, RowsHead, encode_rows,
};
