//! [`FrameDecoder`]: finds the frames of a connection in received bytes.

use crate::compression::Compression;
use crate::frame::{self, DecodedFrame, Frame, FrameError};
use crate::frame_layer::{Decoded, Framing, IDLE_BYTES};
use crate::segment_decoder::SegmentDecoder;

/// Decodes the frames of a connection.
pub struct FrameDecoder {
    limit: usize,
    plain: PlainDecoder,
    /// Used in place of the other once the connection sends segments.
    segments: Option<SegmentDecoder>,
}

impl FrameDecoder {
    /// A decoder for a new connection, whose frames must not be longer than the limit.
    pub fn new(limit: usize) -> Self {
        Self { limit, plain: PlainDecoder::default(), segments: None }
    }

    /// Sets the framing of the bytes that follow, after STARTUP.
    pub fn set_framing(&mut self, framing: Framing) {
        self.plain.compression = framing.compression;
        self.segments = SegmentDecoder::new(framing);
    }

    /// Sets the maximum length of the frames that follow.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Releases the memory of long frames, so that idle connections stay small.
    pub fn shrink(&mut self) {
        self.plain.body.clear();
        self.plain.body.shrink_to(IDLE_BYTES);
        if let Some(segments) = &mut self.segments {
            segments.shrink();
        }
    }

    /// Whether a part of a frame was consumed, and more of it must follow.
    pub fn has_partial_frame(&self) -> bool {
        match &self.segments {
            Some(segments) => segments.has_partial_frame(),
            None => self.plain.skip > 0,
        }
    }

    /// The bytes that it holds of a frame of which more must follow.
    pub fn partial_bytes(&self) -> usize {
        self.segments.as_ref().map_or(0, SegmentDecoder::partial_bytes)
    }

    /// Decodes the next frame.
    pub fn decode<'a>(&'a mut self, input: &'a [u8]) -> Decoded<'a> {
        match &mut self.segments {
            Some(segments) => segments.decode(input, self.limit),
            None => self.plain.decode(input, self.limit),
        }
    }
}

/// Decodes the frames of a connection that sends them as they are, or with compressed bodies.
#[derive(Default)]
struct PlainDecoder {
    compression: Option<Compression>,
    /// The bytes still to come of a frame that was refused.
    skip: u64,
    /// A decompressed body.
    body: Vec<u8>,
}

impl PlainDecoder {
    fn decode<'a>(&'a mut self, input: &'a [u8], limit: usize) -> Decoded<'a> {
        let skipped = self.skip_refused(input.len());
        let rest = input.get(skipped..).unwrap_or_default();
        match frame::decode(rest, limit) {
            DecodedFrame::Frame(frame, length) => {
                let frame = self.decompress(frame, limit).map(Some);
                Decoded { consumed: skipped + length, frame }
            }
            DecodedFrame::Incomplete { .. } => Decoded { consumed: skipped, frame: Ok(None) },
            DecodedFrame::Refused(error) => {
                let consumed = match error.length() {
                    Some(length) => {
                        self.skip = length;
                        skipped + self.skip_refused(rest.len())
                    }
                    None => input.len(),
                };
                Decoded { consumed, frame: Err(error) }
            }
        }
    }

    /// The number of received bytes that belong to a frame that was refused.
    fn skip_refused(&mut self, received: usize) -> usize {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(received);
        self.skip -= skipped as u64;
        skipped
    }

    fn decompress<'a>(
        &'a mut self,
        frame: Frame<'a>,
        limit: usize,
    ) -> Result<Frame<'a>, FrameError> {
        match self.compression {
            Some(compression) if frame.flags & frame::COMPRESSED != 0 => {
                compression
                    .decompress_body(frame.body, &mut self.body, limit)
                    .map_err(FrameError::Body)?;
                Ok(Frame { flags: frame.flags & !frame::COMPRESSED, body: &self.body, ..frame })
            }
            _ => Ok(frame),
        }
    }
}
