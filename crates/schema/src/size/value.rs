//! The bytes of values.

use cql::types::{NativeType, Type};

use super::ColumnLayout;

/// The bytes of a number in Cassandra's variable-length form: seven bits a byte, and all eight in
/// the ninth.
pub(super) fn vint(number: f64) -> f64 {
    let mut bytes = 1.0;
    let mut end = 128.0;
    while number >= end && bytes < 8.0 {
        bytes += 1.0;
        end *= 128.0;
    }
    if number >= end { 9.0 } else { bytes }
}

/// The bytes of a value preceded by its length.
pub(super) fn with_length(bytes: f64) -> f64 {
    vint(bytes) + bytes
}

/// The bytes of a partition key: a single column is bare, several have two bytes of length and a
/// terminator each.
pub(super) fn key(columns: &[ColumnLayout]) -> f64 {
    let around = if columns.len() > 1 { 3.0 } else { 0.0 };
    columns.iter().map(|field| around + raw_bytes(field)).sum()
}

/// The bytes of a value in a cell or clustering column: with its length, unless the type is of
/// fixed length.
pub(super) fn cell_bytes(field: &ColumnLayout) -> f64 {
    if field.ty.value_length_if_fixed().is_some() {
        raw_bytes(field)
    } else {
        with_length(raw_bytes(field))
    }
}

/// The bytes of a value as a whole, frozen if it is a collection.
fn raw_bytes(field: &ColumnLayout) -> f64 {
    let around = |parts: usize| 4.0 * small(parts);
    match &field.ty {
        Type::List(element, _) | Type::Set(element, _) => {
            4.0 + field.items * (4.0 + single(element, field.bytes))
        }
        Type::Map(entry, _) => 4.0 + field.items * (8.0 + pair(entry, field.bytes)),
        Type::Tuple(types) => around(types.len()) + single(&field.ty, field.bytes),
        Type::User(user, _) => around(user.fields.len()) + single(&field.ty, field.bytes),
        Type::Native(_) | Type::Vector(..) | Type::Custom(_) => single(&field.ty, field.bytes),
    }
}

/// The bytes of a value as clients see it: of a collection all elements, without their framing.
pub(super) fn client_bytes(field: &ColumnLayout) -> f64 {
    match &field.ty {
        Type::List(element, _) | Type::Set(element, _) => {
            field.items * single(element, field.bytes)
        }
        Type::Map(entry, _) => field.items * pair(entry, field.bytes),
        ty => single(ty, field.bytes),
    }
}

/// The bytes of a map entry.
fn pair(entry: &(Type, Type), bytes: f64) -> f64 {
    single(&entry.0, bytes) + single(&entry.1, bytes)
}

/// The bytes of one value: the fixed length of its type, or those given; for a tuple or user type
/// at least the fixed lengths of its fields.
pub(super) fn single(ty: &Type, bytes: f64) -> f64 {
    match ty {
        Type::Native(native) => constant(*native).unwrap_or(bytes),
        Type::Tuple(_) | Type::User(..) => {
            let fixed: f64 = ty.parts().into_iter().map(|part| single(part, 0.0)).sum();
            bytes.max(fixed)
        }
        Type::Vector(element, dimension) => ty
            .value_length_if_fixed()
            .map_or_else(|| f64::from(*dimension) * with_length(single(element, bytes)), small),
        Type::Custom(_) => ty.value_length_if_fixed().map_or(bytes, small),
        Type::List(..) | Type::Set(..) | Type::Map(..) => bytes,
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

/// A count or length as `f64`; values above 32 bits do not occur here.
pub(super) fn small(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::vint;

    #[test]
    fn lengths_of_numbers() {
        // The examples of the format's specification, and the limits of every length.
        let two = |power: i32| 2_f64.powi(power);
        let numbers = [
            (0.0, 1.0),
            (127.0, 1.0),
            (128.0, 2.0),
            (300.0, 2.0),
            (16_383.0, 2.0),
            (16_384.0, 3.0),
            (two(21) - 1.0, 3.0),
            (two(21), 4.0),
            (two(28), 5.0),
            (two(35), 6.0),
            (two(42), 7.0),
            (two(49) - 1.0, 7.0),
            (two(49), 8.0),
            (two(53), 8.0),
            (two(56), 9.0),
            (two(63), 9.0),
        ];
        for (number, length) in numbers {
            assert!((vint(number) - length).abs() < 0.5, "{number} has {} bytes", vint(number));
        }
    }
}
