//! [`Response`]: the messages that the server sends.

mod event;
mod metadata;
mod rows;

use std::borrow::Cow;

pub use event::{Event, EventKind};
pub use metadata::{
    ColumnBlock, ColumnRef, ColumnSpec, PreparedResult, ResultMetadata, compute_metadata_id,
};
pub use rows::{Rows, RowsHead, encode_rows};

use cql::{SchemaChange, TraceId};

use crate::error::ErrorMessage;
use crate::frame::{self, Frame};
use crate::opcode::Opcode;
use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::writer;

/// The kinds of RESULT.
const VOID: i32 = 1;
const ROWS: i32 = 2;
const SET_KEYSPACE: i32 = 3;
const PREPARED: i32 = 4;
const SCHEMA_CHANGE: i32 = 5;

/// The header of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseHead<'a> {
    /// The protocol version.
    pub version: ProtocolVersion,
    /// The stream id of the request; -1 for events.
    pub stream: i16,
    /// The id of the trace session.
    pub tracing: Option<TraceId>,
    /// Warnings; from version 4 on.
    pub warnings: Cow<'a, [String]>,
}

impl ResponseHead<'_> {
    /// A header without a trace and warnings.
    pub fn new(version: ProtocolVersion, stream: i16) -> Self {
        Self { version, stream, tracing: None, warnings: Cow::Borrowed(&[]) }
    }
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response<'a> {
    /// An error.
    Error(ErrorMessage),
    /// The connection is ready for requests.
    Ready,
    /// The server requires authentication by this class.
    Authenticate(Cow<'a, str>),
    /// The options that the server supports.
    Supported(Vec<(String, Vec<String>)>),
    /// A result without rows.
    Void,
    /// A page of rows.
    Rows(Rows<'a>),
    /// The result of USE: the keyspace.
    SetKeyspace(String),
    /// The result of PREPARE.
    Prepared(PreparedResult),
    /// The result of a schema statement.
    SchemaChange(SchemaChange),
    /// An event.
    Event(Event),
    /// The server continues the authentication.
    AuthChallenge(Option<Vec<u8>>),
    /// The authentication succeeded.
    AuthSuccess(Option<Vec<u8>>),
}

impl<'a> Response<'a> {
    /// Decodes the body of a frame.
    pub fn decode(frame: &Frame<'a>) -> Result<(ResponseHead<'a>, Self), DecodeError> {
        let mut reader = Reader::new(frame.body);
        let has = |flag| frame.flags & flag != 0;
        let tracing = has(frame::TRACING).then(|| reader.uuid().map(TraceId)).transpose()?;
        let warnings = if has(frame::WARNING) { reader.string_list()? } else { Vec::new() };
        if has(frame::CUSTOM_PAYLOAD) {
            for _ in 0..reader.short()? {
                reader.string()?;
                reader.bytes()?;
            }
        }
        let warnings = Cow::Owned(warnings);
        let head = ResponseHead { version: frame.version, stream: frame.stream, tracing, warnings };
        Ok((head, Self::read(&mut reader, frame.opcode, frame.version)?))
    }

    fn read(
        reader: &mut Reader<'a>,
        opcode: Opcode,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        Ok(match opcode {
            Opcode::Error => Self::Error(ErrorMessage::read(reader, version)?),
            Opcode::Ready => Self::Ready,
            Opcode::Authenticate => Self::Authenticate(reader.string()?.into()),
            Opcode::Supported => {
                let count = reader.short()?;
                let options =
                    (0..count).map(|_| Ok((reader.string()?.to_owned(), reader.string_list()?)));
                Self::Supported(options.collect::<Result<_, DecodeError>>()?)
            }
            Opcode::Result => Self::read_result(reader, version)?,
            Opcode::Event => Self::Event(Event::read(reader)?),
            Opcode::AuthChallenge => Self::AuthChallenge(reader.bytes()?.map(<[u8]>::to_vec)),
            Opcode::AuthSuccess => Self::AuthSuccess(reader.bytes()?.map(<[u8]>::to_vec)),
            _ => {
                return Err(DecodeError::protocol(format!(
                    "Unexpected REQUEST message {opcode}, expecting RESPONSE"
                )));
            }
        })
    }

    fn read_result(reader: &mut Reader<'a>, version: ProtocolVersion) -> Result<Self, DecodeError> {
        Ok(match reader.int()? {
            VOID => Self::Void,
            ROWS => Self::Rows(Rows::read(reader)?),
            SET_KEYSPACE => Self::SetKeyspace(reader.string()?.to_owned()),
            PREPARED => Self::Prepared(PreparedResult::read(reader, version)?),
            SCHEMA_CHANGE => Self::SchemaChange(event::read_change(reader)?),
            other => {
                return Err(DecodeError::protocol(format!(
                    "Unknown kind id {other} in RESULT message"
                )));
            }
        })
    }

    /// The kind of message.
    pub fn opcode(&self) -> Opcode {
        match self {
            Self::Error(_) => Opcode::Error,
            Self::Ready => Opcode::Ready,
            Self::Authenticate(_) => Opcode::Authenticate,
            Self::Supported(_) => Opcode::Supported,
            Self::Void
            | Self::Rows(_)
            | Self::SetKeyspace(_)
            | Self::Prepared(_)
            | Self::SchemaChange(_) => Opcode::Result,
            Self::Event(_) => Opcode::Event,
            Self::AuthChallenge(_) => Opcode::AuthChallenge,
            Self::AuthSuccess(_) => Opcode::AuthSuccess,
        }
    }

    /// Appends the whole frame.
    pub fn encode(&self, head: &ResponseHead<'_>, out: &mut Vec<u8>) {
        encode_with(head, self.opcode(), out, |out| self.put_body(out, head.version));
    }

    fn put_body(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        match self {
            Self::Error(error) => error.put_body(out, version),
            Self::Ready => {}
            Self::Authenticate(class) => writer::string(out, class),
            Self::Supported(options) => {
                let count = writer::short_count(out, options.len());
                for (name, values) in options.iter().take(count) {
                    writer::string(out, name);
                    writer::string_list(out, values);
                }
            }
            Self::Void => writer::int(out, VOID),
            Self::Rows(rows) => rows.put(out, version),
            Self::SetKeyspace(keyspace) => {
                writer::int(out, SET_KEYSPACE);
                writer::string(out, keyspace);
            }
            Self::Prepared(prepared) => {
                writer::int(out, PREPARED);
                prepared.put(out, version);
            }
            Self::SchemaChange(change) => {
                writer::int(out, SCHEMA_CHANGE);
                event::put_change(out, change, version);
            }
            Self::Event(event) => event.put(out, version),
            Self::AuthChallenge(token) | Self::AuthSuccess(token) => {
                writer::bytes(out, token.as_deref());
            }
        }
    }
}

/// Appends a frame: its header, then the body written by the function.
fn encode_with(
    head: &ResponseHead<'_>,
    opcode: Opcode,
    out: &mut Vec<u8>,
    body: impl FnOnce(&mut Vec<u8>),
) {
    let warnings = !head.warnings.is_empty() && head.version >= ProtocolVersion::V4;
    let mut flags = frame::beta_flag(head.version);
    if warnings {
        flags |= frame::WARNING;
    }
    if head.tracing.is_some() {
        flags |= frame::TRACING;
    }
    let first = head.version.number() | frame::RESPONSE_BIT;
    frame::put(out, first, head.stream, (opcode, flags), |out| {
        if let Some(id) = head.tracing {
            out.extend(id.0);
        }
        if warnings {
            writer::string_list(out, &head.warnings);
        }
        body(out);
    });
}
