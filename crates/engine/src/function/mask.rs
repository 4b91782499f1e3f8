//! Dynamic data masking: the masking functions, and the masks of columns.

use cql::types::{NativeType, Type};
use cql::value;
use schema::bind::function::{Function, SYSTEM};
use schema::catalog::Column;
use schema::refusal::{ComputationReason, ValueReason};

use super::{Computation, digest, failure};

/// Computes a masking function.
pub(super) fn mask(function: &Function, arguments: &[Option<&[u8]>]) -> Computation {
    let ty = function.arguments.first().unwrap_or(&function.returns);
    apply_mask(&function.name.name, ty, arguments)
}

/// The masked value of a column, for users without UNMASK; unchanged if the column has no mask.
pub(crate) fn mask_column(column: &Column, value: Option<&[u8]>) -> Computation {
    let Some(mask) = &column.mask else { return Ok(value.map(<[u8]>::to_vec)) };
    if &*mask.keyspace != SYSTEM {
        let (keyspace, function) = (mask.keyspace.to_string(), mask.function.to_string());
        return Err(failure::refusal(ComputationReason::JavaMask { keyspace, function }));
    }
    let arguments = mask.arguments.iter().map(|(_, value)| value.as_deref());
    let arguments: Vec<Option<&[u8]>> = std::iter::once(value).chain(arguments).collect();
    apply_mask(&mask.function, &column.ty, &arguments)
}

fn apply_mask(name: &str, ty: &Type, arguments: &[Option<&[u8]>]) -> Computation {
    match (name, arguments) {
        ("mask_null", _) => Ok(None),
        ("mask_default", _) => Ok(Some(default_mask(ty))),
        ("mask_replace", [_, replacement]) => Ok(replacement.map(<[u8]>::to_vec)),
        ("mask_hash", [value, algorithm @ ..]) => {
            hash(*value, algorithm.first().copied().flatten())
        }
        ("mask_inner" | "mask_outer", [value, begin, end, padding @ ..]) => {
            let padding = padding.first().copied().flatten();
            let padding = padding_character(name, padding)?;
            let bounds = (int(*begin), int(*end));
            let hidden = value.map(|text| mask_range(name == "mask_inner", text, bounds, padding));
            let is_ascii = *ty == Type::Native(NativeType::Ascii);
            Ok(hidden.map(|text| if is_ascii { to_ascii(&text) } else { text.into_bytes() }))
        }
        _ => Ok(None),
    }
}

/// The default masked value of a type.
fn default_mask(ty: &Type) -> Vec<u8> {
    let native = match ty {
        Type::Native(native) => *native,
        Type::List(..) | Type::Set(..) | Type::Map(..) => return vec![0; 4],
        Type::Tuple(_) | Type::User(..) => {
            let parts: Vec<_> = ty.parts().into_iter().map(|ty| Some(default_mask(ty))).collect();
            return value::join(ty, &parts).unwrap_or_default();
        }
        Type::Vector(element, dimension) => {
            let parts: Vec<_> = (0..*dimension).map(|_| Some(default_mask(element))).collect();
            return value::join(ty, &parts).unwrap_or_default();
        }
        Type::Custom(_) => return Vec::new(),
    };
    match native {
        NativeType::Ascii | NativeType::Text => b"****".to_vec(),
        NativeType::Blob => Vec::new(),
        NativeType::Boolean | NativeType::Tinyint | NativeType::Varint => vec![0],
        NativeType::Smallint => vec![0; 2],
        NativeType::Duration => vec![0; 3],
        NativeType::Date => vec![0x80, 0, 0, 0],
        NativeType::Decimal => vec![0; 5],
        NativeType::Int | NativeType::Float | NativeType::Inet => vec![0; 4],
        NativeType::Uuid => vec![0; 16],
        NativeType::Timeuuid => {
            // The smallest time-based UUID of 1970.
            let mut id = vec![0x13, 0x81, 0x40, 0x00, 0x1d, 0xd2, 0x11, 0xb2];
            id.resize(16, 0x80);
            id
        }
        NativeType::Bigint
        | NativeType::Counter
        | NativeType::Double
        | NativeType::Time
        | NativeType::Timestamp => vec![0; 8],
    }
}

fn hash(value: Option<&[u8]>, algorithm: Option<&[u8]>) -> Computation {
    let algorithm = algorithm.map_or("SHA-256".into(), String::from_utf8_lossy);
    // The server looks up the algorithm before it checks the value.
    match digest::digest(&algorithm, value.unwrap_or_default()) {
        Some(hash) => Ok(value.map(|_| hash)),
        None => Err(failure::refusal(ValueReason::MaskDigest { name: algorithm.into_owned() })),
    }
}

fn int(bytes: Option<&[u8]>) -> i32 {
    bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_be_bytes)
}

/// The padding character, as a UTF-16 code unit as in Java.
fn padding_character(name: &str, padding: Option<&[u8]>) -> Result<u16, Box<schema::Refusal>> {
    let Some(bytes) = padding else { return Ok(u16::from(b'*')) };
    let text = String::from_utf8_lossy(bytes);
    match text.encode_utf16().collect::<Vec<u16>>()[..] {
        [padding] => Ok(padding),
        ref other => Err(failure::refusal(ValueReason::MaskPadding {
            function: format!("{SYSTEM}.{name}"),
            text: text.into_owned(),
            count: other.len(),
        })),
    }
}

/// Masks the characters between the first and the last ones, or these.
fn mask_range(is_inner: bool, text: &[u8], (begin, end): (i32, i32), padding: u16) -> String {
    let text = String::from_utf8_lossy(text);
    let mut characters: Vec<u16> = text.encode_utf16().collect();
    let length = i32::try_from(characters.len()).unwrap_or(i32::MAX);
    let last = length.wrapping_sub(1).wrapping_sub(end);
    for (at, character) in (0_i32..).zip(&mut characters) {
        let is_inside = at >= begin && at <= last;
        if is_inside == is_inner {
            *character = padding;
        }
    }
    // Half of a surrogate pair is printed as a question mark.
    let decoded = char::decode_utf16(characters).map(|c| c.unwrap_or('?'));
    decoded.collect()
}

/// Encodes ASCII; other characters become question marks.
fn to_ascii(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b'?')).collect()
}
