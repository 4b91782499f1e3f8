//! The comparison of serialised values.

use std::cmp::Ordering;

use super::collection::{CollectionKind, compare_collections};
use super::decimal::compare_decimals;
use super::float::{compare_doubles, compare_floats};
use super::integer::{compare_signed, compare_varints};
use super::tuple::compare_tuples;
use super::uuid::{compare_lexical, compare_timeuuids, compare_uuids};
use super::vector::compare_vectors;
use crate::types::{NativeType, Type};

/// Compares values in the order of clustering columns, map keys and set elements. Bytes that are
/// not valid values have an arbitrary order.
pub fn compare(ty: &Type, a: &[u8], b: &[u8]) -> Ordering {
    match ty {
        Type::Native(native) => compare_native(*native, a, b),
        Type::List(element, _) => compare_collections(CollectionKind::List, &[element], a, b),
        Type::Set(element, _) => compare_collections(CollectionKind::Set, &[element], a, b),
        Type::Map(entry, _) => {
            compare_collections(CollectionKind::Map, &[&entry.0, &entry.1], a, b)
        }
        Type::Tuple(_) | Type::User(..) => compare_tuples(&ty.parts(), a, b),
        Type::Vector(element, dimension) => compare_vectors(element, *dimension, a, b),
        Type::Custom(_) if ty.value_length_if_fixed() == Some(16) => compare_lexical(a, b),
        Type::Custom(_) => a.cmp(b),
    }
}

/// The order of a clustering column declared `DESC`.
pub fn compare_reversed(ty: &Type, a: &[u8], b: &[u8]) -> Ordering {
    compare(ty, b, a)
}

fn compare_native(native: NativeType, a: &[u8], b: &[u8]) -> Ordering {
    match native {
        NativeType::Tinyint
        | NativeType::Smallint
        | NativeType::Int
        | NativeType::Bigint
        | NativeType::Counter
        | NativeType::Timestamp => compare_signed(a, b),
        NativeType::Varint => compare_varints(a, b),
        NativeType::Decimal => compare_decimals(a, b),
        NativeType::Double => compare_doubles(a, b),
        NativeType::Float => compare_floats(a, b),
        NativeType::Uuid => compare_uuids(a, b),
        NativeType::Timeuuid => compare_timeuuids(a, b),
        NativeType::Boolean => {
            let truth = |bytes: &[u8]| bytes.first().map(|byte| *byte != 0);
            truth(a).cmp(&truth(b))
        }
        // Durations have no meaningful order; their bytes are compared.
        NativeType::Ascii
        | NativeType::Blob
        | NativeType::Date
        | NativeType::Duration
        | NativeType::Inet
        | NativeType::Text
        | NativeType::Time => a.cmp(b),
    }
}
