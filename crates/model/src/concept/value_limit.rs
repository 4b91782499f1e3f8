//! What the type of a column says about its values beyond their CQL type.

use cql::types::NativeType;

use crate::expression::{BinaryOperation, Expression, ScalarFunction};

/// The values that a type allows: `PostgreSQL` refuses others, Cassandra does not know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueLimit {
    /// The labels of an enum.
    Labels(Vec<String>),
    /// `varchar(n)`: at most so many characters.
    Longest(u32),
    /// `char(n)`: so many characters. `PostgreSQL` pads shorter values with blanks; here there must
    /// be none.
    Exactly(u32),
    /// `numeric(precision, scale)`: values are rounded to so many digits after the point, halves away
    /// from zero, and must not have more digits than the precision.
    Digits {
        /// All digits.
        precision: u32,
        /// Those after the point.
        scale: u32,
    },
}

impl ValueLimit {
    /// The condition that a value meets, and how SQL writes it.
    pub fn check<T: Clone>(&self, column: &T, name: &str) -> (Expression<T>, String) {
        let column = || Expression::Column(column.clone());
        let compare =
            |operation, left, right| Expression::Binary(operation, Box::new(left), Box::new(right));
        let length = || Expression::Call(ScalarFunction::Length, vec![column()]);
        let whole = |number: u32| Expression::Constant(number.to_string(), NativeType::Int);
        match self {
            Self::Labels(labels) => {
                let quoted: Vec<String> =
                    labels.iter().map(|it| format!("'{}'", it.replace('\'', "''"))).collect();
                let is_label = |label: &String| {
                    let label = Expression::Constant(label.clone(), NativeType::Text);
                    compare(BinaryOperation::Equal, column(), label)
                };
                let no_label = Expression::Constant("false".to_owned(), NativeType::Boolean);
                let any = quoted
                    .iter()
                    .map(is_label)
                    .reduce(|one, other| compare(BinaryOperation::Or, one, other));
                (any.unwrap_or(no_label), format!("{name} IN ({})", quoted.join(", ")))
            }
            Self::Longest(most) | Self::Exactly(most) => (
                compare(BinaryOperation::LessOrEqual, length(), whole(*most)),
                format!("length({name}) <= {most}"),
            ),
            Self::Digits { precision, scale } => {
                let limit = power_of_ten(*precision, *scale);
                let size = Expression::Call(ScalarFunction::Absolute, vec![column()]);
                let bound = Expression::Constant(limit.clone(), NativeType::Decimal);
                let condition = compare(BinaryOperation::Less, size, bound);
                (condition, format!("abs({name}) < {limit}"))
            }
        }
    }

    /// The digits after the point to which values are rounded.
    pub const fn scale(&self) -> Option<u32> {
        match self {
            Self::Digits { scale, .. } => Some(*scale),
            Self::Labels(_) | Self::Longest(_) | Self::Exactly(_) => None,
        }
    }
}

/// The least number that has too many digits: 10 to the power of the digits before the point.
fn power_of_ten(precision: u32, scale: u32) -> String {
    let zeros = |count: u32| "0".repeat(count.min(1_000) as usize);
    match precision.checked_sub(scale) {
        Some(digits) => format!("1{}", zeros(digits)),
        None => format!("0.{}1", zeros(scale - precision - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_conditions() {
        let text = |limit: &ValueLimit| limit.check(&(), "x").1;
        assert_eq!(text(&ValueLimit::Longest(20)), "length(x) <= 20");
        assert_eq!(text(&ValueLimit::Exactly(2)), "length(x) <= 2");
        let labels = ["a", "it's"].map(str::to_owned).to_vec();
        assert_eq!(text(&ValueLimit::Labels(labels)), "x IN ('a', 'it''s')");
        let digits = |precision, scale| text(&ValueLimit::Digits { precision, scale });
        assert_eq!(digits(10, 2), "abs(x) < 100000000");
        assert_eq!(digits(2, 2), "abs(x) < 1");
        assert_eq!(digits(2, 4), "abs(x) < 0.01");
    }
}
