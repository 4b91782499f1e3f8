//! The decoding of serialised values.

use num_bigint::BigInt;

use super::collection::{CollectionKind, CollectionReader};
use super::decimal::Decimal;
use super::error::ValueError;
use super::inet::decode_inet;
use super::text::decode_text;
use super::validate::validate;
use super::{Duration, Uuid, Value, tuple, vector};
use crate::types::{NativeType, Type};

/// Decodes and validates a value.
pub fn decode(ty: &Type, bytes: &[u8]) -> Result<Value, ValueError> {
    match ty {
        Type::Native(native) => decode_native(*native, bytes),
        Type::List(element, _) => decode_list(element, bytes),
        Type::Set(element, _) => decode_set(element, bytes),
        Type::Map(entry, _) => decode_map(&entry.0, &entry.1, bytes),
        Type::Tuple(types) => {
            validate(ty, bytes)?;
            decode_parts(&types.iter().collect::<Vec<_>>(), bytes).map(Value::Tuple)
        }
        Type::User(..) => {
            validate(ty, bytes)?;
            decode_parts(&ty.parts(), bytes).map(Value::User)
        }
        Type::Vector(element, dimension) => {
            validate(ty, bytes)?;
            let elements = vector::split(element, *dimension, bytes)?;
            elements
                .into_iter()
                .map(|bytes| decode(element, bytes))
                .collect::<Result<_, _>>()
                .map(Value::Vector)
        }
        Type::Custom(_) => {
            validate(ty, bytes)?;
            Ok(Value::Custom(bytes.to_vec()))
        }
    }
}

/// Decodes a value of a native type.
pub(super) fn decode_native(native: NativeType, bytes: &[u8]) -> Result<Value, ValueError> {
    validate(&native.into(), bytes)?;
    let value = match native {
        NativeType::Ascii => return decode_text(bytes, "US-ASCII").map(Value::Ascii),
        NativeType::Text => return decode_text(bytes, "UTF-8").map(Value::Text),
        NativeType::Duration => return Duration::from_bytes(bytes).map(Value::Duration),
        NativeType::Blob => return Ok(Value::Blob(bytes.to_vec())),
        _ if bytes.is_empty() => return Ok(Value::Empty),
        NativeType::Varint => return Ok(Value::Varint(BigInt::from_signed_bytes_be(bytes))),
        NativeType::Decimal => Decimal::from_bytes(bytes).map(Value::Decimal),
        NativeType::Inet => decode_inet(bytes).map(Value::Inet),
        NativeType::Boolean => bytes.first().map(|byte| Value::Boolean(*byte != 0)),
        NativeType::Tinyint => {
            to_array(bytes).map(|bytes| Value::Tinyint(i8::from_be_bytes(bytes)))
        }
        NativeType::Smallint => {
            to_array(bytes).map(|bytes| Value::Smallint(i16::from_be_bytes(bytes)))
        }
        NativeType::Int => to_array(bytes).map(|bytes| Value::Int(i32::from_be_bytes(bytes))),
        NativeType::Bigint => to_array(bytes).map(|bytes| Value::Bigint(i64::from_be_bytes(bytes))),
        NativeType::Counter => {
            to_array(bytes).map(|bytes| Value::Counter(i64::from_be_bytes(bytes)))
        }
        NativeType::Date => to_array(bytes).map(|bytes| Value::Date(u32::from_be_bytes(bytes))),
        NativeType::Time => to_array(bytes).map(|bytes| Value::Time(i64::from_be_bytes(bytes))),
        NativeType::Timestamp => {
            to_array(bytes).map(|bytes| Value::Timestamp(i64::from_be_bytes(bytes)))
        }
        NativeType::Float => to_array(bytes).map(|bytes| Value::Float(f32::from_be_bytes(bytes))),
        NativeType::Double => to_array(bytes).map(|bytes| Value::Double(f64::from_be_bytes(bytes))),
        NativeType::Uuid => to_array(bytes).map(|bytes| Value::Uuid(Uuid(bytes))),
        NativeType::Timeuuid => to_array(bytes).map(|bytes| Value::Timeuuid(Uuid(bytes))),
    };
    // Validation has checked the length.
    value.ok_or_else(|| ValueError::Marshal(format!("Not a value of {}", native.name())))
}

fn to_array<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.try_into().ok()
}

/// Null elements are accepted: lists for `IN` may contain them.
fn decode_list(element: &Type, bytes: &[u8]) -> Result<Value, ValueError> {
    let mut elements = CollectionReader::new(CollectionKind::List, bytes)?;
    elements.check_count()?;
    let mut values = Vec::new();
    for _ in 0..elements.count {
        values.push(match elements.next()? {
            Some(bytes) => decode_element(CollectionKind::List, element, bytes)?,
            None => Value::Null,
        });
    }
    elements.finish()?;
    Ok(Value::List(values))
}

fn decode_set(element: &Type, bytes: &[u8]) -> Result<Value, ValueError> {
    let mut elements = CollectionReader::new(CollectionKind::Set, bytes)?;
    elements.check_count()?;
    let mut values = Vec::new();
    for _ in 0..elements.count {
        values.push(decode_element(CollectionKind::Set, element, elements.next_non_null()?)?);
    }
    elements.finish()?;
    Ok(Value::Set(values))
}

fn decode_map(key: &Type, value: &Type, bytes: &[u8]) -> Result<Value, ValueError> {
    let mut elements = CollectionReader::new(CollectionKind::Map, bytes)?;
    elements.check_count()?;
    let mut pairs = Vec::new();
    for _ in 0..elements.count {
        let key = decode_element(CollectionKind::Map, key, elements.next_non_null()?)?;
        pairs.push((key, decode_element(CollectionKind::Map, value, elements.next_non_null()?)?));
    }
    elements.finish()?;
    Ok(Value::Map(pairs))
}

fn decode_element(kind: CollectionKind, ty: &Type, bytes: &[u8]) -> Result<Value, ValueError> {
    kind.refuse_overrun(validate(ty, bytes).and_then(|()| decode(ty, bytes)))
}

fn decode_parts(types: &[&Type], bytes: &[u8]) -> Result<Vec<Value>, ValueError> {
    let parts = tuple::split(bytes, types.len(), tuple::component_name)?;
    let values = parts
        .iter()
        .zip(types)
        .map(|(part, ty)| part.map_or(Ok(Value::Null), |bytes| decode(ty, bytes)));
    values.collect()
}
