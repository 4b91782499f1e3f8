//! The messages of the native protocol, versions 3 to 5 (and 6, a beta), to and from bytes. No
//! sockets.
//!
//! [`FrameDecoder`] finds the frames of a connection in received bytes: as they are, with compressed
//! bodies, or in segments (`segment_decoder`). [`FrameEncoder`] does the reverse. [`frame::decode`]
//! finds a frame at the start of some bytes, or returns how many are missing.
//! [`Request::decode`] and [`Response::decode`] decode its body (`reader`), [`Request::encode`] and
//! [`Response::encode`] append whole frames to a buffer (`writer`). Errors have Cassandra's codes
//! and texts, except for those that refer to its internals.

#![warn(clippy::indexing_slicing)]

mod checksum;
mod compression;
mod decoder;
mod error;
pub mod frame;
mod frame_layer;
mod opcode;
mod protocol_version;
mod reader;
#[cfg(test)]
mod recording_tests;
mod request;
mod response;
mod segment;
mod segment_decoder;
#[cfg(test)]
mod segment_tests;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod writer;

pub use compression::Compression;
pub use cql::protocol::{
    ChangeKind, ChangeTarget, Consistency, ErrorCode, MarkerValue, MarkerValues, SchemaChange,
};
pub use decoder::FrameDecoder;
pub use error::{ErrorKind, ErrorMessage, ReplicaFailures, ReplicaResponses, WriteType};
pub use frame::{DecodedFrame, Frame, FrameError};
pub use frame_layer::{Decoded, FrameEncoder, Framing};
pub use opcode::Opcode;
pub use protocol_version::ProtocolVersion;
pub use reader::DecodeError;
pub use request::{Batch, BatchStatement, QueryOptions, Request, RequestHead, StatementRef};
pub use response::{
    ColumnBlock, ColumnRef, ColumnSpec, Event, EventKind, PreparedResult, Response, ResponseHead,
    ResultMetadata, Rows, RowsHead, compute_metadata_id, encode_rows,
};
