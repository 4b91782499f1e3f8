//! Cassandra's variable-length integers: the number of leading one bits of the first byte is the
//! number of bytes that follow.

/// Decodes an unsigned integer, with its length; `None` if the bytes end too early.
pub(super) fn read_unsigned(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let extra = first.leading_ones() as usize;
    let rest = bytes.get(1..=extra)?;
    let head = if extra >= 7 { 0 } else { u64::from(first) & (0xff >> extra) };
    let value = rest.iter().fold(head, |value, byte| value << 8 | u64::from(*byte));
    Some((value, extra + 1))
}

/// Decodes a signed integer (zigzag encoding).
pub(super) fn read_signed(bytes: &[u8]) -> Option<(i64, usize)> {
    let (value, length) = read_unsigned(bytes)?;
    Some(((value >> 1).cast_signed() ^ -((value & 1).cast_signed()), length))
}

/// The number of bytes that an unsigned integer needs.
pub(super) fn compute_unsigned_size(value: u64) -> usize {
    let bits = 64 - (value | 1).leading_zeros() as usize;
    ((bits - 1) / 7).min(8) + 1
}

/// Appends an unsigned integer.
pub(super) fn write_unsigned(out: &mut Vec<u8>, value: u64) {
    let extra = compute_unsigned_size(value) - 1;
    if extra >= 8 {
        out.push(0xff);
        out.extend(value.to_be_bytes());
        return;
    }
    let bytes = value.to_be_bytes();
    let start = 7 - extra;
    let marker = !(0xff_u8 >> extra);
    for (i, byte) in bytes.iter().skip(start).enumerate() {
        let byte = if i == 0 { byte | marker } else { *byte };
        out.push(byte);
    }
}

/// Appends a signed integer.
pub(super) fn write_signed(out: &mut Vec<u8>, value: i64) {
    write_unsigned(out, (value << 1 ^ value >> 63).cast_unsigned());
}

#[cfg(test)]
mod tests {
    use super::{read_signed, read_unsigned, write_signed, write_unsigned};

    #[test]
    fn both_ways_at_every_length() {
        for shift in 0..64 {
            for delta in -2_i64..=2 {
                let value = (1_i64 << shift).wrapping_add(delta);
                let mut out = Vec::new();
                write_signed(&mut out, value);
                assert_eq!(read_signed(&out), Some((value, out.len())));
                out.clear();
                write_unsigned(&mut out, value.cast_unsigned());
                assert_eq!(read_unsigned(&out), Some((value.cast_unsigned(), out.len())));
                assert_eq!(read_unsigned(&out[..out.len() - 1]), None);
            }
        }
    }
}
