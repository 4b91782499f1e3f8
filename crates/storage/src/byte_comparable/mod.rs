//! Byte-comparable encodings (Cassandra's `ByteComparable`): comparing two encodings byte by byte
//! is comparing the values.
//!
//! ```text
//!   int 300        82 01 2c           the number of bytes, then the significant ones
//!   int -2         7e fe
//!   text 'ab'      61 62 00           the bytes, with 00 and 01 escaped, then a terminator
//!   uuid           40 ..              the version first, then the rest
//!   tuple (1, null, 2)                04 81 01  03  04 81 02  02
//!   empty value    00                 sorts first for every type (two bytes for floats)
//! ```
//!
//! Encodings are prefix-free: none is the start of another of the same type. So they can be
//! concatenated, and the result is ordered like the sequence of values. Values that compare equal
//! (`1.0` and `1.00`) have the same encoding, which therefore cannot be decoded. Invalid values
//! have an encoding too, in an arbitrary order.

mod composite;
mod decimal;
mod number;
#[cfg(test)]
mod tests;
mod uuid;

use cql::types::{NativeType, Type};

/// The encoding of an empty value.
const EMPTY: u8 = 0x00;

/// Appends the encoding of a value in the ascending order of its type.
pub fn encode(ty: &Type, value: &[u8], out: &mut Vec<u8>) {
    match ty {
        Type::Native(native) => encode_native(*native, value, out),
        Type::List(..) | Type::Set(..) | Type::Map(..) => {
            composite::encode_collection(ty, value, out);
        }
        Type::Tuple(_) | Type::User(..) => composite::encode_tuple(ty, value, out),
        Type::Vector(element, _) => composite::encode_vector(ty, element, value, out),
        Type::Custom(_) if ty.value_length_if_fixed() == Some(16) => {
            uuid::encode_lexical(value, out);
        }
        Type::Custom(_) => encode_bytes(value, out),
    }
}

/// Appends the encoding of a value in the descending order of its type: the ascending one with all
/// bits inverted.
pub(crate) fn encode_reversed(ty: &Type, value: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    encode(ty, value, out);
    invert(out, start);
}

fn encode_native(native: NativeType, value: &[u8], out: &mut Vec<u8>) {
    match native {
        NativeType::Ascii
        | NativeType::Blob
        | NativeType::Duration
        | NativeType::Inet
        | NativeType::Text => encode_bytes(value, out),
        NativeType::Int => number::encode_fixed(value, out, i32::from_be_bytes),
        NativeType::Bigint | NativeType::Counter | NativeType::Timestamp => {
            number::encode_fixed(value, out, i64::from_be_bytes);
        }
        NativeType::Smallint => number::encode_fixed(value, out, i16::from_be_bytes),
        NativeType::Tinyint => number::encode_fixed(value, out, i8::from_be_bytes),
        NativeType::Date => number::encode_fixed(value, out, u32::from_be_bytes),
        NativeType::Time => number::encode_time(value, out),
        NativeType::Varint => number::encode_varint(value, out),
        NativeType::Decimal => decimal::encode_decimal(value, out),
        NativeType::Double => number::encode_double(value, out),
        NativeType::Float => number::encode_float(value, out),
        NativeType::Uuid => uuid::encode_uuid(value, out),
        NativeType::Timeuuid => uuid::encode_timeuuid(value, out),
        NativeType::Boolean => out.push(match value.first() {
            None => EMPTY,
            Some(0) => 0x01,
            Some(_) => 0x02,
        }),
    }
}

/// Appends bytes in their own order: `00` becomes `01 01`, `01` becomes `01 02`, and `00`
/// terminates them.
fn encode_bytes(value: &[u8], out: &mut Vec<u8>) {
    out.reserve(value.len() + 1);
    // The fold looks at all bytes without stopping early, which lets the compiler vectorise it.
    let lowest = value.iter().fold(0xff, |lowest, byte| (*byte).min(lowest));
    if lowest > 0x01 {
        out.extend_from_slice(value);
    } else {
        for byte in value {
            match byte {
                0x00 | 0x01 => out.extend_from_slice(&[0x01, byte + 1]),
                other => out.push(*other),
            }
        }
    }
    out.push(EMPTY);
}

/// Inverts all bits from an offset on.
fn invert(out: &mut [u8], start: usize) {
    for byte in out.iter_mut().skip(start) {
        *byte = !*byte;
    }
}
