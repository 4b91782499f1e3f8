//! The types of expressions.

use cql::types::{NativeType, Type};

use super::{BinaryOperation, Expression, ScalarFunction};

impl<T> Expression<T> {
    /// Its type, where the leaves have these; text for null.
    pub fn ty(&self, of: &impl Fn(&T) -> Type) -> Type {
        match self {
            Self::Column(column) => of(column),
            Self::Constant(_, ty) | Self::Cast(_, ty) => (*ty).into(),
            Self::Null => NativeType::Text.into(),
            Self::Round(..) => NativeType::Decimal.into(),
            Self::Not(_) | Self::IsNull(_) => NativeType::Boolean.into(),
            Self::Case(branches, otherwise) => {
                let values = branches.iter().map(|(_, value)| value).chain([&**otherwise]);
                common_type(values, of)
            }
            Self::Binary(operation, left, right) => match operation {
                BinaryOperation::Add | BinaryOperation::Subtract | BinaryOperation::Multiply => {
                    common_type([&**left, &**right].into_iter(), of)
                }
                BinaryOperation::Concatenate => NativeType::Text.into(),
                _ => NativeType::Boolean.into(),
            },
            Self::Call(function, arguments) => match function {
                ScalarFunction::Lower | ScalarFunction::Upper | ScalarFunction::Trim => {
                    NativeType::Text.into()
                }
                ScalarFunction::Length => NativeType::Int.into(),
                ScalarFunction::Coalesce
                | ScalarFunction::Absolute
                | ScalarFunction::Greatest
                | ScalarFunction::Least => common_type(arguments.iter(), of),
            },
        }
    }
}

/// The type that all values are converted to; that of the first where they are no numbers.
fn common_type<'a, T: 'a>(
    values: impl Iterator<Item = &'a Expression<T>>,
    of: &impl Fn(&T) -> Type,
) -> Type {
    let mut types = values
        .filter(|value| !matches!(value, Expression::Null))
        .map(|value| value.ty(of))
        .peekable();
    let first = types.peek().cloned().unwrap_or_else(|| NativeType::Text.into());
    let widest = types.max_by_key(number_rank);
    widest.filter(|widest| number_rank(widest).is_some()).unwrap_or(first)
}

/// The place of a type of numbers: values of a lower one are values of a higher one.
fn number_rank(ty: &Type) -> Option<u8> {
    let Type::Native(native) = ty else { return None };
    match native {
        NativeType::Smallint => Some(1),
        NativeType::Int => Some(2),
        NativeType::Bigint => Some(3),
        NativeType::Decimal => Some(4),
        NativeType::Float => Some(5),
        NativeType::Double => Some(6),
        _ => None,
    }
}

/// Whether two values of these types can be compared or stand beside each other in a COALESCE.
pub(crate) fn is_alike(one: &Type, other: &Type) -> bool {
    let is_text = |ty: &Type| matches!(ty, Type::Native(NativeType::Text | NativeType::Ascii));
    one == other
        || (number_rank(one).is_some() && number_rank(other).is_some())
        || (is_text(one) && is_text(other))
}

/// Whether a value of one type is cast to the other with the same meaning everywhere.
pub(crate) fn can_cast(from: &Type, to: &Type) -> bool {
    use NativeType::{Bigint, Date, Decimal, Double, Float, Int, Smallint, Timestamp};
    let (Type::Native(one), Type::Native(other)) = (from, to) else { return from == to };
    is_alike(from, to)
        && !matches!((one, other), (Float | Double, Smallint | Int | Bigint | Decimal) | (_, Float))
        || from == to
        || matches!((one, other), (Timestamp, Date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_the_widest_number() {
        let coalesce = |parts| Expression::Call(ScalarFunction::Coalesce, parts);
        let int = Expression::Constant("0".to_owned(), NativeType::Int);
        let sum = coalesce(vec![Expression::Null, Expression::Column(1), int]);
        assert_eq!(sum.ty(&|_| NativeType::Decimal.into()), NativeType::Decimal.into());
        assert_eq!(sum.ty(&|_| NativeType::Smallint.into()), NativeType::Int.into());
        let name = coalesce(vec![Expression::Column(1), Expression::Column(2)]);
        assert_eq!(name.ty(&|_| NativeType::Text.into()), NativeType::Text.into());
        assert_eq!(name.columns(), [&1, &2]);
    }

    #[test]
    fn casts_that_round_are_refused() {
        let can = |from: NativeType, to: NativeType| can_cast(&from.into(), &to.into());
        assert!(can(NativeType::Bigint, NativeType::Int));
        assert!(can(NativeType::Decimal, NativeType::Double));
        assert!(can(NativeType::Timestamp, NativeType::Date));
        assert!(!can(NativeType::Double, NativeType::Int));
        assert!(!can(NativeType::Int, NativeType::Text));
    }
}
