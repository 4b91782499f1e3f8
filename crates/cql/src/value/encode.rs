//! The serialisation of values.

use super::collection::{append_parts, pack};
use super::compare::compare;
use super::error::{ValueError, refuse};
use super::{Value, vector};
use crate::types::Type;

/// The bytes of a value of a type. Sets and maps are sorted. Null has no bytes.
pub fn encode(ty: &Type, value: &Value) -> Result<Vec<u8>, ValueError> {
    match (ty, value) {
        (_, Value::Null) => refuse("Null value read when not allowed"),
        (Type::List(element, _), Value::List(values)) => {
            pack(values.len(), &encode_all(element, values)?)
        }
        (Type::Set(element, _), Value::Set(values)) => {
            let mut parts = encode_all(element, values)?;
            parts.sort_by(|a, b| compare(element, bytes_of(a.as_ref()), bytes_of(b.as_ref())));
            pack(values.len(), &parts)
        }
        (Type::Map(entry, _), Value::Map(pairs)) => {
            let mut parts = Vec::with_capacity(pairs.len());
            for (key, value) in pairs {
                parts.push((encode(&entry.0, key)?, encode(&entry.1, value)?));
            }
            parts.sort_by(|a, b| compare(&entry.0, &a.0, &b.0));
            let flat: Vec<_> =
                parts.into_iter().flat_map(|(key, value)| [Some(key), Some(value)]).collect();
            pack(pairs.len(), &flat)
        }
        (Type::Tuple(_), Value::Tuple(values)) | (Type::User(..), Value::User(values)) => {
            let types = ty.parts();
            if values.len() > types.len() {
                let (count, s) = (types.len(), if types.len() == 1 { "" } else { "s" });
                return refuse(format!("Expected {count} value{s} for {ty} column, but got more"));
            }
            let parts: Result<Vec<_>, _> =
                types.iter().zip(values).map(|(ty, value)| encode_part(ty, value)).collect();
            let mut out = Vec::new();
            append_parts(&mut out, &parts?)?;
            Ok(out)
        }
        (Type::Vector(element, dimension), Value::Vector(values)) => {
            if usize::try_from(*dimension) != Ok(values.len()) {
                return refuse(format!("Required {dimension} elements, but saw {}", values.len()));
            }
            let parts: Result<Vec<_>, _> =
                values.iter().map(|value| encode(element, value)).collect();
            Ok(vector::pack(element, &parts?))
        }
        (Type::Native(_) | Type::Custom(_), _) => match scalar(value) {
            Some(bytes) => Ok(bytes),
            None => refuse(format!("Not a value of {ty}")),
        },
        _ => refuse(format!("Not a value of {ty}")),
    }
}

fn encode_part(ty: &Type, value: &Value) -> Result<Option<Vec<u8>>, ValueError> {
    if *value == Value::Null { Ok(None) } else { encode(ty, value).map(Some) }
}

fn encode_all(ty: &Type, values: &[Value]) -> Result<Vec<Option<Vec<u8>>>, ValueError> {
    values.iter().map(|value| encode_part(ty, value)).collect()
}

fn bytes_of(part: Option<&Vec<u8>>) -> &[u8] {
    part.map(Vec::as_slice).unwrap_or_default()
}

fn scalar(value: &Value) -> Option<Vec<u8>> {
    Some(match value {
        Value::Empty => Vec::new(),
        Value::Ascii(text) | Value::Text(text) => text.as_bytes().to_vec(),
        Value::Blob(bytes) | Value::Custom(bytes) => bytes.clone(),
        Value::Boolean(truth) => vec![u8::from(*truth)],
        Value::Bigint(number)
        | Value::Counter(number)
        | Value::Time(number)
        | Value::Timestamp(number) => number.to_be_bytes().to_vec(),
        Value::Date(day) => day.to_be_bytes().to_vec(),
        Value::Decimal(decimal) => decimal.to_bytes(),
        Value::Double(number) => number.to_be_bytes().to_vec(),
        Value::Duration(duration) => duration.to_bytes(),
        Value::Float(number) => number.to_be_bytes().to_vec(),
        Value::Inet(std::net::IpAddr::V4(address)) => address.octets().to_vec(),
        Value::Inet(std::net::IpAddr::V6(address)) => address.octets().to_vec(),
        Value::Int(number) => number.to_be_bytes().to_vec(),
        Value::Smallint(number) => number.to_be_bytes().to_vec(),
        Value::Timeuuid(uuid) | Value::Uuid(uuid) => uuid.0.to_vec(),
        Value::Tinyint(number) => number.to_be_bytes().to_vec(),
        Value::Varint(number) => number.to_signed_bytes_be(),
        Value::Null
        | Value::List(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::Tuple(_)
        | Value::User(_)
        | Value::Vector(_) => return None,
    })
}
