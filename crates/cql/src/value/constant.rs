//! Constants: the values of literals for a type.

use super::Duration;
use super::composite::{component_classes, parse_composite};
use super::decimal::{equal_numbers, parse_decimal};
use super::error::{TextForm, ValueError, refuse, refuse_form};
use super::float::{parse_double, parse_float, print_double};
use super::inet::parse_inet;
use super::integer::{parse_fixed, parse_varint};
use super::temporal::{parse_date, parse_time, parse_timestamp};
use super::text::parse_ascii;
use super::tuple::parse_tuple;
use super::uuid::{Uuid, parse_timeuuid, parse_uuid};
use crate::hex::hex_to_bytes;
use crate::types::{Assignability, NativeType, Type};

/// The kinds of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstantKind {
    /// `'text'` or `$$text$$`
    String,
    /// `-12`
    Integer,
    /// `1.5e3`, `NaN`, `Infinity`
    Float,
    /// `true`
    Boolean,
    /// `1h30m`, `PT1H30M`, `P0000-00-00T01:30:00`
    Duration,
    /// `123e4567-e89b-12d3-a456-426614174000`
    Uuid,
    /// `0xcafe`
    Hex,
}

/// The bytes of a constant for a receiver to which it [can be assigned](test_constant_assignment).
/// `now_ms` is the value of the timestamp `'now'`.
pub fn parse_constant(
    ty: &Type,
    kind: ConstantKind,
    text: &str,
    now_ms: i64,
) -> Result<Vec<u8>, ValueError> {
    match (kind, ty) {
        (ConstantKind::Hex, _) => parse_blob(text.get(2..).unwrap_or_default()),
        (_, Type::Native(NativeType::Counter)) => {
            from_text(&NativeType::Bigint.into(), text, now_ms)
        }
        _ => from_text(ty, text, now_ms),
    }
}

/// The bytes of a value given as a text, quoted or not. The empty text is the empty value of most
/// types.
pub fn from_text(ty: &Type, text: &str, now_ms: i64) -> Result<Vec<u8>, ValueError> {
    match ty {
        Type::Native(native) => native_from_text(*native, text, now_ms),
        Type::Tuple(types) => parse_tuple(ty, types, text, now_ms),
        Type::User(user, _) => {
            let types: Vec<Type> = user.fields.iter().map(|(_, ty)| ty.clone()).collect();
            parse_tuple(ty, &types, text, now_ms)
        }
        Type::Custom(class) => match ty.value_length_if_fixed() {
            Some(0) if !text.is_empty() => refuse(format!("'{text}' is not empty")),
            Some(0) => Ok(Vec::new()),
            Some(8) => native_from_text(NativeType::Timestamp, text, now_ms),
            Some(_) => match Uuid::parse(text) {
                Some(uuid) => Ok(uuid.0.to_vec()),
                None if text.is_empty() => Ok(Vec::new()),
                None => refuse(format!("unable to make UUID from '{text}'")),
            },
            None => match component_classes(class) {
                Some(classes) => parse_composite(&classes, text, now_ms),
                None => parse_blob(text),
            },
        },
        Type::List(..) | Type::Set(..) | Type::Map(..) | Type::Vector(..) => parse_blob(text),
    }
}

fn native_from_text(native: NativeType, text: &str, now_ms: i64) -> Result<Vec<u8>, ValueError> {
    let bytes = match native {
        NativeType::Ascii => parse_ascii(text)?,
        NativeType::Text => text.as_bytes().to_vec(),
        NativeType::Blob | NativeType::Counter => parse_blob(text)?,
        NativeType::Boolean => vec![u8::from(parse_boolean(text)?)],
        NativeType::Date => parse_date(text)?.to_be_bytes().to_vec(),
        NativeType::Time => parse_time(text)?.to_be_bytes().to_vec(),
        _ if text.is_empty() => Vec::new(),
        NativeType::Bigint => parse_fixed::<i64>(text, "long")?.to_be_bytes().to_vec(),
        NativeType::Int => parse_fixed::<i32>(text, "int")?.to_be_bytes().to_vec(),
        NativeType::Smallint => parse_fixed::<i16>(text, "short")?.to_be_bytes().to_vec(),
        NativeType::Tinyint => parse_fixed::<i8>(text, "byte")?.to_be_bytes().to_vec(),
        NativeType::Varint => parse_varint(text)?.to_signed_bytes_be(),
        NativeType::Decimal => parse_decimal(text)?.to_bytes(),
        NativeType::Double => parse_double(text)?.to_be_bytes().to_vec(),
        NativeType::Float => parse_float(text)?.to_be_bytes().to_vec(),
        NativeType::Duration => Duration::parse(text)?.to_bytes(),
        NativeType::Inet => parse_inet(text)?,
        NativeType::Timestamp => parse_timestamp(text, now_ms)?.to_be_bytes().to_vec(),
        NativeType::Timeuuid => parse_timeuuid(text)?,
        NativeType::Uuid => parse_uuid(text)?,
    };
    Ok(bytes)
}

fn parse_blob(digits: &str) -> Result<Vec<u8>, ValueError> {
    match hex_to_bytes(digits) {
        Some(bytes) => Ok(bytes),
        None => refuse(format!("cannot parse '{digits}' as hex bytes")),
    }
}

fn parse_boolean(text: &str) -> Result<bool, ValueError> {
    if text.is_empty() || text.eq_ignore_ascii_case("false") {
        Ok(false)
    } else if text.eq_ignore_ascii_case("true") {
        Ok(true)
    } else {
        refuse_form(TextForm::Number, format!("Unable to make boolean from '{text}'"))
    }
}

/// Whether a constant can be assigned to a type. The [preferred type](preferred_type) is an exact
/// match.
pub fn test_constant_assignment(kind: ConstantKind, text: &str, receiver: &Type) -> Assignability {
    let native = match receiver {
        Type::Native(native) => *native,
        Type::Tuple(_) => return Assignability::Weak,
        // The type without values has a CQL name, but no constant fits it.
        Type::Custom(_) if receiver.value_length_if_fixed() == Some(0) => return Assignability::No,
        Type::Custom(_) if receiver.value_length_if_fixed() == Some(8) => NativeType::Timestamp,
        Type::Custom(_) => return Assignability::Weak,
        _ => return Assignability::No,
    };
    if preferred_type(kind, text) == Ok(native) {
        Assignability::Exact
    } else if is_weakly_assignable(kind, native) {
        Assignability::Weak
    } else {
        Assignability::No
    }
}

fn is_weakly_assignable(kind: ConstantKind, native: NativeType) -> bool {
    use NativeType as N;
    match kind {
        ConstantKind::String => {
            matches!(native, N::Ascii | N::Text | N::Inet | N::Date | N::Time | N::Timestamp)
        }
        ConstantKind::Integer => {
            native.is_number() || matches!(native, N::Date | N::Duration | N::Time | N::Timestamp)
        }
        ConstantKind::Uuid => matches!(native, N::Uuid | N::Timeuuid),
        ConstantKind::Float => matches!(native, N::Decimal | N::Double | N::Float),
        ConstantKind::Boolean => native == N::Boolean,
        ConstantKind::Hex => native == N::Blob,
        ConstantKind::Duration => native == N::Duration,
    }
}

/// The type of a constant without a receiver. The error is the text of the exception on which the
/// server's parser fails.
///
/// That of a blob is `tinyint`: a bug of the server, which makes `0xab` a valid tinyint.
pub fn preferred_type(kind: ConstantKind, text: &str) -> Result<NativeType, &'static str> {
    Ok(match kind {
        ConstantKind::String if text.is_ascii() => NativeType::Ascii,
        ConstantKind::String => NativeType::Text,
        ConstantKind::Integer if text.parse::<i32>().is_ok() => NativeType::Int,
        ConstantKind::Integer if text.parse::<i64>().is_ok() => NativeType::Bigint,
        ConstantKind::Integer => NativeType::Varint,
        ConstantKind::Uuid => match Uuid::parse(text) {
            Some(uuid) if uuid.version() == 1 => NativeType::Timeuuid,
            _ => NativeType::Uuid,
        },
        ConstantKind::Float => return float_type(text),
        ConstantKind::Boolean => NativeType::Boolean,
        ConstantKind::Hex => NativeType::Tinyint,
        ConstantKind::Duration => NativeType::Duration,
    })
}

/// A double if it represents the number exactly, otherwise a decimal.
fn float_type(text: &str) -> Result<NativeType, &'static str> {
    if matches!(text.strip_prefix('-').unwrap_or(text), "NaN" | "Infinity") {
        return Ok(NativeType::Double);
    }
    // A text that is not a number in Java fails before one that exceeds a double.
    equal_numbers(text, "0")?;
    let double = match text.parse::<f64>() {
        Ok(double) if double.is_finite() => double,
        _ => return Err(TOO_GREAT),
    };
    Ok(if equal_numbers(text, &print_double(double))? {
        NativeType::Double
    } else {
        NativeType::Decimal
    })
}

/// Java's text for parsing `Infinity`, the value of a number that exceeds a double.
const TOO_GREAT: &str = r#"Character I is neither a decimal digit number, decimal point, nor "e" notation exponential mark."#;
