//! UUIDs, which nearly always take 16 bytes here too.

use super::EMPTY;

/// Escapes a first byte of 00 or 01; 00 alone is an empty value.
const ESCAPE: u8 = 0x01;

/// Appends a `uuid`: by version, then by time for version 1 and by bytes for all others, then by
/// the low half.
pub(super) fn encode_uuid(value: &[u8], out: &mut Vec<u8>) {
    let Some((high, low)) = split_halves(value) else { return out.push(EMPTY) };
    let version = high >> 12 & 0x0f;
    let ordered = if version == 1 {
        reorder_timestamp(high)
    } else {
        version << 60 | high >> 4 & 0x0fff_ffff_ffff_f000 | high & 0x0fff
    };
    push_uuid(ordered, low, out);
}

/// Appends a `timeuuid`: by time, then by the signed bytes of the low half.
pub(super) fn encode_timeuuid(value: &[u8], out: &mut Vec<u8>) {
    let Some((high, low)) = split_halves(value) else { return out.push(EMPTY) };
    push_uuid(reorder_timestamp(high) ^ 1 << 63, low ^ 0x8080_8080_8080_8080, out);
}

/// Appends a UUID in Java's order: both halves as signed numbers.
pub(super) fn encode_lexical(value: &[u8], out: &mut Vec<u8>) {
    let Some((high, low)) = split_halves(value) else { return out.push(EMPTY) };
    push_uuid(high ^ 1 << 63, low ^ 1 << 63, out);
}

fn split_halves(value: &[u8]) -> Option<(u64, u64)> {
    let bytes: [u8; 16] = value.try_into().ok()?;
    let both = u128::from_be_bytes(bytes);
    Some((u64::try_from(both >> 64).ok()?, u64::try_from(both & u128::from(u64::MAX)).ok()?))
}

/// The version, then the time from its highest bits to its lowest.
fn reorder_timestamp(high: u64) -> u64 {
    high << 48 | high << 16 & 0xffff_0000_0000 | high >> 32
}

fn push_uuid(high: u64, low: u64, out: &mut Vec<u8>) {
    if high >> 57 == 0 {
        out.push(ESCAPE);
    }
    out.extend_from_slice(&high.to_be_bytes());
    out.extend_from_slice(&low.to_be_bytes());
}
