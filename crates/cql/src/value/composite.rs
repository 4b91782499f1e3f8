//! Texts of the legacy type `CompositeType`.

use super::constant::from_text;
use super::error::ValueError;
use super::tuple::split_text;
use crate::types::parse_class;

const CLASS: &str = "org.apache.cassandra.db.marshal.CompositeType(";

/// What ends a component.
const END_OF_COMPONENT: u8 = 0;

/// The classes of the components of a composite type; `None` for other types.
pub(super) fn component_classes(class: &str) -> Option<Vec<&str>> {
    let inner = class.strip_prefix(CLASS)?.strip_suffix(')')?;
    let (mut classes, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                classes.push(inner.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    classes.push(inner.get(start..)?);
    Some(classes)
}

/// Parses components separated by colons; the last ones may be missing. `!` and `_` in place of a
/// component make a bound after or before all values that begin with the components before it.
pub(super) fn parse_composite(
    classes: &[&str],
    text: &str,
    now_ms: i64,
) -> Result<Vec<u8>, ValueError> {
    let mut out = Vec::new();
    for (at, part) in split_text(text).into_iter().enumerate() {
        let end = match part {
            "!" => Some(1),
            "_" => Some(u8::MAX),
            _ => None,
        };
        if let Some(end) = end {
            let Some(last) = out.last_mut() else {
                return fail("java.lang.IndexOutOfBoundsException".to_owned());
            };
            *last = end;
            break;
        }
        let Some(class) = classes.get(at) else {
            return fail(format!(
                "java.lang.ArrayIndexOutOfBoundsException: Index {at} out of bounds for length {}",
                classes.len()
            ));
        };
        append_component(class, part, now_ms, &mut out)?;
    }
    Ok(out)
}

fn append_component(
    class: &str,
    part: &str,
    now_ms: i64,
    out: &mut Vec<u8>,
) -> Result<(), ValueError> {
    let Ok(parsed) = parse_class(class) else {
        return fail(format!("java.lang.IllegalArgumentException: {class}"));
    };
    let part = part.replace("\\:", ":");
    let value = from_text(&parsed.ty, part.strip_suffix('!').unwrap_or(&part), now_ms)?;
    let Ok(length) = u16::try_from(value.len()) else {
        let length = value.len();
        return fail(format!(
            "java.lang.IllegalArgumentException: Length {length} > max length 65535"
        ));
    };
    out.extend(length.to_be_bytes());
    out.extend(value);
    out.push(END_OF_COMPONENT);
    Ok(())
}

fn fail<T>(exception: String) -> Result<T, ValueError> {
    Err(ValueError::Failure(exception))
}
