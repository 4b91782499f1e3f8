//! [`Framing`]: how the frames of a connection are put on the wire, and [`FrameEncoder`], which does
//! it.

use crate::compression::{Compression, Compressor};
use crate::frame::{self, Frame, FrameError, HEADER_BYTES};
use crate::protocol_version::ProtocolVersion;
use crate::segment::{self, PAYLOAD_BYTES_MAX};

/// Shorter bodies are not compressed.
const COMPRESSED_BODY_BYTES_MIN: usize = 64;

/// The memory that the buffers of an idle connection keep.
pub(crate) const IDLE_BYTES: usize = 16 * 1024;

/// How frames are put on the wire. The default is that of a new connection: frames as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Framing {
    pub(crate) version: Option<ProtocolVersion>,
    pub(crate) compression: Option<Compression>,
}

impl Framing {
    /// The framing after a successful STARTUP of this version. The response to STARTUP, READY or
    /// AUTHENTICATE, is still sent as it is.
    pub fn new(version: ProtocolVersion, compression: Option<Compression>) -> Self {
        Self { version: Some(version), compression }
    }

    /// Whether frames are sent in segments.
    pub fn has_segments(self) -> bool {
        self.version.is_some_and(ProtocolVersion::has_segments)
    }

    /// Whether frames are sent as they are.
    pub fn is_plain(self) -> bool {
        !self.has_segments() && self.compression.is_none()
    }
}

/// The result of [`FrameDecoder::decode`](crate::FrameDecoder::decode).
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The number of bytes at the start of the input that are no longer needed after this frame; the
    /// next input begins behind them.
    pub consumed: usize,
    /// The next frame, never compressed; `None` if bytes are missing.
    pub frame: Result<Option<Frame<'a>>, FrameError>,
}

/// Puts the frames of a connection into its framing.
#[derive(Default)]
pub struct FrameEncoder {
    framing: Framing,
    compressor: Option<Compressor>,
}

impl FrameEncoder {
    /// An encoder for a framing.
    pub fn new(framing: Framing) -> Self {
        Self { framing, compressor: framing.compression.map(Compressor::new) }
    }

    /// The framing.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Appends whole frames, as [`Response::encode`](crate::Response::encode) and
    /// [`Request::encode`](crate::Request::encode) write them, in their framing. With segments,
    /// frames that are passed together share one.
    pub fn encode_into(&mut self, frames: &[u8], out: &mut Vec<u8>) {
        if self.framing.has_segments() {
            self.append_segments(frames, out);
        } else if let Some(compressor) = &mut self.compressor {
            append_compressed(compressor, frames, out);
        } else {
            out.extend_from_slice(frames);
        }
    }

    fn append_segments(&mut self, frames: &[u8], out: &mut Vec<u8>) {
        let mut rest = frames;
        while !rest.is_empty() {
            let group = match group_length(rest) {
                0 => frame_length(rest),
                length => length,
            };
            let (payload, tail) = rest.split_at_checked(group).unwrap_or((rest, &[]));
            let is_self_contained = payload.len() <= PAYLOAD_BYTES_MAX;
            for part in payload.chunks(PAYLOAD_BYTES_MAX) {
                segment::put(out, part, is_self_contained, self.compressor.as_mut());
            }
            rest = tail;
        }
    }
}

/// The length of the frames that fit into one segment; 0 if the first does not.
fn group_length(frames: &[u8]) -> usize {
    if frames.len() <= PAYLOAD_BYTES_MAX {
        return frames.len();
    }
    let mut length = 0;
    loop {
        let next = length + frame_length(frames.get(length..).unwrap_or_default());
        if next > PAYLOAD_BYTES_MAX || next == length {
            return length;
        }
        length = next;
    }
}

/// The length of the first frame.
fn frame_length(frames: &[u8]) -> usize {
    let Some([.., l0, l1, l2, l3]) = frames.first_chunk::<HEADER_BYTES>() else {
        return frames.len();
    };
    let body = u32::from_be_bytes([*l0, *l1, *l2, *l3]) as usize;
    frames.len().min(HEADER_BYTES.saturating_add(body))
}

/// Appends frames with their bodies compressed, where that makes them shorter.
fn append_compressed(compressor: &mut Compressor, frames: &[u8], out: &mut Vec<u8>) {
    let mut rest = frames;
    while let Some((header, _)) = rest.split_first_chunk::<HEADER_BYTES>() {
        let (whole, tail) = rest.split_at_checked(frame_length(rest)).unwrap_or((rest, &[]));
        let body = whole.get(HEADER_BYTES..).unwrap_or_default();
        let [first, flags, s0, s1, opcode, ..] = *header;
        let start = out.len();
        out.extend([first, flags | frame::COMPRESSED, s0, s1, opcode, 0, 0, 0, 0]);
        let length = if body.len() < COMPRESSED_BODY_BYTES_MIN {
            None
        } else {
            compressor.append_body(body, out).and_then(|length| u32::try_from(length).ok())
        };
        if let Some(length) = length {
            if let Some(field) = out.get_mut(start + HEADER_BYTES - 4..start + HEADER_BYTES) {
                field.copy_from_slice(&length.to_be_bytes());
            }
        } else {
            out.truncate(start);
            out.extend_from_slice(whole);
        }
        rest = tail;
    }
}
