//! Composite values: collections, tuples, user types, vectors.
//!
//! Every component is preceded by a marker, and the last one is followed by a terminator that sorts
//! before any marker, so that a user type may gain fields without changing stored encodings.

use cql::types::Type;
use cql::value::split;

use super::{EMPTY, encode, encode_bytes};

/// Marks bytes that cannot be split into components; they follow as they are. (A collection with a
/// negative count is one; it sorts by these bytes.)
const INVALID: u8 = 0x01;
const END: u8 = 0x02;
const NULL: u8 = 0x03;
const PART: u8 = 0x04;

/// Appends a list, set or map: by its elements, then by their number. Null elements sort as empty
/// ones.
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

/// Appends a tuple or a user type: null sorts first, and a missing component is null.
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

/// Appends a vector: the encodings of its elements.
pub(super) fn encode_vector(ty: &Type, element: &Type, value: &[u8], out: &mut Vec<u8>) {
    let Some(parts) = split_parts(ty, value, out) else { return };
    out.push(PART);
    for part in parts {
        encode(element, part.unwrap_or_default(), out);
    }
}

/// The components of a value; `None` if it has none that can be split, when the encoding is
/// complete.
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
