//! The parsing of types of system tables, which have no user types and no blanks.

use std::sync::Arc;

use cql::types::{NativeType, Type};

/// Parses a type such as `frozen<map<text,blob>>`.
pub(super) fn read(text: &str) -> Option<Type> {
    let Some((name, inside)) = text.strip_suffix('>').and_then(|text| text.split_once('<')) else {
        return NativeType::from_name(text).map(Type::Native);
    };
    let mut parts = split(inside).into_iter().map(read);
    let mut next = || parts.next().flatten();
    match name {
        "frozen" => next().map(|ty| ty.freeze()),
        "list" => next().map(|ty| Type::List(Arc::new(ty), cql::types::Frozenness::No)),
        "set" => next().map(|ty| Type::Set(Arc::new(ty), cql::types::Frozenness::No)),
        "map" => Some(Type::Map(Arc::new((next()?, next()?)), cql::types::Frozenness::No)),
        "tuple" => parts.collect::<Option<Vec<_>>>().map(|types| Type::Tuple(types.into())),
        _ => None,
    }
}

/// Splits at the commas outside of inner types.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}
