//! The bytes of values.

use cql::types::{NativeType, Type};

use super::ColumnLayout;
use super::number::{small, with_length};

/// The bytes of a partition key: a single column is bare, several have two bytes of length and a
/// terminator each.
pub(super) fn key(columns: &[ColumnLayout]) -> f64 {
    let around = if columns.len() > 1 { 3.0 } else { 0.0 };
    columns.iter().map(|field| around + raw_bytes(field)).sum()
}

/// The bytes of a value in a cell or clustering column: with its length, unless the type is of
/// fixed length. A flag states that a value is empty.
pub(super) fn cell_bytes(field: &ColumnLayout) -> f64 {
    let bytes = raw_bytes(field);
    if field.ty.value_length_if_fixed().is_some() || bytes <= 0.0 {
        bytes
    } else {
        with_length(bytes)
    }
}

/// The bytes of a value as a whole, frozen if it is a collection.
fn raw_bytes(field: &ColumnLayout) -> f64 {
    let items = field.items + field.added;
    match &field.ty {
        Type::List(element, _) | Type::Set(element, _) => {
            4.0 + items * (4.0 + single(element, field.bytes))
        }
        Type::Map(entry, _) => 4.0 + items * (8.0 + pair(entry, field.bytes)),
        ty => single(ty, field.bytes),
    }
}

/// The bytes of a value as clients see it: of a collection all elements, without their framing.
pub(super) fn client_bytes(field: &ColumnLayout) -> f64 {
    let items = field.items + field.added;
    match &field.ty {
        Type::List(element, _) | Type::Set(element, _) => items * content(element, field.bytes),
        Type::Map(entry, _) => {
            let parts = [&entry.0, &entry.1];
            let bytes = divide(&parts, field.bytes);
            items * parts.iter().zip(bytes).map(|(part, bytes)| content(part, bytes)).sum::<f64>()
        }
        ty => content(ty, field.bytes),
    }
}

/// The bytes of a map entry.
fn pair(entry: &(Type, Type), bytes: f64) -> f64 {
    divide(&[&entry.0, &entry.1], bytes).iter().sum()
}

/// The bytes of one value: the fixed length of its type, or those given. In a tuple or user type,
/// each field has its length in front.
pub(super) fn single(ty: &Type, bytes: f64) -> f64 {
    match ty {
        Type::Tuple(_) | Type::User(..) => {
            let fields = divide(&ty.parts(), bytes);
            fields.iter().sum::<f64>() + 4.0 * small(fields.len())
        }
        Type::Vector(element, dimension) if ty.value_length_if_fixed().is_none() => {
            f64::from(*dimension) * with_length(single(element, bytes))
        }
        _ => content(ty, bytes),
    }
}

/// The bytes of each of several values that have so many bytes together: what those of fixed length
/// leave is shared equally by the others.
pub(super) fn divide(types: &[&Type], bytes: f64) -> Vec<f64> {
    let fixed: Vec<_> = types.iter().map(|ty| constant_length(ty)).collect();
    let open = fixed.iter().filter(|length| length.is_none()).count();
    let left = (bytes - fixed.iter().flatten().sum::<f64>()).max(0.0) / small(open.max(1));
    types.iter().zip(fixed).map(|(ty, length)| length.unwrap_or_else(|| single(ty, left))).collect()
}

/// The bytes of one value without lengths inside it.
fn content(ty: &Type, bytes: f64) -> f64 {
    match ty {
        Type::Tuple(_) | Type::User(..) => {
            let fixed: f64 = ty.parts().into_iter().filter_map(constant_length).sum();
            bytes.max(fixed)
        }
        _ => constant_length(ty).unwrap_or(bytes),
    }
}

/// The length of every value of a type, whether or not it is stored with its length.
fn constant_length(ty: &Type) -> Option<f64> {
    match ty {
        Type::Native(native) => constant(*native),
        Type::Vector(..) | Type::Custom(_) => ty.value_length_if_fixed().map(small),
        Type::List(..) | Type::Set(..) | Type::Map(..) | Type::Tuple(_) | Type::User(..) => None,
    }
}

/// The length of every value of a native type, whether or not it is stored with its length.
fn constant(native: NativeType) -> Option<f64> {
    match native {
        NativeType::Tinyint => Some(1.0),
        NativeType::Smallint => Some(2.0),
        NativeType::Date => Some(4.0),
        NativeType::Time => Some(8.0),
        other => other.value_length_if_fixed().map(small),
    }
}
