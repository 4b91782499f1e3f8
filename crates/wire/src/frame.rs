//! Frames: nine bytes of header around every message.
//!
//! ```text
//! | version 7 bits, answer 1 bit | flags u8 | stream i16 | opcode u8 | length u32 | body ... |     all big-endian
//! ```

use crate::error::{ErrorKind, ErrorMessage};
use crate::opcode::Opcode;
use crate::protocol_version::ProtocolVersion;

/// The bytes of a header.
pub const HEADER_BYTES: usize = 9;
/// The longest frame a server takes unless it is told otherwise: `native_transport_max_frame_size`.
pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;
/// The longest frame a client should take.
pub const RESPONSE_LIMIT: usize = 256 * 1024 * 1024;

/// The bit that tells an answer from a request.
pub(crate) const RESPONSE_BIT: u8 = 0x80;
pub(crate) const TRACING: u8 = 0x02;
pub(crate) const CUSTOM_PAYLOAD: u8 = 0x04;
pub(crate) const WARNING: u8 = 0x08;

/// A message whose body is not read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Its version.
    pub version: ProtocolVersion,
    /// Its flags.
    pub flags: u8,
    /// Which request it is, or answers; -1 for events.
    pub stream: i16,
    /// What it is.
    pub opcode: Opcode,
    /// Its body.
    pub body: &'a [u8],
}

/// What stands at the start of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedFrame<'a> {
    /// A frame of that many bytes.
    Frame(Frame<'a>, usize),
    /// The start of one: so many bytes must be there before it is worth looking again.
    Incomplete {
        /// Counted from the same start.
        needed: usize,
    },
    /// Nothing that can be read.
    Refused(FrameError),
}

/// Why a frame cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// A version that is not spoken. Where its frame ends is unknown: all bytes received with it are to be dropped.
    Version(u8),
    /// A kind that does not exist, or goes the other way. The frame is to be skipped.
    Kind {
        /// The request's number.
        stream: i16,
        /// Why.
        message: String,
        /// The bytes to skip, of which some may still be to come.
        length: u64,
    },
    /// Longer than allowed. The frame is to be skipped.
    TooLong {
        /// The request's number.
        stream: i16,
        /// The bytes to skip, of which most are still to come.
        length: u64,
        /// The most that is allowed.
        limit: usize,
    },
}

impl FrameError {
    /// The refusal to send.
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
        }
    }

    /// The number of the request, 0 where it is unknown.
    pub fn stream(&self) -> i16 {
        match self {
            Self::Version(_) => 0,
            Self::Kind { stream, .. } | Self::TooLong { stream, .. } => *stream,
        }
    }
}

/// Looks at the start of some bytes.
///
/// The version is looked at as soon as its byte is there: the headers of versions 1 and 2 are shorter than ours.
pub fn decode(input: &[u8], limit: usize) -> DecodedFrame<'_> {
    let Some(&first) = input.first() else {
        return DecodedFrame::Incomplete { needed: HEADER_BYTES };
    };
    let number = first & !RESPONSE_BIT;
    let Some(version) = ProtocolVersion::from_number(number) else {
        return DecodedFrame::Refused(FrameError::Version(number));
    };
    let Some(([_, flags, s0, s1, kind, l0, l1, l2, l3], rest)) =
        input.split_first_chunk::<HEADER_BYTES>()
    else {
        return DecodedFrame::Incomplete { needed: HEADER_BYTES };
    };
    let stream = i16::from_be_bytes([*s0, *s1]);
    let body_length = u32::from_be_bytes([*l0, *l1, *l2, *l3]);
    let length = u64::from(body_length) + HEADER_BYTES as u64;
    let opcode = match decode_opcode(*kind, first & RESPONSE_BIT != 0) {
        Ok(opcode) => opcode,
        Err(message) => {
            return DecodedFrame::Refused(FrameError::Kind { stream, message, length });
        }
    };
    let total = match usize::try_from(length) {
        Ok(total) if total <= limit => total,
        _ => return DecodedFrame::Refused(FrameError::TooLong { stream, length, limit }),
    };
    match rest.get(..total - HEADER_BYTES) {
        Some(body) => {
            DecodedFrame::Frame(Frame { version, flags: *flags, stream, opcode, body }, total)
        }
        None => DecodedFrame::Incomplete { needed: total },
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
/// A body that no frame can hold is replaced by an ERROR: nothing else could be told from it by whoever reads.
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

/// Appends the refusal of a version as that version's clients can read it: those of 1 and 2 have a header of eight bytes.
pub fn refuse_version(out: &mut Vec<u8>, number: u8) {
    let message = FrameError::Version(number).to_error_message();
    if !matches!(number, 1 | 2) {
        put(out, ProtocolVersion::HIGHEST.number() | RESPONSE_BIT, 0, (Opcode::Error, 0), |out| {
            message.put_body(out, ProtocolVersion::HIGHEST);
        });
        return;
    }
    let mut body = Vec::new();
    message.put_body(&mut body, ProtocolVersion::V3);
    out.extend([number | RESPONSE_BIT, 0, 0, Opcode::Error.number()]);
    out.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend(body);
}
