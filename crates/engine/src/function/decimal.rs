//! Decimal arithmetic with the precision and rounding of Java's `BigDecimal`.

use std::cmp::Ordering;

use cql::value::Decimal;
use num_bigint::{BigInt, Sign};
use schema::refusal::ArithmeticFailure;

/// The maximum precision of sums and products.
pub(super) const MAX_DIGITS: u64 = 10_000;
/// The minimum precision of quotients, and their minimum scale.
pub(super) const MIN_DIGITS: i64 = 32;
/// The maximum scale of quotients.
const MAX_SCALE: i64 = 1000;
/// The maximum difference of scales that are aligned digit by digit.
const MAX_GAP: i64 = 100_000;

/// The rounding of a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    HalfUp,
    HalfEven,
}

/// 10^exponent
pub(super) fn power_of_ten(exponent: u64) -> BigInt {
    BigInt::from(10).pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

/// The number of digits; zero has one.
pub(super) fn precision(number: &Decimal) -> u64 {
    number.unscaled.magnitude().to_string().len() as u64
}

pub(super) fn is_zero(number: &Decimal) -> bool {
    number.unscaled.sign() == Sign::NoSign
}

/// The rounded quotient of two integers.
pub(super) fn divide_rounded(by: &BigInt, number: &BigInt, rounding: Rounding) -> BigInt {
    let (quotient, rest) = (number / by, number % by);
    let twice = rest.magnitude() * 2_u32;
    let is_up = match twice.cmp(by.magnitude()) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => rounding == Rounding::HalfUp || quotient.bit(0),
    };
    if !is_up {
        quotient
    } else if (number.sign() == Sign::Minus) == (by.sign() == Sign::Minus) {
        quotient + 1
    } else {
        quotient - 1
    }
}

/// Rounds a number to this many digits.
pub(super) fn round(number: Decimal, digits: u64, rounding: Rounding) -> Decimal {
    let mut number = number;
    loop {
        let surplus = precision(&number).saturating_sub(digits);
        if surplus == 0 {
            return number;
        }
        let unscaled = divide_rounded(&power_of_ten(surplus), &number.unscaled, rounding);
        let scale = i64::from(number.scale) - i64::try_from(surplus).unwrap_or(i64::MAX);
        number = Decimal { unscaled, scale: clamp_scale(scale) };
    }
}

fn clamp_scale(scale: i64) -> i32 {
    i32::try_from(scale).unwrap_or(if scale < 0 { i32::MIN } else { i32::MAX })
}

/// The unscaled values of two decimals at the greater of their scales.
fn align(a: &Decimal, b: &Decimal) -> (BigInt, BigInt, i32) {
    let gap = i64::from(a.scale).abs_diff(i64::from(b.scale));
    let factor = power_of_ten(gap);
    if a.scale < b.scale {
        (&a.unscaled * factor, b.unscaled.clone(), b.scale)
    } else {
        (a.unscaled.clone(), &b.unscaled * factor, a.scale)
    }
}

/// The sum, rounded to [`MAX_DIGITS`].
pub(super) fn add(a: &Decimal, b: &Decimal) -> Decimal {
    let gap = i64::from(a.scale) - i64::from(b.scale);
    if gap.abs() <= MAX_GAP {
        let (x, y, scale) = align(a, b);
        return round(Decimal { unscaled: x + y, scale }, MAX_DIGITS, Rounding::HalfUp);
    }
    if is_zero(a) || is_zero(b) {
        let (other, scale) = if is_zero(a) { (b, a.scale) } else { (a, b.scale) };
        return pad(round(other.clone(), MAX_DIGITS, Rounding::HalfUp), scale);
    }
    // The scales are far apart: the smaller number only affects rounding.
    let (great, small) = if gap < 0 { (a, b) } else { (b, a) };
    let digits = MAX_DIGITS + 3;
    let missing = digits.saturating_sub(precision(great));
    let trace = if small.unscaled.sign() == Sign::Minus { -1 } else { 1 };
    let unscaled = &great.unscaled * power_of_ten(missing) + trace;
    let scale = i64::from(great.scale) + i64::try_from(missing).unwrap_or(0);
    round(Decimal { unscaled, scale: clamp_scale(scale) }, MAX_DIGITS, Rounding::HalfUp)
}

/// The number with trailing zeros up to that scale, within [`MAX_DIGITS`].
fn pad(number: Decimal, scale: i32) -> Decimal {
    let wanted = i64::from(scale) - i64::from(number.scale);
    let room = i64::try_from(MAX_DIGITS.saturating_sub(precision(&number))).unwrap_or(0);
    let pad = wanted.clamp(0, room);
    let factor = power_of_ten(u64::try_from(pad).unwrap_or(0));
    Decimal {
        unscaled: number.unscaled * factor,
        scale: clamp_scale(i64::from(number.scale) + pad),
    }
}

/// The negated number.
pub(super) fn negate(number: &Decimal) -> Decimal {
    Decimal { unscaled: -&number.unscaled, scale: number.scale }
}

/// The product, rounded to [`MAX_DIGITS`].
pub(super) fn multiply(a: &Decimal, b: &Decimal) -> Result<Decimal, ArithmeticFailure> {
    let scale = i64::from(a.scale) + i64::from(b.scale);
    let Ok(scale) = i32::try_from(scale) else {
        return Err(if scale > 0 {
            ArithmeticFailure::Underflow
        } else {
            ArithmeticFailure::Overflow
        });
    };
    let product = Decimal { unscaled: &a.unscaled * &b.unscaled, scale };
    Ok(round(product, MAX_DIGITS, Rounding::HalfUp))
}

/// The quotient, without trailing zeros.
pub(super) fn divide(a: &Decimal, b: &Decimal) -> Result<Decimal, ArithmeticFailure> {
    if is_zero(b) {
        return Err(ArithmeticFailure::BigIntegerByZero);
    }
    let top = |n: &Decimal| i64::try_from(precision(n)).unwrap_or(0) - i64::from(n.scale);
    let scale = MIN_DIGITS - (top(a) - top(b));
    let scale = scale.max(a.scale.into()).max(b.scale.into()).clamp(MIN_DIGITS, MAX_SCALE);
    Ok(strip(divide_to_scale(a, b, scale, Rounding::HalfUp), i32::MIN))
}

/// The quotient at this scale.
pub(super) fn divide_to_scale(a: &Decimal, b: &Decimal, scale: i64, rounding: Rounding) -> Decimal {
    // a / b = (x / y) * 10^(b.scale - a.scale)
    let shift = scale + i64::from(b.scale) - i64::from(a.scale);
    let digits = i64::try_from(precision(a) + precision(b)).unwrap_or(i64::MAX);
    if -shift > digits + 1 {
        return Decimal { unscaled: BigInt::default(), scale: clamp_scale(scale) };
    }
    let factor = power_of_ten(shift.unsigned_abs());
    let unscaled = if shift >= 0 {
        divide_rounded(&b.unscaled, &(&a.unscaled * factor), rounding)
    } else {
        divide_rounded(&(&b.unscaled * factor), &a.unscaled, rounding)
    };
    Decimal { unscaled, scale: clamp_scale(scale) }
}

/// Strips trailing zeros down to a minimum scale; zero loses its scale.
pub(super) fn strip(number: Decimal, least_scale: i32) -> Decimal {
    if is_zero(&number) {
        let scale = if least_scale == i32::MIN { 0 } else { number.scale };
        return Decimal { scale, ..number };
    }
    let digits = number.unscaled.magnitude().to_string();
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let room = i64::from(number.scale) - i64::from(least_scale);
    let count = i64::try_from(zeros).unwrap_or(0).min(room.max(0));
    let factor = power_of_ten(u64::try_from(count).unwrap_or(0));
    let scale = clamp_scale(i64::from(number.scale) - count);
    Decimal { unscaled: number.unscaled / factor, scale }
}

/// The remainder of a division.
pub(super) fn remainder(a: &Decimal, b: &Decimal) -> Result<Decimal, ArithmeticFailure> {
    if is_zero(b) {
        return Err(if is_zero(a) {
            ArithmeticFailure::ZeroByZero
        } else {
            ArithmeticFailure::DecimalByZero
        });
    }
    let gap = i64::from(a.scale) - i64::from(b.scale);
    if is_zero(a) {
        return Ok(a.clone());
    }
    if gap.abs() > MAX_GAP {
        return far_remainder(a, b);
    }
    let (x, y, scale) = align(a, b);
    let (quotient, rest) = (&x / &y, x % y);
    let rest = Decimal { unscaled: rest, scale };
    // Java chooses the scale of the quotient so that the result has the scale of the dividend, if
    // there are enough zeros.
    let quotient = Decimal { unscaled: quotient, scale: 0 };
    let wanted = if gap >= 0 || is_zero(&quotient) {
        a.scale
    } else {
        let stripped = strip(quotient, clamp_scale(gap));
        a.scale.max(clamp_scale(i64::from(stripped.scale) + i64::from(b.scale)))
    };
    Ok(strip(rest, wanted).with_scale(wanted))
}

/// The remainder for scales that are far apart: only a divisor much greater than the dividend is
/// simple.
fn far_remainder(a: &Decimal, b: &Decimal) -> Result<Decimal, ArithmeticFailure> {
    let is_less = Decimal { unscaled: a.unscaled.magnitude().clone().into(), scale: a.scale }
        .compare(&Decimal { unscaled: b.unscaled.magnitude().clone().into(), scale: b.scale })
        .is_lt();
    if is_less { Ok(a.clone()) } else { Err(ArithmeticFailure::Overflow) }
}

/// Decimals at another scale.
trait WithScale {
    fn with_scale(self, scale: i32) -> Self;
}

impl WithScale for Decimal {
    /// The same number at a scale that loses nothing; for zero, any scale.
    fn with_scale(self, scale: i32) -> Self {
        if is_zero(&self) {
            return Self { scale, ..self };
        }
        let pad = i64::from(scale) - i64::from(self.scale);
        let factor = power_of_ten(u64::try_from(pad).unwrap_or(0));
        Self { unscaled: self.unscaled * factor, scale: scale.max(self.scale) }
    }
}
