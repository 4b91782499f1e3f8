//! Values as JSON, in the format of `SELECT JSON` and `to_json`.

use std::fmt::Write;

use cql::types::{NativeType, Type};
use cql::value::{self, Value};
use schema::Refusal;
use schema::refusal::ArithmeticFailure;

use super::{Env, failure};

/// Appends a value. Null is `null`; an empty number, which `SELECT JSON` does not treat as null, is
/// `""`.
pub fn to_json(ty: &Type, value: Option<&[u8]>, out: &mut String) {
    // Without a monitor, nothing interrupts it.
    let _ = append_value(ty, value, out, &|_| Ok(()));
}

/// Appends a value; fails if the request must stop.
pub(crate) fn append_json(
    ty: &Type,
    value: Option<&[u8]>,
    out: &mut String,
    env: &Env<'_>,
) -> Result<(), Box<Refusal>> {
    append_value(ty, value, out, &|bytes| env.check_work(bytes))
}

/// Is called with the length of each value that is no collection.
type LengthCheck<'a> = &'a dyn Fn(usize) -> Result<(), Box<Refusal>>;

fn append_value(
    ty: &Type,
    value: Option<&[u8]>,
    out: &mut String,
    check: LengthCheck<'_>,
) -> Result<(), Box<Refusal>> {
    let Some(bytes) = value else {
        out.push_str("null");
        return Ok(());
    };
    match ty {
        Type::Native(native) => {
            check(bytes.len())?;
            append_native(*native, bytes, out);
        }
        Type::List(element, _) | Type::Set(element, _) | Type::Vector(element, _) => {
            append_list(ty, bytes, |_| Some(&**element), out, check)?;
        }
        Type::Tuple(types) => append_list(ty, bytes, |at| types.get(at), out, check)?,
        Type::Map(entry, _) => {
            let parts = value::split(ty, bytes).unwrap_or_default();
            out.push('{');
            for (at, pair) in parts.chunks(2).enumerate() {
                separate(at, out);
                append_key(&entry.0, pair.first().copied().flatten(), out, check)?;
                out.push_str(": ");
                append_value(&entry.1, pair.get(1).copied().flatten(), out, check)?;
            }
            out.push('}');
        }
        Type::User(user, _) => {
            let parts = value::split(ty, bytes).unwrap_or_default();
            out.push('{');
            for (at, (name, ty)) in user.fields.iter().enumerate() {
                separate(at, out);
                append_name(name, out);
                out.push_str(": ");
                append_value(ty, parts.get(at).copied().flatten(), out, check)?;
            }
            out.push('}');
        }
        Type::Custom(_) => append_text(&format!("0x{}", value::bytes_to_hex(bytes)), out),
    }
    Ok(())
}

/// Refuses numbers of more than a few million digits, which would take too long to print.
pub(crate) fn check_length(ty: &Type, bytes: &[u8]) -> Result<(), Box<Refusal>> {
    const MAX_LENGTH: usize = 1_100_000;
    if bytes.len() <= MAX_LENGTH {
        return Ok(());
    }
    if let Type::Native(native) = ty {
        let is_number = matches!(native, NativeType::Varint | NativeType::Decimal);
        let failure = ArithmeticFailure::IntegerRange;
        return if is_number { Err(failure::arithmetic(failure)) } else { Ok(()) };
    }
    let (parts, types) = (value::split(ty, bytes).unwrap_or_default(), ty.parts());
    let mut parts = parts.iter().flatten();
    match &types[..] {
        [] => Ok(()),
        [one] => parts.try_for_each(|part| check_length(one, part)),
        _ => parts.zip(types.iter().cycle()).try_for_each(|(part, ty)| check_length(ty, part)),
    }
}

/// Whether a tuple in the value lacks its last components: the server fails to print such a value
/// as JSON.
pub(crate) fn has_missing_components(ty: &Type, value: Option<&[u8]>) -> bool {
    let Some(bytes) = value.filter(|_| !matches!(ty, Type::Native(_) | Type::Custom(_))) else {
        return false;
    };
    let parts = value::split(ty, bytes).unwrap_or_default();
    let types = ty.parts();
    if types.is_empty() {
        return false;
    }
    let is_short = matches!(ty, Type::Tuple(_)) && parts.len() < types.len();
    let inside = parts.iter().zip(types.iter().cycle());
    is_short || inside.into_iter().any(|(part, ty)| has_missing_components(ty, *part))
}

/// Appends the name of a column or field as a key, with inner quotes where CQL needs them.
pub(crate) fn append_name(name: &str, out: &mut String) {
    if name.to_lowercase() == name {
        append_text(name, out);
    } else {
        append_text(&format!("\"{name}\""), out);
    }
}

fn separate(at: usize, out: &mut String) {
    if at > 0 {
        out.push_str(", ");
    }
}

fn append_list<'a>(
    ty: &Type,
    bytes: &[u8],
    element: impl Fn(usize) -> Option<&'a Type>,
    out: &mut String,
    check: LengthCheck<'_>,
) -> Result<(), Box<Refusal>> {
    out.push('[');
    for (at, part) in value::split(ty, bytes).unwrap_or_default().into_iter().enumerate() {
        separate(at, out);
        if let Some(ty) = element(at) {
            append_value(ty, part, out, check)?;
        }
    }
    out.push(']');
    Ok(())
}

/// Appends a map key: JSON keys are strings, so other values are printed into one.
fn append_key(
    ty: &Type,
    key: Option<&[u8]>,
    out: &mut String,
    check: LengthCheck<'_>,
) -> Result<(), Box<Refusal>> {
    let mut text = String::new();
    append_value(ty, key, &mut text, check)?;
    if text.starts_with('"') {
        out.push_str(&text);
    } else {
        append_text(&text, out);
    }
    Ok(())
}

fn append_native(native: NativeType, bytes: &[u8], out: &mut String) {
    let Ok(value) = value::decode(&native.into(), bytes) else {
        out.push_str("null");
        return;
    };
    match value {
        Value::Ascii(text) | Value::Text(text) => append_text(&text, out),
        Value::Empty => out.push_str("\"\""),
        Value::Float(number) if !number.is_finite() => out.push_str("null"),
        Value::Double(number) if !number.is_finite() => out.push_str("null"),
        Value::Bigint(_)
        | Value::Boolean(_)
        | Value::Counter(_)
        | Value::Decimal(_)
        | Value::Double(_)
        | Value::Float(_)
        | Value::Int(_)
        | Value::Smallint(_)
        | Value::Tinyint(_)
        | Value::Varint(_) => {
            out.push_str(&value::literal(&native.into(), Some(bytes)).unwrap_or_default());
        }
        Value::Timestamp(_) => {
            let literal = value::literal(&native.into(), Some(bytes)).unwrap_or_default();
            append_text(&literal.trim_matches('\'').replacen('T', " ", 1), out);
        }
        _ => {
            let literal = value::literal(&native.into(), Some(bytes)).unwrap_or_default();
            append_text(literal.trim_matches('\''), out);
        }
    }
}

/// Appends a JSON string: quotes, backslashes and control characters are escaped.
fn append_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
