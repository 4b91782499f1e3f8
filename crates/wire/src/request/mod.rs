//! [`Request`]: the messages that clients send.

mod batch;
mod options;

pub use batch::{Batch, BatchStatement, StatementRef};
pub use options::QueryOptions;

use crate::frame::{self, Frame};
use crate::opcode::Opcode;
use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::response::EventKind;
use crate::writer;

/// The flag of PREPARE for a keyspace.
const PREPARE_KEYSPACE: u32 = 0x01;

/// The header of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestHead<'a> {
    /// The protocol version.
    pub version: ProtocolVersion,
    /// The stream id, which the response repeats.
    pub stream: i16,
    /// Whether the server traces the request.
    pub tracing: bool,
    /// The custom payload: bytes by name for extensions of the server; from version 4 on.
    pub payload: Vec<(&'a str, Option<&'a [u8]>)>,
}

impl RequestHead<'_> {
    /// A header without tracing and payload.
    pub fn new(version: ProtocolVersion, stream: i16) -> Self {
        Self { version, stream, tracing: false, payload: Vec::new() }
    }
}

/// A request. Texts and values are borrowed from the encoded bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    /// Starts a connection with these options.
    Startup(Vec<(&'a str, &'a str)>),
    /// Asks for the options that the server supports.
    Options,
    /// Executes a statement by its text.
    Query(&'a str, QueryOptions<'a>),
    /// Prepares a statement, in this keyspace in place of the connection's; from version 5 on.
    Prepare(&'a str, Option<&'a str>),
    /// Executes the statement prepared under this id.
    Execute(&'a [u8], QueryOptions<'a>),
    /// Registers for events.
    Register(Vec<EventKind>),
    /// Executes several statements as a batch.
    Batch(Batch<'a>),
    /// Sends authentication data.
    AuthResponse(&'a [u8]),
}

impl<'a> Request<'a> {
    /// Decodes the body of a frame. Bytes after its end are ignored.
    pub fn decode(frame: &Frame<'a>) -> Result<(RequestHead<'a>, Self), DecodeError> {
        let version = frame.version;
        let mut reader = Reader::new(frame.body);
        let payload = if frame.flags & frame::CUSTOM_PAYLOAD == 0 {
            Vec::new()
        } else {
            read_payload(&mut reader, version)?
        };
        let tracing = frame.flags & frame::TRACING != 0;
        let head = RequestHead { version, stream: frame.stream, tracing, payload };
        Ok((head, Self::read(&mut reader, frame.opcode, version)?))
    }

    fn read(
        reader: &mut Reader<'a>,
        opcode: Opcode,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        Ok(match opcode {
            Opcode::Startup => {
                let count = reader.short()?;
                let options = (0..count).map(|_| Ok((reader.string()?, reader.string()?)));
                Self::Startup(options.collect::<Result<_, DecodeError>>()?)
            }
            Opcode::Options => Self::Options,
            Opcode::Query => {
                Self::Query(reader.long_string()?, QueryOptions::read(reader, version)?)
            }
            Opcode::Prepare => {
                let text = reader.long_string()?;
                let has_keyspace = version >= ProtocolVersion::V5
                    && reader.int()?.cast_unsigned() & PREPARE_KEYSPACE != 0;
                Self::Prepare(text, has_keyspace.then(|| reader.string()).transpose()?)
            }
            Opcode::Execute => {
                let id = reader.short_bytes()?;
                let has_metadata_id = version >= ProtocolVersion::V5;
                let metadata_id = has_metadata_id.then(|| reader.short_bytes()).transpose()?;
                let options = QueryOptions::read(reader, version)?;
                Self::Execute(id, QueryOptions { metadata_id, ..options })
            }
            Opcode::Register => {
                let count = reader.short()?;
                let kinds = (0..count).map(|_| EventKind::read(reader));
                Self::Register(kinds.collect::<Result<_, _>>()?)
            }
            Opcode::Batch => Self::Batch(Batch::read(reader, version)?),
            Opcode::AuthResponse => Self::AuthResponse(reader.bytes()?.unwrap_or_default()),
            Opcode::Credentials => return Err(DecodeError::protocol("Unsupported message")),
            _ => {
                return Err(DecodeError::protocol(format!(
                    "Unexpected RESPONSE message {opcode}, expecting REQUEST"
                )));
            }
        })
    }

    /// The kind of message.
    pub fn opcode(&self) -> Opcode {
        match self {
            Self::Startup(_) => Opcode::Startup,
            Self::Options => Opcode::Options,
            Self::Query(..) => Opcode::Query,
            Self::Prepare(..) => Opcode::Prepare,
            Self::Execute(..) => Opcode::Execute,
            Self::Register(_) => Opcode::Register,
            Self::Batch(_) => Opcode::Batch,
            Self::AuthResponse(_) => Opcode::AuthResponse,
        }
    }

    /// Appends the whole frame.
    pub fn encode(&self, head: &RequestHead<'_>, out: &mut Vec<u8>) {
        let payload = !head.payload.is_empty() && head.version >= ProtocolVersion::V4;
        let mut flags = frame::beta_flag(head.version);
        if payload {
            flags |= frame::CUSTOM_PAYLOAD;
        }
        if head.tracing {
            flags |= frame::TRACING;
        }
        frame::put(out, head.version.number(), head.stream, (self.opcode(), flags), |out| {
            if payload {
                let count = writer::short_count(out, head.payload.len());
                for (name, bytes) in head.payload.iter().take(count) {
                    writer::string(out, name);
                    writer::bytes(out, *bytes);
                }
            }
            self.put_body(out, head.version);
        });
    }

    fn put_body(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        match self {
            Self::Startup(options) => {
                let count = writer::short_count(out, options.len());
                for (name, value) in options.iter().take(count) {
                    writer::string(out, name);
                    writer::string(out, value);
                }
            }
            Self::Options => {}
            Self::Query(text, options) => {
                writer::long_string(out, text);
                options.put(out, version);
            }
            Self::Prepare(text, keyspace) => {
                writer::long_string(out, text);
                if version >= ProtocolVersion::V5 {
                    let flags = if keyspace.is_some() { PREPARE_KEYSPACE } else { 0 };
                    out.extend(flags.to_be_bytes());
                    if let Some(keyspace) = keyspace {
                        writer::string(out, keyspace);
                    }
                }
            }
            Self::Execute(id, options) => {
                writer::short_bytes(out, id);
                if version >= ProtocolVersion::V5 {
                    writer::short_bytes(out, options.metadata_id.unwrap_or_default());
                }
                options.put(out, version);
            }
            Self::Register(kinds) => {
                let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
                writer::string_list(out, &names);
            }
            Self::Batch(batch) => batch.put(out, version),
            Self::AuthResponse(token) => writer::bytes(out, Some(token)),
        }
    }
}

type CustomPayload<'a> = Vec<(&'a str, Option<&'a [u8]>)>;

fn read_payload<'a>(
    reader: &mut Reader<'a>,
    version: ProtocolVersion,
) -> Result<CustomPayload<'a>, DecodeError> {
    let count = reader.short()?;
    let payload = (0..count).map(|_| Ok((reader.string()?, reader.bytes()?)));
    let payload = payload.collect::<Result<_, DecodeError>>()?;
    if version < ProtocolVersion::V4 {
        return Err(DecodeError::protocol(
            "Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4",
        ));
    }
    Ok(payload)
}
