//! [`Number`]: values of the numeric types, with Java's conversions.

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal, Value};
use num_bigint::BigInt;
use schema::refusal::ArithmeticFailure;

use super::decimal::{Rounding, power_of_ten, set_scale};

/// A number of one of the numeric types.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Number {
    Tinyint(i8),
    Smallint(i16),
    Int(i32),
    /// A bigint or a counter.
    Bigint(i64),
    Float(f32),
    Double(f64),
    Decimal(Decimal),
    Varint(BigInt),
}

impl Number {
    /// Decodes a number; `None` for an empty value.
    pub(super) fn read(ty: &Type, bytes: &[u8]) -> Option<Self> {
        Some(match value::decode(ty, bytes).ok()? {
            Value::Tinyint(n) => Self::Tinyint(n),
            Value::Smallint(n) => Self::Smallint(n),
            Value::Int(n) => Self::Int(n),
            Value::Bigint(n) | Value::Counter(n) => Self::Bigint(n),
            Value::Float(n) => Self::Float(n),
            Value::Double(n) => Self::Double(n),
            Value::Decimal(n) => Self::Decimal(n),
            Value::Varint(n) => Self::Varint(n),
            _ => return None,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Tinyint(n) => n.to_be_bytes().to_vec(),
            Self::Smallint(n) => n.to_be_bytes().to_vec(),
            Self::Int(n) => n.to_be_bytes().to_vec(),
            Self::Bigint(n) => n.to_be_bytes().to_vec(),
            Self::Float(n) => n.to_be_bytes().to_vec(),
            Self::Double(n) => n.to_be_bytes().to_vec(),
            Self::Decimal(n) => n.to_bytes(),
            Self::Varint(n) => n.to_signed_bytes_be(),
        }
    }

    /// `Number.longValue()`
    #[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
    pub(super) fn long(&self) -> i64 {
        match self {
            Self::Tinyint(n) => (*n).into(),
            Self::Smallint(n) => (*n).into(),
            Self::Int(n) => (*n).into(),
            Self::Bigint(n) => *n,
            Self::Float(n) => *n as i64,
            Self::Double(n) => *n as i64,
            Self::Decimal(n) => decimal_low_bits(n),
            Self::Varint(n) => low_bits(n),
        }
    }

    /// `Number.intValue()`
    #[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
    pub(super) fn int(&self) -> i32 {
        match self {
            Self::Float(n) => *n as i32,
            Self::Double(n) => *n as i32,
            other => other.long() as i32,
        }
    }

    /// `Number.doubleValue()`
    pub(super) fn double(&self) -> f64 {
        match self {
            Self::Float(n) => (*n).into(),
            Self::Double(n) => *n,
            Self::Decimal(n) => print_leading_digits(n).parse().unwrap_or(f64::NAN),
            Self::Varint(n) => {
                let number = Decimal { unscaled: n.clone(), scale: 0 };
                print_leading_digits(&number).parse().unwrap_or(f64::NAN)
            }
            other => other.long() as f64,
        }
    }

    /// `Number.floatValue()`
    #[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
    pub(super) fn float(&self) -> f32 {
        match self {
            Self::Float(n) => *n,
            Self::Double(n) => *n as f32,
            Self::Decimal(n) => print_leading_digits(n).parse().unwrap_or(f32::NAN),
            Self::Varint(n) => {
                let number = Decimal { unscaled: n.clone(), scale: 0 };
                print_leading_digits(&number).parse().unwrap_or(f32::NAN)
            }
            other => other.long() as f32,
        }
    }

    /// The `BigInteger` of arithmetic.
    pub(super) fn big_integer(&self) -> BigInt {
        match self {
            Self::Varint(n) => n.clone(),
            other => other.long().into(),
        }
    }

    /// The `BigDecimal` of arithmetic: by way of a double, except for varint and decimal.
    pub(super) fn big_decimal(&self) -> Result<Decimal, ArithmeticFailure> {
        match self {
            Self::Decimal(n) => Ok(n.clone()),
            Self::Varint(n) => Ok(Decimal { unscaled: n.clone(), scale: 0 }),
            other => {
                let double = other.double();
                if double.is_nan() {
                    return Err(ArithmeticFailure::NanToDecimal);
                }
                if double.is_infinite() {
                    return Err(ArithmeticFailure::InfiniteToDecimal);
                }
                Ok(parse_decimal(&print_number(NativeType::Double, &double.to_be_bytes())))
            }
        }
    }
}

/// The lower 64 bits.
fn low_bits(number: &BigInt) -> i64 {
    let bytes = number.to_signed_bytes_be();
    let fill = if number.sign() == num_bigint::Sign::Minus { 0xff } else { 0 };
    let mut low = [fill; 8];
    for (to, from) in low.iter_mut().rev().zip(bytes.iter().rev()) {
        *to = *from;
    }
    i64::from_be_bytes(low)
}

/// `BigDecimal.longValue()`: the lower bits of the integer part. A multiple of 10^64 has none.
fn decimal_low_bits(number: &Decimal) -> i64 {
    let is_fraction = number.precision() <= i64::from(number.scale);
    if is_fraction || number.scale <= -64 {
        return 0;
    }
    set_scale(number, 0, Rounding::Down).map_or(0, |whole| low_bits(&whole.unscaled))
}

/// The digits that determine the nearest floating-point number. All others are represented by one.
fn print_leading_digits(number: &Decimal) -> String {
    const MAX_DIGITS: i64 = 1000;
    let surplus = number.precision() - MAX_DIGITS;
    if surplus <= 1 {
        return number.to_string();
    }
    let shift = i64::from(number.scale) - surplus + 1;
    match (power_of_ten(surplus), i32::try_from(shift)) {
        (Ok(power), Ok(scale)) => {
            let digit = if number.unscaled.sign() == num_bigint::Sign::Minus { -1 } else { 1 };
            Decimal { unscaled: &number.unscaled / power * 10 + digit, scale }.to_string()
        }
        _ => number.to_string(),
    }
}

/// Prints a number as Java does.
pub(super) fn print_number(ty: NativeType, bytes: &[u8]) -> String {
    value::literal(&ty.into(), Some(bytes)).unwrap_or_default()
}

/// Parses a decimal.
pub(super) fn parse_decimal(digits: &str) -> Decimal {
    let bytes = value::from_text(&NativeType::Decimal.into(), digits, 0);
    let read = bytes.ok().and_then(|bytes| Decimal::from_bytes(&bytes));
    read.unwrap_or(Decimal { unscaled: BigInt::default(), scale: 0 })
}
