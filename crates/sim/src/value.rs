//! Typed values: constants, elements, conversion and order.

use std::cmp::Ordering;

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::Attribute;
pub(crate) use model::constant::{element_type, own_type as constant_type};
use model::expression::{Expression, Scalar, evaluate};
use model::workload::Comparison;

use crate::dataset::Datum;

/// A value and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedValue {
    pub(crate) ty: Type,
    pub(crate) bytes: Datum,
}

impl TypedValue {
    pub(crate) fn new(ty: impl Into<Type>, bytes: Datum) -> Self {
        Self { ty: ty.into(), bytes }
    }

    /// A `bigint`.
    pub(crate) fn bigint(number: i64) -> Self {
        Self::new(NativeType::Bigint, Some(number.to_be_bytes().to_vec()))
    }

    /// Null, of an arbitrary type.
    pub(crate) fn null() -> Self {
        Self::new(NativeType::Blob, None)
    }

    pub(crate) fn is_null(&self) -> bool {
        self.bytes.is_none()
    }

    /// The value as a whole number.
    pub(crate) fn to_integer(&self) -> Option<i64> {
        to_integer(&self.ty, self.bytes.as_deref()?)
    }

    /// The elements of an array; none for null.
    pub(crate) fn elements(&self) -> Vec<Self> {
        let (Some(bytes), Some(element)) = (&self.bytes, element_type(&self.ty)) else {
            return Vec::new();
        };
        let parts = value::split(&self.ty, bytes).unwrap_or_default();
        parts.into_iter().map(|part| Self::new(element.clone(), part.map(<[u8]>::to_vec))).collect()
    }

    /// The bytes of the same value in another type: whole numbers become wider or narrower, all
    /// else stays as it is.
    pub(crate) fn to_type(&self, ty: &Type) -> Datum {
        let bytes = self.bytes.clone()?;
        if self.ty == *ty || !is_integer(&self.ty) || !is_integer(ty) {
            return Some(bytes);
        }
        to_integer(&self.ty, &bytes).and_then(|number| integer_bytes(ty, number)).or(Some(bytes))
    }

    /// The order of two values by the type of this one; null is the greatest.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (&self.bytes, other.to_type(&self.ty)) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(other)) => value::compare(&self.ty, one, &other),
        }
    }

    /// Whether a comparison holds; it does not for null.
    pub(crate) fn matches_comparison(&self, comparison: Comparison, other: &Self) -> bool {
        !self.is_null() && !other.is_null() && matches_order(self.compare(other), comparison)
    }
}

/// Whether an order satisfies a comparison.
pub(crate) fn matches_order(order: Ordering, comparison: Comparison) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    }
}

/// A value as a CQL literal; `?` where the bytes are not a value of the type.
pub(crate) fn literal(ty: &Type, bytes: &Datum) -> String {
    value::literal(ty, bytes.as_deref()).unwrap_or_else(|_| "?".to_owned())
}

/// Types that compare and convert as whole numbers.
pub(crate) fn is_integer(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Native(
            NativeType::Tinyint
                | NativeType::Smallint
                | NativeType::Int
                | NativeType::Bigint
                | NativeType::Counter
                | NativeType::Varint
        )
    )
}

/// A whole number of any width: two's complement, the highest byte first.
pub(crate) fn to_integer(ty: &Type, bytes: &[u8]) -> Option<i64> {
    let (first, rest) = bytes.split_first()?;
    if !is_integer(ty) || rest.len() > 7 {
        return None;
    }
    let start = i64::from(first.cast_signed());
    Some(rest.iter().fold(start, |number, byte| (number << 8) | i64::from(*byte)))
}

/// The bytes of a whole number; `None` where it does not fit.
pub(crate) fn integer_bytes(ty: &Type, number: i64) -> Datum {
    match ty {
        Type::Native(NativeType::Bigint | NativeType::Counter) => {
            Some(number.to_be_bytes().to_vec())
        }
        Type::Native(NativeType::Int) => Some(i32::try_from(number).ok()?.to_be_bytes().to_vec()),
        Type::Native(NativeType::Smallint) => {
            Some(i16::try_from(number).ok()?.to_be_bytes().to_vec())
        }
        Type::Native(NativeType::Tinyint) => {
            Some(i8::try_from(number).ok()?.to_be_bytes().to_vec())
        }
        _ => value::from_text(ty, &number.to_string(), 0).ok(),
    }
}

/// The value of a CQL literal; null where it is not a value of the type.
pub(crate) fn parse_constant(ty: &Type, text: &str) -> TypedValue {
    TypedValue::new(ty.clone(), model::constant::to_bytes(ty, text))
}

/// A decimal with so many digits after the point, halves away from zero.
pub(crate) fn round_decimal(scale: u32, value: Option<&[u8]>) -> Datum {
    let rounding = Expression::Round(Box::new(Expression::Column(())), scale);
    let decimal = Type::Native(NativeType::Decimal);
    evaluate(&rounding, &mut |()| Scalar::from_bytes(&decimal, value))?.to_bytes()
}

/// A value with as many digits after the point as its column has.
pub(crate) fn round_to_scale(attribute: &Attribute, value: Datum) -> Datum {
    match attribute.scale() {
        Some(scale) => round_decimal(scale, value.as_deref()),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cql::types::{Frozenness, NativeType, Type};
    use model::workload::Comparison;

    use super::{TypedValue, parse_constant, to_integer};

    #[test]
    fn constants_become_bytes() {
        let text = parse_constant(&NativeType::Text.into(), "'it''s'");
        assert_eq!(text.bytes.as_deref(), Some(&b"it's"[..]));
        assert_eq!(parse_constant(&NativeType::Int.into(), "-7").to_integer(), Some(-7));
        assert!(parse_constant(&NativeType::Int.into(), "NULL").is_null());
        let list = Type::List(Arc::new(NativeType::Text.into()), Frozenness::No);
        let elements = parse_constant(&list, "['a,b', 'c']").elements();
        assert_eq!(elements.len(), 2);
        assert_eq!(elements[0].bytes.as_deref(), Some(&b"a,b"[..]));
    }

    #[test]
    fn whole_numbers_of_all_widths_compare() {
        let small = TypedValue::new(NativeType::Int, Some(300_i32.to_be_bytes().to_vec()));
        assert!(small.matches_comparison(Comparison::Less, &TypedValue::bigint(301)));
        assert!(!small.matches_comparison(Comparison::Less, &TypedValue::null()));
        assert_eq!(small.to_type(&NativeType::Bigint.into()), TypedValue::bigint(300).bytes);
        assert_eq!(to_integer(&NativeType::Smallint.into(), &[0xff, 0xfe]), Some(-2));
    }
}
