//! The conversation: messages of the native protocol, versions 3 and 4, to and from bytes. No sockets here.
//!
//! [`frame::decode`] finds a frame at the start of some bytes, or says how many are missing. [`Request::decode`] and
//! [`Response::decode`] read its body, [`Request::encode`] and [`Response::encode`] append whole frames to a buffer. What
//! is refused is refused with Cassandra's code and text, as far as these do not speak of its own insides.

mod consistency;
pub mod frame;
mod opcode;
mod reader;
mod request;
mod response;
#[cfg(test)]
mod tests;
mod types;
mod value;
mod version;
mod writer;

pub use consistency::Consistency;
pub use frame::{Decoded, Frame, FrameError};
pub use opcode::Opcode;
pub use reader::Malformed;
pub use request::{Batch, BatchStatement, QueryOptions, Request, RequestHead, StatementText};
pub use response::{
    Change, ColumnBlock, ColumnRef, ColumnSpec, Columns, ErrorKind, ErrorMessage, Event, EventKind,
    Prepared, Replicas, Response, ResponseHead, Rows, RowsHead, SchemaChange, Target, WriteType,
    encode_rows,
};
pub use value::{Value, Values};
pub use version::Version;
