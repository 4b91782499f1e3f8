//! [`SegmentDecoder`]: finds frames in segments.
//!
//! Frames of a plain self-contained segment are borrowed from the input, those of a compressed one
//! from a buffer, and a frame that is longer than a segment is collected in another.

use std::ops::Range;

use crate::compression;
use crate::error::ErrorKind;
use crate::frame::{self, DecodedFrame, FrameError, FrameHeader, HEADER_BYTES};
use crate::frame_layer::{Decoded, Framing, IDLE_BYTES};
use crate::protocol_version::ProtocolVersion;
use crate::segment::SegmentHeader;

/// Decodes the frames of a connection that sends segments.
pub(crate) struct SegmentDecoder {
    version: ProtocolVersion,
    is_compressed: bool,
    /// The self-contained segment at the start of the input, if some of its frames are decoded.
    open: Option<OpenSegment>,
    /// The decompressed payload of the open segment.
    payload: Vec<u8>,
    /// The received part of a frame that is longer than a segment.
    large: Vec<u8>,
    /// The length of that whole frame; 0 if there is none.
    large_length: usize,
    /// The bytes still to come of such a frame that was refused.
    skip: u64,
}

/// A self-contained segment whose checksums are right.
#[derive(Clone, Copy, Debug)]
struct OpenSegment {
    /// The bytes of the whole segment.
    length: usize,
    /// Where its payload starts in the input; `None` if it was decompressed.
    start: Option<usize>,
    payload_length: usize,
    /// The position of the next frame in the payload.
    position: usize,
    /// Whether the frame before that was refused.
    is_last_refused: bool,
}

/// Where a whole frame is.
enum FramePlace {
    Input(Range<usize>),
    Payload(Range<usize>),
    Large,
}

/// What was found at the start of the input, with the number of bytes that are no longer needed.
enum Step {
    Incomplete,
    Continue(usize),
    Found(usize, FramePlace),
    Refused(usize, FrameError),
}

impl SegmentDecoder {
    /// A decoder for a framing; `None` if it has no segments.
    pub(crate) fn new(framing: Framing) -> Option<Self> {
        let version = framing.version.filter(|version| version.has_segments())?;
        Some(Self {
            version,
            is_compressed: framing.compression.is_some(),
            open: None,
            payload: Vec::new(),
            large: Vec::new(),
            large_length: 0,
            skip: 0,
        })
    }

    pub(crate) fn shrink(&mut self) {
        if self.open.is_none() {
            self.payload.clear();
            self.payload.shrink_to(IDLE_BYTES);
        }
        if self.large_length == 0 {
            self.large.clear();
            self.large.shrink_to(IDLE_BYTES);
        }
    }

    pub(crate) fn has_partial_frame(&self) -> bool {
        self.large_length > 0 || self.skip > 0
    }

    pub(crate) fn partial_bytes(&self) -> usize {
        if self.large_length > 0 { self.large.len() } else { 0 }
    }

    /// Decodes the next frame.
    pub(crate) fn decode<'a>(&'a mut self, input: &'a [u8], limit: usize) -> Decoded<'a> {
        let mut consumed = 0;
        let (rest, place) = loop {
            let rest = input.get(consumed..).unwrap_or_default();
            match self.step(rest, limit) {
                Step::Incomplete => return Decoded { consumed, frame: Ok(None) },
                Step::Continue(count) => consumed += count,
                Step::Found(count, place) => {
                    consumed += count;
                    break (rest, place);
                }
                Step::Refused(_, error) if error.is_fatal() => {
                    return Decoded { consumed: input.len(), frame: Err(error) };
                }
                Step::Refused(count, error) => {
                    return Decoded { consumed: consumed + count, frame: Err(error) };
                }
            }
        };
        let bytes = match place {
            FramePlace::Input(range) => rest.get(range),
            FramePlace::Payload(range) => self.payload.get(range),
            FramePlace::Large => Some(self.large.as_slice()),
        };
        let frame = match frame::decode(bytes.unwrap_or_default(), limit) {
            DecodedFrame::Frame(frame, _) => Ok(Some(frame)),
            DecodedFrame::Refused(error) => Err(error),
            DecodedFrame::Incomplete { .. } => Err(truncation()),
        };
        Decoded { consumed, frame }
    }

    fn step(&mut self, input: &[u8], limit: usize) -> Step {
        match self.open {
            Some(open) => self.next_frame(open, input, limit),
            None => self.open_segment(input, limit).unwrap_or_else(|error| Step::Refused(0, error)),
        }
    }

    /// Opens the segment at the start of the input.
    fn open_segment(&mut self, input: &[u8], limit: usize) -> Result<Step, FrameError> {
        let Some(header) = SegmentHeader::decode(input, self.is_compressed)? else {
            return Ok(Step::Incomplete);
        };
        let Some(payload) = header.payload(input)? else { return Ok(Step::Incomplete) };
        let length = header.total_length();
        if !header.is_self_contained {
            return self.append_part(&header, payload, limit);
        }
        let (start, payload_length) = match header.plain_length {
            None => (Some(header.length), payload.len()),
            Some(plain_length) => {
                self.payload.clear();
                decompress(payload, plain_length, &mut self.payload)?;
                (None, plain_length)
            }
        };
        if payload_length == 0 {
            return Ok(Step::Continue(length));
        }
        let is_last_refused = false;
        self.open =
            Some(OpenSegment { length, start, payload_length, position: 0, is_last_refused });
        Ok(Step::Continue(0))
    }

    /// Finds the next frame of the open segment.
    fn next_frame(&mut self, mut open: OpenSegment, input: &[u8], limit: usize) -> Step {
        let payload = match open.start {
            Some(start) => input.get(start..start + open.payload_length),
            None => self.payload.get(..open.payload_length),
        };
        let rest = payload.and_then(|payload| payload.get(open.position..)).unwrap_or_default();
        let found = self.check_header(rest, limit).and_then(|header| {
            let length = HEADER_BYTES + header.body_length;
            if length > rest.len() { Err(truncation()) } else { Ok(length) }
        });
        let range = open.position..open.position + *found.as_ref().unwrap_or(&0);
        open.position = match &found {
            Ok(_) => range.end,
            Err(error) => skip_length(error, rest.len()) + open.position,
        };
        let was_refused = std::mem::replace(&mut open.is_last_refused, found.is_err());
        let is_done = open.position >= open.payload_length;
        self.open = Some(open).filter(|_| !is_done);
        let consumed = if is_done { open.length } else { 0 };
        match (found, open.start) {
            (Ok(_), Some(start)) => {
                Step::Found(consumed, FramePlace::Input(start + range.start..start + range.end))
            }
            (Ok(_), None) => Step::Found(consumed, FramePlace::Payload(range)),
            (Err(error), _) if was_refused => {
                let (stream, error) = (error.stream(), error.to_error_message());
                Step::Refused(consumed, FrameError::Corrupt { stream, error })
            }
            (Err(error), _) => Step::Refused(consumed, error),
        }
    }

    /// Appends a segment to the frame that it is a part of.
    fn append_part(
        &mut self,
        header: &SegmentHeader,
        payload: &[u8],
        limit: usize,
    ) -> Result<Step, FrameError> {
        let consumed = header.total_length();
        let plain_length = header.plain_length.unwrap_or(payload.len());
        if self.skip > 0 {
            self.skip = self.skip.checked_sub(plain_length as u64).ok_or_else(truncation)?;
            return Ok(Step::Continue(consumed));
        }
        if self.large_length == 0 {
            self.large.clear();
        }
        match header.plain_length {
            None => self.large.extend_from_slice(payload),
            Some(plain_length) => decompress(payload, plain_length, &mut self.large)?,
        }
        if self.large_length == 0 {
            match self.check_header(&self.large, limit) {
                Ok(header) => self.large_length = HEADER_BYTES + header.body_length,
                Err(error) => {
                    let Some(length) = error.length() else { return Err(error) };
                    self.skip =
                        length.checked_sub(self.large.len() as u64).ok_or_else(truncation)?;
                    return Ok(Step::Refused(consumed, error));
                }
            }
        }
        if self.large.len() > self.large_length {
            return Err(truncation());
        }
        if self.large.len() < self.large_length {
            return Ok(Step::Continue(consumed));
        }
        self.large_length = 0;
        Ok(Step::Found(consumed, FramePlace::Large))
    }

    /// Decodes the header of a frame, whose version must be the connection's.
    fn check_header(&self, bytes: &[u8], limit: usize) -> Result<FrameHeader, FrameError> {
        let header = bytes.first_chunk::<HEADER_BYTES>().ok_or_else(truncation)?;
        let [_, _, s0, s1, _, l0, l1, l2, l3] = *header;
        let stream = i16::from_be_bytes([s0, s1]);
        let body_length = i32::from_be_bytes([l0, l1, l2, l3]);
        let Ok(length) = u64::try_from(body_length).map(|length| length + HEADER_BYTES as u64)
        else {
            let message =
                format!("Invalid value for envelope header body length field: {body_length}");
            return Err(FrameError::corrupt(ErrorKind::Protocol, message));
        };
        match FrameHeader::decode(header, limit) {
            Ok(header) if header.version == self.version => Ok(header),
            Ok(header) => {
                // The server's text lacks a space, too.
                let message = format!(
                    "Invalid message version. Got {} but previousmessages on this connection had version {}",
                    header.version, self.version
                );
                Err(FrameError::Kind { stream, message, length })
            }
            Err(FrameError::Version(number)) => {
                let message = ProtocolVersion::refusal(number);
                Err(FrameError::Kind { stream, message, length })
            }
            Err(error) => Err(error),
        }
    }
}

/// The bytes of a payload that belong to a refused frame.
fn skip_length(error: &FrameError, available: usize) -> usize {
    let length = error.length().and_then(|length| usize::try_from(length).ok());
    length.unwrap_or(available).min(available)
}

/// Appends a decompressed payload; its length is at most that of a segment.
fn decompress(payload: &[u8], plain_length: usize, out: &mut Vec<u8>) -> Result<(), FrameError> {
    let start = out.len();
    out.resize(start + plain_length, 0);
    let target = out.get_mut(start..).unwrap_or_default();
    let count = compression::decompress_block(payload, target);
    count
        .filter(|count| *count == plain_length)
        .map(|_| ())
        .ok_or_else(|| FrameError::corrupt(ErrorKind::Server, "Malformed LZ4 input"))
}

/// The error for a frame that does not fit its segments.
fn truncation() -> FrameError {
    FrameError::corrupt(ErrorKind::Server, "java.io.IOException: Error decoding CQL Message")
}
