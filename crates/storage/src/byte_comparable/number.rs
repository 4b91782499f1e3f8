//! Integers and floating-point numbers.
//!
//! An integer is a byte with its sign and the number of bytes that follow, then the bytes without
//! redundant sign bytes:
//!
//! ```text
//!   00         empty value       77 .. 7f   negative, 8 .. 0 bytes follow
//!   01         invalid           80 .. 88   not negative, 0 .. 8 bytes follow
//!   02         very negative     fd         very large
//! ```

use super::{EMPTY, encode_bytes, invert};

/// Marks bytes that are not a number.
const INVALID: u8 = 0x01;
/// A negative number of more than [`SHORT`] bytes; the count of them follows, inverted.
const LONG_NEGATIVE: u8 = 0x02;
/// The number -1: nothing follows.
const MINUS_ONE: u8 = 0x7f;
/// Zero: nothing follows.
const ZERO: u8 = 0x80;
/// A number of more than [`SHORT`] bytes; the count of them follows.
const LONG: u8 = 0xfd;
/// Numbers of up to this many bytes have their length in the first byte.
const SHORT: usize = 100;

/// Appends a number of a fixed width.
pub(super) fn encode_fixed<const N: usize, I: Into<i64>>(
    value: &[u8],
    out: &mut Vec<u8>,
    read: fn([u8; N]) -> I,
) {
    match value.try_into() {
        Ok(bytes) => encode_integer(read(bytes).into(), out),
        Err(_) => encode_invalid(value, out),
    }
}

/// Appends a time of day. Times outside the day are compared as unsigned bytes.
pub(super) fn encode_time(value: &[u8], out: &mut Vec<u8>) {
    match value.try_into() {
        Ok(bytes) => encode_natural(u64::from_be_bytes(bytes), out),
        Err(_) => encode_invalid(value, out),
    }
}

/// Appends an empty value, which sorts first, or bytes of a wrong length.
fn encode_invalid(value: &[u8], out: &mut Vec<u8>) {
    if value.is_empty() {
        out.push(EMPTY);
    } else {
        out.push(INVALID);
        encode_bytes(value, out);
    }
}

/// Appends a 64-bit integer.
pub(super) fn encode_integer(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        let start = out.len();
        encode_natural(!value.cast_unsigned(), out);
        invert(out, start);
    } else {
        encode_natural(value.cast_unsigned(), out);
    }
}

fn encode_natural(value: u64, out: &mut Vec<u8>) {
    let unused = value.leading_zeros() / 8;
    let mut bytes = [0; 9];
    let [first, digits @ ..] = &mut bytes;
    *digits = (value << (unused * 8 % 64)).to_be_bytes();
    let count = 8 - unused;
    *first = ZERO + u8::try_from(count).unwrap_or(0);
    out.extend_from_slice(bytes.get(..=count as usize).unwrap_or_default());
}

/// Appends an integer of arbitrary length.
pub(super) fn encode_varint(value: &[u8], out: &mut Vec<u8>) {
    let Some(first) = value.first() else { return out.push(EMPTY) };
    let negative = first.cast_signed() < 0;
    let sign = if negative { 0xff } else { 0x00 };
    let skipped = value.iter().take_while(|byte| **byte == sign).count();
    let digits = value.get(skipped..).unwrap_or_default();
    match (u8::try_from(digits.len()), negative) {
        (Ok(count), true) if digits.len() <= SHORT => out.push(MINUS_ONE - count),
        (Ok(count), false) if digits.len() <= SHORT => out.push(ZERO + count),
        (_, true) => {
            out.push(LONG_NEGATIVE);
            out.extend_from_slice(&(!(digits.len() as u64)).to_be_bytes());
        }
        (_, false) => {
            out.push(LONG);
            out.extend_from_slice(&(digits.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(digits);
}

/// Appends a double in Java's order: -0 before 0, and a single NaN after all numbers.
pub(super) fn encode_double(value: &[u8], out: &mut Vec<u8>) {
    let Some(bytes) = value.first_chunk() else { return encode_empty_float(out) };
    let bits = match f64::from_be_bytes(*bytes) {
        number if number.is_nan() => f64::NAN.to_bits() & (u64::MAX >> 1),
        number => number.to_bits(),
    };
    let sign = 1 << 63;
    let ordered = if bits & sign == 0 { bits | sign } else { !bits };
    out.extend_from_slice(&ordered.to_be_bytes());
}

/// Appends a float in the same order.
pub(super) fn encode_float(value: &[u8], out: &mut Vec<u8>) {
    let Some(bytes) = value.first_chunk() else { return encode_empty_float(out) };
    let bits = match f32::from_be_bytes(*bytes) {
        number if number.is_nan() => f32::NAN.to_bits() & (u32::MAX >> 1),
        number => number.to_bits(),
    };
    let sign = 1 << 31;
    let ordered = if bits & sign == 0 { bits | sign } else { !bits };
    out.extend_from_slice(&ordered.to_be_bytes());
}

/// Appends an empty float: it sorts before negative infinity, whose second byte is not zero.
fn encode_empty_float(out: &mut Vec<u8>) {
    out.extend_from_slice(&[EMPTY, 0x00]);
}
