//! The outer framing of protocol v5: checked segments of at most 128 KiB around the frames.
//!
//! ```text
//! | length 17 bits, self-contained 1 bit, zero 6 bits | crc24 | payload ... | crc32 |     all little-endian
//! ```

use std::io::{self, Read};

use super::bytes::format_error;

const PAYLOAD_BYTES_MAX: usize = 0x1_FFFF;
const SELF_CONTAINED: u32 = 1 << 17;

/// What has been received and not yet read.
#[derive(Default)]
pub(super) struct SegmentReader {
    pending: Vec<u8>,
    read: usize,
}

impl SegmentReader {
    /// Fills the target from the payloads, receiving segments as needed.
    pub(super) fn read_exact(
        &mut self,
        stream: &mut impl Read,
        target: &mut [u8],
    ) -> io::Result<()> {
        let mut filled = 0;
        while filled < target.len() {
            if self.read == self.pending.len() {
                self.pending = receive(stream)?;
                self.read = 0;
            }
            let count = (target.len() - filled).min(self.pending.len() - self.read);
            target[filled..filled + count]
                .copy_from_slice(&self.pending[self.read..self.read + count]);
            filled += count;
            self.read += count;
        }
        Ok(())
    }
}

/// Puts a frame in as many segments as it takes.
pub(super) fn wrap(frame: &[u8]) -> Vec<u8> {
    let flag = if frame.len() <= PAYLOAD_BYTES_MAX { SELF_CONTAINED } else { 0 };
    let mut out = Vec::new();
    for payload in frame.chunks(PAYLOAD_BYTES_MAX) {
        let length = u32::try_from(payload.len()).expect("at most 17 bits");
        let header = to_little_endian(length | flag);
        out.extend(&header[..3]);
        out.extend(&to_little_endian(crc24(&header[..3]))[..3]);
        out.extend(payload);
        out.extend(to_little_endian(crc32(payload)));
    }
    out
}

fn receive(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    // Both halves are three bytes; the fourth stays zero.
    let (mut header, mut check) = ([0; 4], [0; 4]);
    stream.read_exact(&mut header[..3])?;
    stream.read_exact(&mut check[..3])?;
    if crc24(&header[..3]) != from_little_endian(check) {
        return Err(format_error("a segment's header fails its check"));
    }
    let length = from_little_endian(header) as usize & PAYLOAD_BYTES_MAX;
    let mut payload = vec![0; length];
    stream.read_exact(&mut payload)?;
    let mut trailer = [0; 4];
    stream.read_exact(&mut trailer)?;
    if crc32(&payload) == from_little_endian(trailer) {
        Ok(payload)
    } else {
        Err(format_error("a segment's payload fails its check"))
    }
}

#[expect(clippy::little_endian_bytes, reason = "segments are little-endian")]
fn to_little_endian(value: u32) -> [u8; 4] {
    value.to_le_bytes()
}

#[expect(clippy::little_endian_bytes, reason = "segments are little-endian")]
fn from_little_endian(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

fn crc24(bytes: &[u8]) -> u32 {
    let mut crc = 0x0087_5060;
    for byte in bytes {
        crc ^= u32::from(*byte) << 16;
        for _ in 0..8 {
            crc <<= 1;
            if crc & 0x0100_0000 != 0 {
                crc ^= 0x0197_4F0B;
            }
        }
    }
    crc
}

/// The usual CRC-32, over four fixed bytes and then the payload.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in [0xFA, 0x2D, 0x55, 0xCA].iter().chain(bytes) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let carry = crc & 1 != 0;
            crc >>= 1;
            if carry {
                crc ^= 0xEDB8_8320;
            }
        }
    }
    !crc
}
