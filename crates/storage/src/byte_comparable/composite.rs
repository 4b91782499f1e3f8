//! Values that hold values: collections, tuples, user types, vectors.
//!
//! Every part stands behind a mark and the last one is followed by an end that sorts before any mark, so that a user type
//! may gain fields without a change to what is stored.

use cql::types::Type;
use cql::value::split;

use super::{EMPTY, encode, encode_bytes};

/// Bytes that cannot be taken apart follow as they are. (A collection of a negative count is such; they sort by it.)
const INVALID: u8 = 0x01;
const END: u8 = 0x02;
const NULL: u8 = 0x03;
const PART: u8 = 0x04;

/// Appends a list, set or map: by its elements, then by their number. Null elements sort as no bytes.
pub(super) fn encode_collection(ty: &Type, value: &[u8], out: &mut Vec<u8>) {
    let Some(parts) = split_parts(ty, value, out) else { return };
    let types = ty.parts();
    for element in parts.chunks(types.len().max(1)) {
        out.push(PART);
        for (part, ty) in element.iter().zip(&types) {
            encode(ty, part.unwrap_or_default(), out);
        }
    }
    out.push(END);
}

/// Appends a tuple or a user type: null sorts first and a missing part is null.
pub(super) fn encode_tuple(ty: &Type, value: &[u8], out: &mut Vec<u8>) {
    let Some(parts) = split_parts(ty, value, out) else { return };
    let present = parts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    for (part, ty) in parts.into_iter().take(present).zip(ty.parts()) {
        match part {
            Some(part) => {
                out.push(PART);
                encode(ty, part, out);
            }
            None => out.push(NULL),
        }
    }
    out.push(END);
}

/// Appends a vector: its elements side by side.
pub(super) fn encode_vector(ty: &Type, element: &Type, value: &[u8], out: &mut Vec<u8>) {
    let Some(parts) = split_parts(ty, value, out) else { return };
    out.push(PART);
    for part in parts {
        encode(element, part.unwrap_or_default(), out);
    }
}

/// The parts of a value; where there are none to speak of, the encoding is complete.
fn split_parts<'a>(ty: &Type, value: &'a [u8], out: &mut Vec<u8>) -> Option<Vec<Option<&'a [u8]>>> {
    if value.is_empty() {
        out.push(EMPTY);
        return None;
    }
    if let Ok(parts) = split(ty, value) {
        return Some(parts);
    }
    out.push(INVALID);
    encode_bytes(value, out);
    None
}
