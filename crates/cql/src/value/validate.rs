//! The validation of serialised values.

use super::collection::{CollectionKind, validate_collection};
use super::duration::Duration;
use super::error::{ValueError, refuse};
use super::inet::validate_inet;
use super::text::{validate_ascii, validate_utf8};
use super::tuple::{validate_tuple, validate_user};
use super::uuid::{validate_timeuuid, validate_uuid};
use super::vector::validate_vector;
use crate::types::{NativeType, Type};

/// Whether bytes are a value of a type, by the server's validation.
pub fn validate(ty: &Type, bytes: &[u8]) -> Result<(), ValueError> {
    match ty {
        Type::Native(native) => validate_native(*native, bytes),
        Type::List(element, _) => validate_collection(CollectionKind::List, &[element], bytes),
        Type::Set(element, _) => validate_collection(CollectionKind::Set, &[element], bytes),
        Type::Map(entry, _) => {
            validate_collection(CollectionKind::Map, &[&entry.0, &entry.1], bytes)
        }
        Type::Tuple(types) => validate_tuple(types, bytes),
        Type::User(user, _) => validate_user(user, bytes),
        Type::Vector(element, dimension) => validate_vector(ty, element, *dimension, bytes),
        Type::Custom(_) => validate_custom(ty, bytes),
    }
}

fn validate_native(native: NativeType, bytes: &[u8]) -> Result<(), ValueError> {
    let length = bytes.len();
    let (valid, expected) = match native {
        NativeType::Ascii => return validate_ascii(bytes),
        NativeType::Text => return validate_utf8(bytes),
        NativeType::Blob | NativeType::Varint => return Ok(()),
        NativeType::Inet => return validate_inet(bytes),
        NativeType::Uuid => return validate_uuid(bytes),
        NativeType::Timeuuid => return validate_timeuuid(bytes),
        NativeType::Duration => return Duration::from_bytes(bytes).map(|_| ()),
        NativeType::Boolean => (length <= 1, "1 or 0 byte value"),
        NativeType::Tinyint => (length == 1, "1 byte for a tinyint"),
        NativeType::Smallint => (length == 2, "2 bytes for a smallint"),
        NativeType::Int => (matches!(length, 0 | 4), "4 or 0 byte int"),
        NativeType::Bigint | NativeType::Counter => (matches!(length, 0 | 8), "8 or 0 byte long"),
        NativeType::Float => (matches!(length, 0 | 4), "4 or 0 byte value for a float"),
        NativeType::Double => (matches!(length, 0 | 8), "8 or 0 byte value for a double"),
        NativeType::Decimal => (length == 0 || length >= 4, "0 or at least 4 bytes"),
        NativeType::Date => (length == 4, "4 byte long for date"),
        NativeType::Time => (length == 8, "8 byte long for time"),
        NativeType::Timestamp => (matches!(length, 0 | 8), "8 or 0 byte long for date"),
    };
    if valid { Ok(()) } else { refuse(format!("Expected {expected} ({length})")) }
}

/// Custom types without parameters are known; the bytes of others are accepted as they are.
fn validate_custom(ty: &Type, bytes: &[u8]) -> Result<(), ValueError> {
    match (ty.value_length_if_fixed(), bytes.len()) {
        (Some(0), 1..) => refuse("EmptyType only accept empty values"),
        (Some(8), _) => validate_native(NativeType::Timestamp, bytes),
        (Some(16), _) => validate_uuid(bytes),
        _ => Ok(()),
    }
}
