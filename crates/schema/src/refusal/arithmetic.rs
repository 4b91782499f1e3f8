//! [`ArithmeticFailure`]: errors of arithmetic, with Java's texts.

use std::fmt;

use cql::value::ValueError;

/// An error of arithmetic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArithmeticFailure {
    /// Division of an integer by zero.
    IntegerByZero,
    /// Division of a varint or a decimal by zero.
    BigIntegerByZero,
    /// The remainder of a decimal by zero.
    DecimalByZero,
    /// The remainder of zero by zero.
    ZeroByZero,
    /// The result is too large.
    Overflow,
    /// The result is too small.
    Underflow,
    /// The result, or a step on the way, is too large for Java's integers.
    IntegerRange,
    /// The conversion of NaN to a decimal.
    NanToDecimal,
    /// The conversion of an infinite number to a decimal.
    InfiniteToDecimal,
    /// The natural logarithm of zero or a negative number.
    NaturalLogarithm,
    /// The decimal logarithm of zero or a negative number.
    DecimalLogarithm,
    /// The addition of a duration that is more precise than the time.
    DurationPrecision {
        /// The precision of the time.
        unit: &'static str,
        /// The duration.
        duration: String,
    },
    /// Invalid bytes of a duration.
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
            Self::IntegerRange => "BigInteger would overflow supported range",
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
