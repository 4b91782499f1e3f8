//! The decomposition of values, one level deep, without decoding the parts.

use super::collection::{CollectionKind, CollectionReader};
use super::error::ValueError;
use super::{tuple, vector};
use crate::types::Type;

/// The bytes of the parts of a value: elements, alternating keys and values, components, fields;
/// `None` for null. A tuple or user type whose last parts are missing gives fewer. Other values
/// have no parts.
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

/// `width` is the number of parts of one counted element.
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
