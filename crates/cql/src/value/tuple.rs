//! Tuples and user types: every component preceded by its length, -1 for null; trailing ones may be
//! missing.

use std::cmp::Ordering;

use super::compare::compare;
use super::constant::from_text;
use super::error::{TruncatedPart, ValueError, refuse};
use super::validate::validate;
use crate::types::{Type, UserType};

/// The components as bytes, `None` for null; fewer than the type has if trailing ones are missing.
/// `name` gives the name of a component in error texts.
pub(super) fn split(
    bytes: &[u8],
    count: usize,
    name: impl Fn(usize) -> String,
) -> Result<Vec<Option<&[u8]>>, ValueError> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while parts.len() < count && !rest.is_empty() {
        let (part, tail) = next(rest, &name(parts.len()))?;
        parts.push(part);
        rest = tail;
    }
    Ok(parts)
}

/// A component and the rest.
fn next<'a>(bytes: &'a [u8], name: &str) -> Result<(Option<&'a [u8]>, &'a [u8]), ValueError> {
    let truncated =
        |in_length| ValueError::Truncated(TruncatedPart { name: name.to_owned(), in_length });
    let Some((length, rest)) = bytes.split_first_chunk() else { return Err(truncated(true)) };
    let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else { return Ok((None, rest)) };
    match rest.split_at_checked(length) {
        Some((part, rest)) => Ok((Some(part), rest)),
        None => Err(truncated(false)),
    }
}

/// `0th component`
pub(super) fn component_name(position: usize) -> String {
    format!("{position}th component")
}

/// `0th field a`
pub(super) fn field_name(user: &UserType, position: usize) -> String {
    let name = user.fields.get(position).map_or("", |(name, _)| name);
    format!("{position}th field {name}")
}

/// Validates the components of a tuple.
pub(super) fn validate_tuple(types: &[Type], bytes: &[u8]) -> Result<(), ValueError> {
    let mut rest = bytes;
    for (position, ty) in types.iter().enumerate() {
        if rest.is_empty() {
            return Ok(());
        }
        let (part, tail) = next(rest, &component_name(position))?;
        if let Some(part) = part {
            validate(ty, part)?;
        }
        rest = tail;
    }
    if rest.is_empty() { Ok(()) } else { refuse("Invalid remaining data after end of tuple value") }
}

/// Validates the fields of a user type; an error inside a field is reported with its name.
pub(super) fn validate_user(user: &UserType, bytes: &[u8]) -> Result<(), ValueError> {
    let mut rest = bytes;
    for (position, (_, ty)) in user.fields.iter().enumerate() {
        if rest.is_empty() {
            return Ok(());
        }
        let name = field_name(user, position);
        let (part, tail) = next(rest, &name)?;
        if let Some(part) = part {
            validate(ty, part).map_err(|error| match error {
                ValueError::Marshal(_) | ValueError::Truncated(_) => {
                    ValueError::Marshal(format!("Failure validating the {name}; {error}"))
                }
                other => other,
            })?;
        }
        rest = tail;
    }
    if rest.is_empty() { Ok(()) } else { refuse("Invalid remaining data after end of UDT value") }
}

/// Compares component by component, null first; a missing component equals null. Empty values come
/// first.
pub(super) fn compare_tuples(types: &[&Type], a: &[u8], b: &[u8]) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return b.is_empty().cmp(&a.is_empty());
    }
    let (mut left, mut right) = (a, b);
    for ty in types {
        if left.is_empty() || right.is_empty() {
            break;
        }
        let (Ok((x, left_tail)), Ok((y, right_tail))) = (next(left, ""), next(right, "")) else {
            return a.cmp(b);
        };
        let order = match (x, y) {
            (Some(x), Some(y)) => compare(ty, x, y),
            (x, y) => x.is_some().cmp(&y.is_some()),
        };
        if order.is_ne() {
            return order;
        }
        (left, right) = (left_tail, right_tail);
    }
    match (is_all_null(left), is_all_null(right)) {
        (true, true) => Ordering::Equal,
        _ if left.is_empty() => Ordering::Less,
        (true, false) => Ordering::Equal,
        (false, _) => Ordering::Greater,
    }
}

fn is_all_null(mut rest: &[u8]) -> bool {
    while let Ok((part, tail)) = next(rest, "") {
        if part.is_some() {
            return false;
        }
        rest = tail;
    }
    rest.is_empty()
}

/// Parses a tuple from a text: components separated by colons, `@` for null, both escaped by a
/// backslash.
pub(super) fn parse_tuple(
    ty: &Type,
    types: &[Type],
    text: &str,
    now_ms: i64,
) -> Result<Vec<u8>, ValueError> {
    let parts = split_text(text);
    if parts.len() > types.len() {
        return refuse(format!(
            "Invalid tuple literal: too many elements. Type {ty} expects {} but got {}",
            types.len(),
            parts.len()
        ));
    }
    let mut components = Vec::with_capacity(parts.len());
    for (part, ty) in parts.iter().zip(types) {
        components.push(match *part {
            "@" => None,
            part => Some(from_text(ty, &part.replace("\\:", ":").replace("\\@", "@"), now_ms)?),
        });
    }
    let mut out = Vec::new();
    super::collection::append_parts(&mut out, &components)?;
    Ok(out)
}

/// Splits at colons that are not preceded by a backslash.
pub(super) fn split_text(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    if text.is_empty() {
        return parts;
    }
    let mut start = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == ':' && !escaped {
            parts.push(text.get(start..at).unwrap_or_default());
            start = at + 1;
        }
        escaped = c == '\\';
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}
