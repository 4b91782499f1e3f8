//! Constants in CQL's spelling, as plans have them.

use cql::types::{NativeType, Type};
use cql::value;

/// The bytes of a constant in a type; `None` for null, and where it is not a value of the type.
pub fn to_bytes(ty: &Type, text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("null") {
        return None;
    }
    if let Some(element) = element_type(ty) {
        let inside = text.strip_prefix(['[', '{'])?.strip_suffix([']', '}'])?;
        let parts: Vec<_> =
            split_commas(inside).iter().map(|part| to_bytes(element, part)).collect();
        return value::join(ty, &parts).ok();
    }
    let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match (quoted, text.strip_prefix("0x")) {
        (Some(quoted), _) => value::from_text(ty, &quoted.replace("''", "'"), 0).ok(),
        (None, Some(digits)) => value::hex_to_bytes(digits),
        (None, None) if ty.is_counter() => Some(text.parse::<i64>().ok()?.to_be_bytes().to_vec()),
        (None, None) => value::from_text(ty, text, 0).ok(),
    }
}

/// The type of a constant without context.
pub fn own_type(text: &str) -> Type {
    let native = if text.starts_with('\'') {
        NativeType::Text
    } else if text.parse::<i64>().is_ok() {
        NativeType::Bigint
    } else if text.parse::<f64>().is_ok() {
        NativeType::Double
    } else if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        NativeType::Boolean
    } else {
        NativeType::Uuid
    };
    native.into()
}

/// The type of an array's elements.
pub fn element_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(element, _) | Type::Set(element, _) => Some(element),
        _ => None,
    }
}

/// The parts of a list between its commas, ignoring those within quotes.
fn split_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            ',' if !quoted => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}
