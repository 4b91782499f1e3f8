//! Values that the client computes from the columns of a row, with the meaning of `PostgreSQL`.

use cql::types::{NativeType, Type};

use super::Comparison;

/// The expression of a result over the columns of a row; `C` names a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResultExpression<C> {
    /// A column.
    Column(C),
    /// A constant of a type, in CQL's spelling; `NULL` is null.
    Constant(Type, String),
    /// `COALESCE(...)`: the first that is not null.
    Coalesce(Vec<Self>),
    /// `CASE WHEN condition THEN value ... ELSE value END`
    Case {
        /// The conditions with their values: the first that is true decides.
        branches: Vec<(Self, Self)>,
        /// The value where none is true; null where there is none.
        otherwise: Option<Box<Self>>,
    },
    /// A comparison: true, false, or null where a side is null.
    Compare(Box<Self>, Comparison, Box<Self>),
    /// `IS NULL`
    IsNull(Box<Self>),
    /// `NOT`: null stays null.
    Not(Box<Self>),
    /// `AND`: false where one is false, else null where one is null.
    And(Box<Self>, Box<Self>),
    /// `OR`: true where one is true, else null where one is null.
    Or(Box<Self>, Box<Self>),
    /// `||` of two texts.
    Concat(Box<Self>, Box<Self>),
    /// A cast that `can_cast` allows.
    Cast(Box<Self>, Type),
}

impl<C> ResultExpression<C> {
    /// Its type, where the columns have these.
    pub fn ty(&self, of: &impl Fn(&C) -> Type) -> Type {
        match self {
            Self::Column(column) => of(column),
            Self::Constant(ty, _) | Self::Cast(_, ty) => ty.clone(),
            Self::Coalesce(parts) => common_type(parts.iter().map(|part| part.ty(of))),
            Self::Case { branches, otherwise } => {
                let values = branches.iter().map(|(_, value)| value).chain(otherwise.as_deref());
                common_type(values.map(|value| value.ty(of)))
            }
            Self::Concat(..) => NativeType::Text.into(),
            Self::Compare(..) | Self::IsNull(_) | Self::Not(_) | Self::And(..) | Self::Or(..) => {
                NativeType::Boolean.into()
            }
        }
    }

    /// Its columns, in the order of the text.
    pub fn columns(&self) -> Vec<&C> {
        match self {
            Self::Column(column) => vec![column],
            Self::Constant(..) => Vec::new(),
            Self::Coalesce(parts) => parts.iter().flat_map(Self::columns).collect(),
            Self::Case { branches, otherwise } => {
                let parts = branches.iter().flat_map(|(condition, value)| [condition, value]);
                parts.chain(otherwise.as_deref()).flat_map(Self::columns).collect()
            }
            Self::IsNull(part) | Self::Not(part) | Self::Cast(part, _) => part.columns(),
            Self::Compare(left, _, right)
            | Self::And(left, right)
            | Self::Or(left, right)
            | Self::Concat(left, right) => {
                [left, right].iter().flat_map(|it| it.columns()).collect()
            }
        }
    }

    /// The same expression over other columns.
    pub fn map<D>(&self, name: &mut impl FnMut(&C) -> D) -> ResultExpression<D> {
        let mut boxed = |part: &Self| Box::new(part.map(name));
        match self {
            Self::Column(column) => ResultExpression::Column(name(column)),
            Self::Constant(ty, text) => ResultExpression::Constant(ty.clone(), text.clone()),
            Self::Coalesce(parts) => {
                ResultExpression::Coalesce(parts.iter().map(|part| part.map(name)).collect())
            }
            Self::Case { branches, otherwise } => ResultExpression::Case {
                branches: branches
                    .iter()
                    .map(|(condition, value)| (condition.map(name), value.map(name)))
                    .collect(),
                otherwise: otherwise.as_ref().map(|value| Box::new(value.map(name))),
            },
            Self::Compare(left, comparison, right) => {
                ResultExpression::Compare(boxed(left), *comparison, boxed(right))
            }
            Self::IsNull(part) => ResultExpression::IsNull(boxed(part)),
            Self::Not(part) => ResultExpression::Not(boxed(part)),
            Self::And(left, right) => ResultExpression::And(boxed(left), boxed(right)),
            Self::Or(left, right) => ResultExpression::Or(boxed(left), boxed(right)),
            Self::Concat(left, right) => ResultExpression::Concat(boxed(left), boxed(right)),
            Self::Cast(part, ty) => ResultExpression::Cast(boxed(part), ty.clone()),
        }
    }
}

/// The type that all values of these types are converted to; that of the first where they are no
/// numbers.
fn common_type(types: impl Iterator<Item = Type>) -> Type {
    let mut types = types.peekable();
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
        let int = ResultExpression::Constant(NativeType::Int.into(), "0".to_owned());
        let sum = ResultExpression::Coalesce(vec![ResultExpression::Column(1), int]);
        assert_eq!(sum.ty(&|_| NativeType::Decimal.into()), NativeType::Decimal.into());
        assert_eq!(sum.ty(&|_| NativeType::Smallint.into()), NativeType::Int.into());
        let name = ResultExpression::Coalesce(vec![
            ResultExpression::Column(1),
            ResultExpression::Column(2),
        ]);
        assert_eq!(name.ty(&|_| NativeType::Text.into()), NativeType::Text.into());
        assert_eq!(name.columns(), [&1, &2]);
        assert_eq!(name.map(&mut |it| it + 1).columns(), [&2, &3]);
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
