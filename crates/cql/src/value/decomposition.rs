//! Values taken apart, one level deep, without reading what stands inside.

use super::collection::{CollectionKind, CollectionReader};
use super::error::ValueError;
use super::{tuple, vector};
use crate::types::Type;

/// The bytes of what a value holds: elements, keys and values in turn, components, fields; none for null. A tuple or a
/// user type whose last parts are missing gives fewer. Other values hold nothing.
pub fn split<'a>(ty: &Type, bytes: &'a [u8]) -> Result<Vec<Option<&'a [u8]>>, ValueError> {
    match ty {
        Type::Native(_) | Type::Custom(_) => Ok(Vec::new()),
        Type::List(..) => split_collection(CollectionKind::List, 1, bytes),
        Type::Set(..) => split_collection(CollectionKind::Set, 1, bytes),
        Type::Map(..) => split_collection(CollectionKind::Map, 2, bytes),
        Type::Tuple(types) => tuple::split(bytes, types.len(), tuple::component_name),
        Type::User(user, _) => {
            let name = |position| tuple::field_name(user, position);
            tuple::split(bytes, user.fields.len(), name)
        }
        Type::Vector(element, dimension) => {
            let elements = vector::split(element, *dimension, bytes)?;
            Ok(elements.into_iter().map(Some).collect())
        }
    }
}

/// `width` is how many parts one counted element has.
fn split_collection(
    kind: CollectionKind,
    width: usize,
    bytes: &[u8],
) -> Result<Vec<Option<&[u8]>>, ValueError> {
    let mut elements = CollectionReader::new(kind, bytes)?;
    elements.check_count()?;
    let mut parts = Vec::new();
    for _ in 0..elements.count {
        for _ in 0..width {
            parts.push(elements.next()?);
        }
    }
    Ok(parts)
}
