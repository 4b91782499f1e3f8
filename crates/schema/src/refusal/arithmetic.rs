//! Why arithmetic fails, in Java's words.

use std::fmt;

use cql::value::ValueError;

/// A failure of arithmetic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArithmeticFailure {
    /// A whole number is divided by zero.
    IntegerByZero,
    /// A large whole number, or a decimal, is divided by zero.
    BigIntegerByZero,
    /// The remainder of a division of a decimal by zero.
    DecimalByZero,
    /// The remainder of a division of zero by zero.
    ZeroByZero,
    /// The result is too large.
    Overflow,
    /// The result is too small.
    Underflow,
    /// A decimal is made of what is no number.
    NanToDecimal,
    /// A decimal is made of an infinite number.
    InfiniteToDecimal,
    /// The natural logarithm of zero or less.
    NaturalLogarithm,
    /// The decimal logarithm of zero or less.
    DecimalLogarithm,
    /// A duration is added that is more precise than the moment.
    DurationPrecision {
        /// What the moment is precise to.
        unit: &'static str,
        /// The duration.
        duration: String,
    },
    /// The bytes of a duration are none.
    Duration(ValueError),
}

impl fmt::Display for ArithmeticFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IntegerByZero => "/ by zero",
            Self::BigIntegerByZero => "BigInteger divide by zero",
            Self::DecimalByZero => "Division by zero",
            Self::ZeroByZero => "Division undefined",
            Self::Overflow => "Overflow",
            Self::Underflow => "Underflow",
            Self::NanToDecimal => "A NaN cannot be converted into a decimal",
            Self::InfiniteToDecimal => "An infinite number cannot be converted into a decimal",
            Self::NaturalLogarithm => "Natural log of number zero or less",
            Self::DecimalLogarithm => "Log10 of number zero or less",
            Self::DurationPrecision { unit, duration } => {
                return write!(f, "The duration must have a {unit} precision. Was: {duration}");
            }
            Self::Duration(error) => return error.fmt(f),
        })
    }
}
