//! Appends the notations of the protocol to a buffer.

use std::net::IpAddr;

/// The maximum length of a string in bytes.
const STRING_BYTES_MAX: usize = 0xFFFF;

pub(crate) fn short(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_be_bytes());
}

pub(crate) fn int(out: &mut Vec<u8>, value: i32) {
    out.extend(value.to_be_bytes());
}

/// Appends a count. Counts that exceed the field cannot occur.
pub(crate) fn count(out: &mut Vec<u8>, count: usize) {
    int(out, i32::try_from(count).unwrap_or(i32::MAX));
}

/// Appends a count in two bytes and returns it; of longer lists only the first 65,535 elements are
/// sent.
pub(crate) fn short_count(out: &mut Vec<u8>, count: usize) -> usize {
    let count = count.min(STRING_BYTES_MAX);
    short(out, u16::try_from(count).unwrap_or(u16::MAX));
    count
}

/// Appends a string preceded by its length in two bytes. Longer texts are cut at a character
/// boundary: a wrong length would corrupt the frame.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    let cut = if text.len() <= STRING_BYTES_MAX {
        text.len()
    } else {
        (0..=STRING_BYTES_MAX).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0)
    };
    short_bytes(out, text.as_bytes().get(..cut).unwrap_or_default());
}

pub(crate) fn short_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    let length = short_count(out, bytes.len());
    out.extend(bytes.get(..length).unwrap_or_default());
}

pub(crate) fn long_string(out: &mut Vec<u8>, text: &str) {
    bytes(out, Some(text.as_bytes()));
}

/// Appends bytes preceded by their length in four bytes; `None` is null.
pub(crate) fn bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        None => int(out, -1),
        Some(bytes) => {
            count(out, bytes.len());
            out.extend(bytes);
        }
    }
}

pub(crate) fn string_list<T: AsRef<str>>(out: &mut Vec<u8>, list: &[T]) {
    let count = short_count(out, list.len());
    for text in list.iter().take(count) {
        string(out, text.as_ref());
    }
}

/// Appends an address preceded by its length in one byte.
pub(crate) fn address(out: &mut Vec<u8>, address: IpAddr) {
    match address {
        IpAddr::V4(ip) => {
            out.push(4);
            out.extend(ip.octets());
        }
        IpAddr::V6(ip) => {
            out.push(16);
            out.extend(ip.octets());
        }
    }
}
