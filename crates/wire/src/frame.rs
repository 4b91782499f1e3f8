//! [`Frame`]: a message with its header of nine bytes.
//!
//! ```text
//! | response 1 bit, version 7 bits | flags u8 | stream i16 | opcode u8 | length u32 | body ... |
//! ```

use crate::error::{ErrorKind, ErrorMessage};
use crate::opcode::Opcode;
use crate::protocol_version::ProtocolVersion;

/// The bytes of a header.
pub const HEADER_BYTES: usize = 9;
/// The default maximum length of a frame for a server: `native_transport_max_frame_size`.
pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;
/// The maximum length of a frame for a client.
pub const RESPONSE_LIMIT: usize = 256 * 1024 * 1024;

/// The bit that distinguishes a response from a request.
pub(crate) const RESPONSE_BIT: u8 = 0x80;
pub(crate) const COMPRESSED: u8 = 0x01;
pub(crate) const TRACING: u8 = 0x02;
pub(crate) const CUSTOM_PAYLOAD: u8 = 0x04;
pub(crate) const WARNING: u8 = 0x08;
pub(crate) const USE_BETA: u8 = 0x10;

/// A message whose body is not decoded yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The protocol version.
    pub version: ProtocolVersion,
    /// The flags: compression, tracing, custom payload, warnings.
    pub flags: u8,
    /// The stream id of the request, repeated in its response; -1 for events.
    pub stream: i16,
    /// The kind of message.
    pub opcode: Opcode,
    /// The encoded body.
    pub body: &'a [u8],
}

impl Frame<'_> {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let response_bit = if self.opcode.is_request() { 0 } else { RESPONSE_BIT };
        let first = self.version.number() | response_bit;
        put(out, first, self.stream, (self.opcode, self.flags), |out| {
            out.extend_from_slice(self.body);
        });
    }
}

/// The result of decoding the start of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedFrame<'a> {
    /// A frame, and its length in bytes.
    Frame(Frame<'a>, usize),
    /// An incomplete frame.
    Incomplete {
        /// The number of bytes needed, from the start of the frame, before decoding can continue.
        needed: usize,
    },
    /// A frame that cannot be decoded.
    Refused(FrameError),
}

/// Why a frame cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// An unsupported version. The length of its frame is unknown: all bytes received with it must
    /// be discarded.
    Version(u8),
    /// An opcode that does not exist or is not a request. The frame must be skipped.
    Kind {
        /// The stream id of the request.
        stream: i16,
        /// The text of the error.
        message: String,
        /// The bytes to skip, some of which may not have arrived yet.
        length: u64,
    },
    /// A frame longer than the limit. It must be skipped.
    TooLong {
        /// The stream id of the request.
        stream: i16,
        /// The bytes to skip, most of which have not arrived yet.
        length: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// A body that cannot be decompressed. Its frame is complete and must be skipped.
    Body(ErrorMessage),
    /// Bytes after which the connection cannot be decoded any further: it must be closed.
    Corrupt {
        /// The stream id of the request; 0 if it is unknown.
        stream: i16,
        /// The error to send.
        error: ErrorMessage,
    },
}

impl FrameError {
    /// An error after which the connection must be closed.
    pub(crate) fn corrupt(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::Corrupt { stream: 0, error: ErrorMessage::new(kind, message) }
    }

    /// Whether the connection must be closed once the error is sent.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Corrupt { .. })
    }

    /// The length of the frame, some of whose bytes may not have arrived yet, if it is known.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::Kind { length, .. } | Self::TooLong { length, .. } => Some(*length),
            _ => None,
        }
    }

    /// The error message to send.
    pub fn to_error_message(&self) -> ErrorMessage {
        match self {
            Self::Version(number) => {
                ErrorMessage::new(ErrorKind::Protocol, ProtocolVersion::refusal(*number))
            }
            Self::Kind { message, .. } => ErrorMessage::new(ErrorKind::Protocol, message.clone()),
            Self::TooLong { length, limit, .. } => ErrorMessage::new(
                ErrorKind::Invalid,
                format!(
                    "Request is too big: length {length} exceeds maximum allowed length {limit}."
                ),
            ),
            Self::Body(error) | Self::Corrupt { error, .. } => error.clone(),
        }
    }

    /// The stream id of the request; 0 if it is unknown.
    pub fn stream(&self) -> i16 {
        match self {
            Self::Version(_) | Self::Body(_) => 0,
            Self::Kind { stream, .. }
            | Self::TooLong { stream, .. }
            | Self::Corrupt { stream, .. } => *stream,
        }
    }
}

/// Decodes the start of some bytes.
///
/// The version is checked as soon as its byte has arrived: the headers of versions 1 and 2 are
/// shorter, so waiting for nine bytes could wait forever.
pub fn decode(input: &[u8], limit: usize) -> DecodedFrame<'_> {
    let Some(&first) = input.first() else {
        return DecodedFrame::Incomplete { needed: HEADER_BYTES };
    };
    let number = first & !RESPONSE_BIT;
    if ProtocolVersion::from_number(number).is_none() {
        return DecodedFrame::Refused(FrameError::Version(number));
    }
    let Some((header, rest)) = input.split_first_chunk::<HEADER_BYTES>() else {
        return DecodedFrame::Incomplete { needed: HEADER_BYTES };
    };
    let header = match FrameHeader::decode(header, limit) {
        Ok(header) => header,
        Err(error) => return DecodedFrame::Refused(error),
    };
    match rest.get(..header.body_length) {
        Some(body) => DecodedFrame::Frame(header.with_body(body), HEADER_BYTES + body.len()),
        None => DecodedFrame::Incomplete { needed: HEADER_BYTES + header.body_length },
    }
}

/// The header of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameHeader {
    pub(crate) version: ProtocolVersion,
    flags: u8,
    pub(crate) stream: i16,
    opcode: Opcode,
    pub(crate) body_length: usize,
}

impl FrameHeader {
    pub(crate) fn decode(bytes: &[u8; HEADER_BYTES], limit: usize) -> Result<Self, FrameError> {
        let [first, flags, s0, s1, kind, l0, l1, l2, l3] = *bytes;
        let number = first & !RESPONSE_BIT;
        let version = ProtocolVersion::from_number(number)
            .filter(|version| !version.is_beta() || flags & USE_BETA != 0)
            .ok_or(FrameError::Version(number))?;
        let stream = i16::from_be_bytes([s0, s1]);
        let body_length = u32::from_be_bytes([l0, l1, l2, l3]);
        let length = u64::from(body_length) + HEADER_BYTES as u64;
        let opcode = decode_opcode(kind, first & RESPONSE_BIT != 0)
            .map_err(|message| FrameError::Kind { stream, message, length })?;
        match usize::try_from(length) {
            Ok(total) if total <= limit => {
                Ok(Self { version, flags, stream, opcode, body_length: total - HEADER_BYTES })
            }
            _ => Err(FrameError::TooLong { stream, length, limit }),
        }
    }

    pub(crate) fn with_body(self, body: &[u8]) -> Frame<'_> {
        let Self { version, flags, stream, opcode, .. } = self;
        Frame { version, flags, stream, opcode, body }
    }
}

fn decode_opcode(number: u8, is_answer: bool) -> Result<Opcode, String> {
    let opcode = Opcode::from_number(number)
        .ok_or_else(|| format!("Unknown opcode {}", number.cast_signed()))?;
    if opcode.is_request() == is_answer {
        let name = |answers| if answers { "RESPONSE" } else { "REQUEST" };
        return Err(format!(
            "Wrong protocol direction (expected {}, got {}) for opcode {number} ({opcode})",
            name(!is_answer),
            name(is_answer)
        ));
    }
    Ok(opcode)
}

/// Appends a frame whose body is written by the given function.
///
/// A body that is too long for a frame is replaced by an ERROR, since a wrong length would make the
/// rest of the stream unreadable.
pub(crate) fn put(
    out: &mut Vec<u8>,
    first: u8,
    stream: i16,
    (opcode, flags): (Opcode, u8),
    body: impl FnOnce(&mut Vec<u8>),
) {
    let start = out.len();
    out.extend([first, flags]);
    out.extend(stream.to_be_bytes());
    out.push(opcode.number());
    out.extend([0; 4]);
    let body_start = out.len();
    body(out);
    let mut length = out.len() - body_start;
    if i32::try_from(length).is_err() {
        out.truncate(start);
        out.extend([first, 0]);
        out.extend(stream.to_be_bytes());
        out.push(Opcode::Error.number());
        out.extend([0; 4]);
        ErrorMessage::new(ErrorKind::Server, "The answer is longer than a frame can be")
            .put_body(out, ProtocolVersion::HIGHEST);
        length = out.len() - body_start;
    }
    let length = u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    if let Some(field) = out.get_mut(body_start - 4..body_start) {
        field.copy_from_slice(&length);
    }
}

/// Appends the error for an unsupported version, or for a beta without its flag, in the format of
/// that version: those of 1 and 2 have a header of eight bytes.
pub fn refuse_version(out: &mut Vec<u8>, number: u8) {
    let message = FrameError::Version(number).to_error_message();
    if !matches!(number, 1 | 2) {
        let version = ProtocolVersion::from_number(number).unwrap_or(ProtocolVersion::HIGHEST);
        put(out, version.number() | RESPONSE_BIT, 0, (Opcode::Error, beta_flag(version)), |out| {
            message.put_body(out, version);
        });
        return;
    }
    let mut body = Vec::new();
    message.put_body(&mut body, ProtocolVersion::V3);
    out.extend([number | RESPONSE_BIT, 0, 0, Opcode::Error.number()]);
    out.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend(body);
}

/// The flag of all frames of a beta version.
pub(crate) fn beta_flag(version: ProtocolVersion) -> u8 {
    if version.is_beta() { USE_BETA } else { 0 }
}
