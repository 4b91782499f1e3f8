//! Strings: which bytes the server accepts as UTF-8 and ASCII.

use super::error::{ValueError, refuse};
use crate::hex::bytes_to_hex;

/// Validates UTF-8 as the server does. It is more lenient than the standard: it accepts surrogates,
/// the two-byte zero, and some second bytes without the continuation bits.
pub(super) fn validate_utf8(bytes: &[u8]) -> Result<(), ValueError> {
    if std::str::from_utf8(bytes).is_ok() || is_loose_utf8(bytes) {
        return Ok(());
    }
    refuse("String didn't validate.")
}

fn is_loose_utf8(bytes: &[u8]) -> bool {
    let continuation = |byte: u8| byte & 0xc0 == 0x80;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return true,
            [0x00..=0x7f, tail @ ..] | [0xc0, 0x80, tail @ ..] => tail,
            [0xc2..=0xdf, b, tail @ ..] if continuation(*b) => tail,
            [0xe0, b, c, tail @ ..] if b & 0xe0 != 0x80 && continuation(*c) => tail,
            [0xe1..=0xef, b, c, tail @ ..] if continuation(*b) && continuation(*c) => tail,
            [0xf0, b, c, d, tail @ ..] if b & 0x30 != 0 && continuation(*c) && continuation(*d) => {
                tail
            }
            [0xf1..=0xf7, b, c, d, tail @ ..]
                if [b, c, d].into_iter().all(|byte| continuation(*byte)) =>
            {
                tail
            }
            _ => return false,
        };
    }
}

/// Validates bytes of seven bits.
pub(super) fn validate_ascii(bytes: &[u8]) -> Result<(), ValueError> {
    match bytes.iter().find(|byte| !byte.is_ascii()) {
        Some(byte) => refuse(format!("Invalid byte for ascii: {}", byte.cast_signed())),
        None => Ok(()),
    }
}

/// The bytes of an ASCII literal.
pub(super) fn parse_ascii(text: &str) -> Result<Vec<u8>, ValueError> {
    match text.chars().find(|c| !c.is_ascii()) {
        Some(c) => refuse(format!(
            "Invalid ASCII character in string literal: java.nio.charset.UnmappableCharacterException: Input length = {}",
            c.len_utf16()
        )),
        None => Ok(text.as_bytes().to_vec()),
    }
}

/// Decodes validated bytes; those that are UTF-8 only to the server are an error.
pub(super) fn decode_text(bytes: &[u8], charset: &str) -> Result<String, ValueError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => refuse(format!("Invalid {charset} bytes {}", bytes_to_hex(bytes))),
    }
}

/// A string literal.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
