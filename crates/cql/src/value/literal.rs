//! Values as CQL literals.

use super::collection::{CollectionKind, CollectionReader};
use super::decode::decode_native;
use super::error::ValueError;
use super::float::{print_double, print_float};
use super::inet::print_inet;
use super::temporal::{print_date, print_time, print_timestamp};
use super::text::quote;
use super::{Value, tuple, vector};
use crate::hex::bytes_to_hex;
use crate::identifier::identifier;
use crate::types::{Type, UserType};

/// A value as a CQL literal; `null` for null, and for the empty value of a type for which it has no
/// meaning.
pub fn literal(ty: &Type, bytes: Option<&[u8]>) -> Result<String, ValueError> {
    let Some(bytes) = bytes else { return Ok("null".to_owned()) };
    match ty {
        Type::Native(native) => Ok(native_literal(&decode_native(*native, bytes)?)),
        Type::List(element, _) => {
            collection(CollectionKind::List, &[element], bytes).map(|list| format!("[{list}]"))
        }
        Type::Set(element, _) => {
            collection(CollectionKind::Set, &[element], bytes).map(|set| format!("{{{set}}}"))
        }
        Type::Map(entry, _) => collection(CollectionKind::Map, &[&entry.0, &entry.1], bytes)
            .map(|map| format!("{{{map}}}")),
        Type::Tuple(types) => {
            let parts = tuple::split(bytes, types.len(), tuple::component_name)?;
            let literals: Result<Vec<_>, _> =
                parts.iter().zip(types.iter()).map(|(part, ty)| literal(ty, *part)).collect();
            Ok(format!("({})", literals?.join(", ")))
        }
        Type::User(user, _) => user_literal(user, bytes),
        Type::Vector(element, dimension) => {
            let elements = vector::split(element, *dimension, bytes)?;
            let literals: Result<Vec<_>, _> =
                elements.iter().map(|bytes| literal(element, Some(bytes))).collect();
            Ok(format!("[{}]", literals?.join(", ")))
        }
        Type::Custom(_) if ty.value_length_if_fixed() == Some(8) => {
            literal(&crate::types::NativeType::Timestamp.into(), Some(bytes))
        }
        Type::Custom(_) if ty.value_length_if_fixed() == Some(0) => Ok("null".to_owned()),
        Type::Custom(_) => Ok(format!("0x{}", bytes_to_hex(bytes))),
    }
}

/// The elements separated by commas; the values of a map after their keys.
fn collection(kind: CollectionKind, types: &[&Type], bytes: &[u8]) -> Result<String, ValueError> {
    let mut elements = CollectionReader::new(kind, bytes)?;
    let mut out = String::new();
    for i in 0..elements.count {
        for (position, ty) in types.iter().enumerate() {
            out.push_str(match (i, position) {
                (0, 0) => "",
                (_, 0) => ", ",
                _ => ": ",
            });
            out.push_str(&literal(ty, elements.next()?)?);
        }
    }
    Ok(out)
}

fn user_literal(user: &UserType, bytes: &[u8]) -> Result<String, ValueError> {
    let parts =
        tuple::split(bytes, user.fields.len(), |position| tuple::field_name(user, position))?;
    let mut fields = Vec::with_capacity(parts.len());
    for (part, (name, ty)) in parts.iter().zip(&user.fields) {
        fields.push(format!("{}: {}", identifier(name), literal(ty, *part)?));
    }
    Ok(format!("{{{}}}", fields.join(", ")))
}

/// A native value; values of other types are printed with their type.
fn native_literal(value: &Value) -> String {
    match value {
        Value::Ascii(text) | Value::Text(text) => quote(text),
        Value::Bigint(number) | Value::Counter(number) => number.to_string(),
        Value::Blob(bytes) | Value::Custom(bytes) => format!("0x{}", bytes_to_hex(bytes)),
        Value::Boolean(truth) => truth.to_string(),
        Value::Date(day) => format!("'{}'", print_date(*day)),
        Value::Decimal(decimal) => decimal.to_string(),
        Value::Double(number) => print_double(*number),
        Value::Duration(duration) => duration.to_string(),
        Value::Float(number) => print_float(*number),
        Value::Inet(address) => format!("'{}'", print_inet(*address)),
        Value::Int(number) => number.to_string(),
        Value::Smallint(number) => number.to_string(),
        Value::Time(nanos) => format!("'{}'", print_time(*nanos)),
        Value::Timestamp(millis) => format!("'{}'", print_timestamp(*millis)),
        Value::Timeuuid(uuid) | Value::Uuid(uuid) => uuid.to_string(),
        Value::Tinyint(number) => number.to_string(),
        Value::Varint(number) => number.to_string(),
        Value::Null
        | Value::Empty
        | Value::List(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::Tuple(_)
        | Value::User(_)
        | Value::Vector(_) => "null".to_owned(),
    }
}
