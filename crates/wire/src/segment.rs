//! Segments: the outer framing from version 5 on, with checksums around the frames. All numbers are
//! little-endian.
//!
//! ```text
//! | length 17 bits, self-contained 1 bit, padding 6 bits | CRC-24 | payload ... | CRC-32 |
//! | compressed length 17 bits, plain length 17 bits, self-contained 1 bit, padding 5 bits | CRC-24 |
//!     compressed payload ... | CRC-32 |
//! ```
//!
//! A self-contained segment holds whole frames. A frame that is longer than a segment is the content
//! of several segments that are not self-contained. With compression, a plain length of zero says
//! that the payload is not compressed.

use crate::checksum::{crc24, crc32};
use crate::compression::Compressor;
use crate::error::ErrorKind;
use crate::frame::FrameError;

/// The maximum length of a payload.
pub(crate) const PAYLOAD_BYTES_MAX: usize = 0x1_FFFF;
const LENGTH_BITS: u32 = 17;
const PLAIN_HEADER_BYTES: usize = 3;
const COMPRESSED_HEADER_BYTES: usize = 5;
const HEADER_CHECKSUM_BYTES: usize = 3;
const PAYLOAD_CHECKSUM_BYTES: usize = 4;

/// The start of a segment, whose checksum is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    /// The bytes before the payload.
    pub(crate) length: usize,
    /// The bytes of the payload.
    pub(crate) payload_length: usize,
    /// The bytes of the payload once it is decompressed; `None` if it is not compressed.
    pub(crate) plain_length: Option<usize>,
    /// Whether it holds whole frames.
    pub(crate) is_self_contained: bool,
}

impl SegmentHeader {
    /// Decodes the start of some bytes; `None` if bytes are missing.
    pub(crate) fn decode(input: &[u8], compressed: bool) -> Result<Option<Self>, FrameError> {
        let fields_length = if compressed { COMPRESSED_HEADER_BYTES } else { PLAIN_HEADER_BYTES };
        let length = fields_length + HEADER_CHECKSUM_BYTES;
        let (Some(fields), Some(checksum)) =
            (input.get(..fields_length), input.get(fields_length..length))
        else {
            return Ok(None);
        };
        check("header", number_of(checksum), u64::from(crc24(fields)))?;
        let number = number_of(fields);
        let mask = PAYLOAD_BYTES_MAX as u64;
        let field = |shift: u32| usize::try_from((number >> shift) & mask).unwrap_or_default();
        let flag_bit = if compressed { 2 * LENGTH_BITS } else { LENGTH_BITS };
        Ok(Some(Self {
            length,
            payload_length: field(0),
            plain_length: Some(field(LENGTH_BITS)).filter(|plain| compressed && *plain != 0),
            is_self_contained: (number >> flag_bit) & 1 == 1,
        }))
    }

    /// The bytes of the whole segment.
    pub(crate) fn total_length(&self) -> usize {
        self.length + self.payload_length + PAYLOAD_CHECKSUM_BYTES
    }

    /// The payload of a segment at the start of some bytes; `None` if bytes are missing.
    pub(crate) fn payload<'a>(&self, input: &'a [u8]) -> Result<Option<&'a [u8]>, FrameError> {
        let end = self.length + self.payload_length;
        let (Some(payload), Some(checksum)) =
            (input.get(self.length..end), input.get(end..self.total_length()))
        else {
            return Ok(None);
        };
        check("body", number_of(checksum), u64::from(crc32(payload)))?;
        Ok(Some(payload))
    }
}

fn check(part: &str, read: u64, computed: u64) -> Result<(), FrameError> {
    if read == computed {
        return Ok(());
    }
    // A server names the channel, and shows the numbers as signed.
    let signed = |number: u64| u32::try_from(number).unwrap_or_default().cast_signed();
    let message = format!(
        "connection invalid, unrecoverable CRC mismatch detected in frame {part}. Read {}, Computed {}",
        signed(read),
        signed(computed)
    );
    Err(FrameError::corrupt(ErrorKind::Protocol, message))
}

/// The number in at most eight little-endian bytes.
fn number_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The bytes of a number, the lowest first.
fn bytes_of(number: u64) -> [u8; 8] {
    let mut bytes = number.to_be_bytes();
    bytes.reverse();
    bytes
}

/// Appends a segment. The payload must not exceed [`PAYLOAD_BYTES_MAX`].
pub(crate) fn put(
    out: &mut Vec<u8>,
    payload: &[u8],
    is_self_contained: bool,
    compressor: Option<&mut Compressor>,
) {
    let start = out.len();
    let fields_length =
        if compressor.is_some() { COMPRESSED_HEADER_BYTES } else { PLAIN_HEADER_BYTES };
    let payload_start = start + fields_length + HEADER_CHECKSUM_BYTES;
    out.resize(payload_start, 0);
    let flag_bit = if compressor.is_some() { 2 * LENGTH_BITS } else { LENGTH_BITS };
    let is_compressed =
        compressor.and_then(|compressor| compressor.append_block(payload, out)).is_some();
    if !is_compressed {
        out.extend_from_slice(payload);
    }
    let length = (out.len() - payload_start) as u64;
    let plain_length = if is_compressed { payload.len() as u64 } else { 0 };
    let number = length | plain_length << LENGTH_BITS | u64::from(is_self_contained) << flag_bit;
    let header = bytes_of(number);
    let fields = header.get(..fields_length).unwrap_or_default();
    let checksum = bytes_of(u64::from(crc24(fields)));
    let header = fields.iter().chain(checksum.iter().take(HEADER_CHECKSUM_BYTES));
    for (target, byte) in out.iter_mut().skip(start).zip(header) {
        *target = *byte;
    }
    let checksum = crc32(out.get(payload_start..).unwrap_or_default());
    out.extend(bytes_of(u64::from(checksum)).into_iter().take(PAYLOAD_CHECKSUM_BYTES));
}
