//! Hexadecimal encoding of bytes.

use std::fmt::Write;

/// Decodes an even number of hexadecimal digits of either case.
pub fn hex_to_bytes(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let nibble =
        |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    digits
        .chunks_exact(2)
        .map(|pair| Some(nibble(*pair.first()?)? << 4 | nibble(*pair.last()?)?))
        .collect()
}

/// Encodes bytes as lower-case digits.
pub fn bytes_to_hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}
