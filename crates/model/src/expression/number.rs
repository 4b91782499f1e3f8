//! Arithmetic as `PostgreSQL` does it.

use cql::types::NativeType;
use cql::value::Decimal;
use num_bigint::{BigInt, Sign};

use super::BinaryOperation;
use super::scalar::Scalar;

/// A number of any type.
enum Operands {
    Whole(i64, i64, NativeType),
    Decimal(Decimal, Decimal),
    Double(f64, f64),
}

/// `+`, `-` or `*`; `None` where the result does not fit its type.
pub(super) fn compute(operation: BinaryOperation, left: &Scalar, right: &Scalar) -> Option<Scalar> {
    match to_common(left, right)? {
        Operands::Whole(left, right, ty) => {
            let number = match operation {
                BinaryOperation::Add => left.checked_add(right),
                BinaryOperation::Subtract => left.checked_sub(right),
                BinaryOperation::Multiply => left.checked_mul(right),
                _ => None,
            }?;
            fit_whole(number, ty)
        }
        Operands::Decimal(left, right) => {
            let number = if operation == BinaryOperation::Multiply {
                let scale = left.scale.checked_add(right.scale)?;
                Decimal { unscaled: left.unscaled * right.unscaled, scale }
            } else {
                let scale = left.scale.max(right.scale);
                let (left, right) = (rescale(&left, scale)?, rescale(&right, scale)?);
                let is_sum = operation == BinaryOperation::Add;
                Decimal { unscaled: if is_sum { left + right } else { left - right }, scale }
            };
            Some(Scalar::Decimal(number))
        }
        Operands::Double(left, right) => Some(Scalar::Double(match operation {
            BinaryOperation::Add => left + right,
            BinaryOperation::Subtract => left - right,
            _ => left * right,
        })),
    }
}

/// The order of two numbers.
pub(super) fn compare(left: &Scalar, right: &Scalar) -> Option<std::cmp::Ordering> {
    match to_common(left, right)? {
        Operands::Whole(left, right, _) => Some(left.cmp(&right)),
        // NaN is the greatest and equal to itself.
        Operands::Double(left, right) => {
            Some(left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan())))
        }
        Operands::Decimal(left, right) => {
            let scale = left.scale.max(right.scale);
            Some(rescale(&left, scale)?.cmp(&rescale(&right, scale)?))
        }
    }
}

/// A whole number of a type; `None` where it is out of range.
pub(super) fn fit_whole(number: i64, ty: NativeType) -> Option<Scalar> {
    let fits = match ty {
        NativeType::Tinyint => i8::try_from(number).is_ok(),
        NativeType::Smallint => i16::try_from(number).is_ok(),
        NativeType::Int => i32::try_from(number).is_ok(),
        _ => true,
    };
    fits.then_some(Scalar::Whole(number, ty))
}

fn to_common(left: &Scalar, right: &Scalar) -> Option<Operands> {
    Some(match (left, right) {
        (Scalar::Whole(left, one), Scalar::Whole(right, other)) => {
            let width = |ty: NativeType| match ty {
                NativeType::Tinyint => 0,
                NativeType::Smallint => 1,
                NativeType::Int => 2,
                _ => 3,
            };
            let wider = if width(*one) >= width(*other) { *one } else { *other };
            Operands::Whole(*left, *right, wider)
        }
        (Scalar::Double(_), _) | (_, Scalar::Double(_)) => {
            Operands::Double(to_double(left)?, to_double(right)?)
        }
        _ => Operands::Decimal(to_decimal(left)?, to_decimal(right)?),
    })
}

pub(super) fn to_decimal(of: &Scalar) -> Option<Decimal> {
    match of {
        Scalar::Whole(number, _) => Some(Decimal { unscaled: BigInt::from(*number), scale: 0 }),
        Scalar::Decimal(number) => Some(number.clone()),
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "that is what the conversion does")]
pub(super) fn to_double(of: &Scalar) -> Option<f64> {
    match of {
        Scalar::Whole(number, _) => Some(*number as f64),
        Scalar::Double(number) => Some(*number),
        Scalar::Decimal(number) => decimal_text(number).parse().ok(),
        _ => None,
    }
}

/// The digits at another scale, which is not smaller.
fn rescale(number: &Decimal, scale: i32) -> Option<BigInt> {
    let power = u32::try_from(scale.checked_sub(number.scale)?).ok().filter(|it| *it <= 1_000)?;
    Some(&number.unscaled * BigInt::from(10).pow(power))
}

/// A decimal with so many digits after the point, halves away from zero.
pub(super) fn round(number: &Decimal, digits: u32) -> Option<Decimal> {
    let scale = i32::try_from(digits).ok()?;
    if number.scale <= scale {
        return Some(number.clone());
    }
    let drop = u32::try_from(number.scale - scale).ok().filter(|it| *it <= 1_000)?;
    let unit = BigInt::from(10).pow(drop);
    let half: BigInt = &unit / 2;
    let unscaled = if number.unscaled.sign() == Sign::Minus {
        (&number.unscaled - half) / unit
    } else {
        (&number.unscaled + half) / unit
    };
    Some(Decimal { unscaled, scale })
}

/// A decimal as a whole number, halves away from zero.
pub(super) fn to_whole(number: &Decimal) -> Option<i64> {
    let scale = number.scale.max(0);
    let rounded = round(&Decimal { unscaled: rescale(number, scale)?, scale }, 0)?;
    i64::try_from(rounded.unscaled).ok()
}

/// The same number without zeros at the end.
pub(super) fn trim_zeros(mut number: Decimal) -> Decimal {
    let ten = BigInt::from(10);
    while number.scale > 0 && (&number.unscaled % &ten).sign() == Sign::NoSign {
        number.unscaled /= &ten;
        number.scale -= 1;
    }
    number
}

/// A decimal without an exponent.
pub(super) fn decimal_text(number: &Decimal) -> String {
    let digits = number.unscaled.magnitude().to_string();
    let sign = if number.unscaled.sign() == Sign::Minus { "-" } else { "" };
    let Ok(scale) = usize::try_from(number.scale) else {
        let zeros = "0".repeat(number.scale.unsigned_abs().min(1_000) as usize);
        return format!("{sign}{digits}{zeros}");
    };
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{sign}{whole}.{fraction}")
}
