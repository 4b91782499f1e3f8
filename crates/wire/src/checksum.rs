//! The checksums of segments: CRC-24 of headers, CRC-32 of payloads.

const CRC24_START: u32 = 0x0087_5060;
const CRC24_POLYNOMIAL: u32 = 0x0197_4F0B;
/// The bytes that the protocol puts before a payload when its CRC-32 is computed.
const CRC32_START: [u8; 4] = [0xFA, 0x2D, 0x55, 0xCA];

const CRC24_TABLE: [u32; 256] = crc24_table();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler; an error stops the build")]
#[expect(clippy::cast_possible_truncation, reason = "the index is below 256")]
const fn crc24_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < table.len() {
        let mut crc = (index as u32) << 16;
        let mut bit = 0;
        while bit < 8 {
            crc <<= 1;
            if crc & 0x0100_0000 != 0 {
                crc ^= CRC24_POLYNOMIAL;
            }
            bit += 1;
        }
        table[index] = crc;
        index += 1;
    }
    table
}

/// The CRC-24 of a segment's header.
pub(crate) fn crc24(header: &[u8]) -> u32 {
    header.iter().fold(CRC24_START, |crc, byte| {
        let index = ((crc >> 16) ^ u32::from(*byte)) & 0xFF;
        let step = CRC24_TABLE.get(index as usize).copied().unwrap_or_default();
        ((crc << 8) ^ step) & 0x00FF_FFFF
    })
}

/// The CRC-32 of a segment's payload.
pub(crate) fn crc32(payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&CRC32_START);
    hasher.update(payload);
    hasher.finalize()
}
