//! The types of columns, which speak louder than their names.

use cql::types::{NativeType, Type};
use schema::catalog::Column;

/// The native type, if it is one.
pub(crate) fn native_type(ty: &Type) -> Option<NativeType> {
    match ty {
        Type::Native(native) => Some(*native),
        _ => None,
    }
}

/// Whether a column has one of these types.
pub(super) fn has_type(column: &Column, types: &[NativeType]) -> bool {
    native_type(&column.ty).is_some_and(|ty| types.contains(&ty))
}

/// The type of the elements of a collection, of the values of a map.
pub(crate) fn element_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(element, _) | Type::Set(element, _) => Some(element),
        Type::Map(entry, _) => Some(&entry.1),
        _ => None,
    }
}
