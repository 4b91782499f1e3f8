//! Decimal arithmetic with the precision, rounding and range of Java's `BigDecimal`.
//!
//! A decimal of five bytes may have a thousand million digits. Java computes them, or fails when a
//! number exceeds the range of its integers; here, numbers of more than [`MAX_POWER`] digits fail in
//! the same way.

use std::cmp::Ordering;

use cql::value::Decimal;
use num_bigint::{BigInt, Sign};
use schema::refusal::ArithmeticFailure;

/// The maximum precision of sums and products.
pub(super) const MAX_DIGITS: i64 = 10_000;
/// The minimum precision of quotients, and their minimum scale.
pub(super) const MIN_DIGITS: i64 = 32;
/// The maximum scale of quotients.
const MAX_SCALE: i32 = 1000;
/// The greatest power of ten that is computed: about a megabyte.
const MAX_POWER: i64 = 2_600_000;
/// The least power of ten that Java refuses to compute.
pub(super) const JAVA_MAX_POWER: i64 = 536_870_920;

/// The result of an operation.
pub(super) type Arithmetic<T = Decimal> = Result<T, ArithmeticFailure>;

/// The rounding of a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    HalfUp,
    HalfEven,
    Down,
}

/// 10^exponent; 1 for a negative exponent.
pub(super) fn power_of_ten(exponent: i64) -> Arithmetic<BigInt> {
    if exponent > MAX_POWER {
        return Err(ArithmeticFailure::IntegerRange);
    }
    Ok(BigInt::from(10).pow(u32::try_from(exponent).unwrap_or(0)))
}

/// Refuses an integer whose multiplication or division would take longer than a request may.
pub(super) fn check_size(number: &BigInt) -> Arithmetic<()> {
    let max_bits = MAX_POWER.unsigned_abs() * 10 / 3;
    if number.bits() > max_bits { Err(ArithmeticFailure::IntegerRange) } else { Ok(()) }
}

pub(super) fn is_zero(number: &Decimal) -> bool {
    number.unscaled.sign() == Sign::NoSign
}

/// The scale of a number; that of zero is clamped to the range.
fn check_scale(number: &Decimal, scale: i64) -> Arithmetic<i32> {
    match i32::try_from(scale) {
        Ok(scale) => Ok(scale),
        Err(_) if is_zero(number) => Ok(if scale > 0 { i32::MAX } else { i32::MIN }),
        Err(_) if scale > 0 => Err(ArithmeticFailure::Underflow),
        Err(_) => Err(ArithmeticFailure::Overflow),
    }
}

/// The scale of a rounded number. Java names the failure by the lower bits of the scale.
#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn check_rounded_scale(scale: i64) -> Arithmetic<i32> {
    i32::try_from(scale).map_err(|_| {
        if scale as i32 > 0 { ArithmeticFailure::Underflow } else { ArithmeticFailure::Overflow }
    })
}

/// The rounded quotient of two integers; the divisor is not zero.
pub(super) fn divide_rounded(by: &BigInt, number: &BigInt, rounding: Rounding) -> BigInt {
    let quotient = number / by;
    if rounding == Rounding::Down {
        return quotient;
    }
    let rest = number - &quotient * by;
    let is_up = match (rest.magnitude() * 2_u32).cmp(by.magnitude()) {
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
pub(super) fn round(number: Decimal, digits: i64, rounding: Rounding) -> Arithmetic {
    let mut number = number;
    loop {
        let surplus = number.precision() - digits;
        if surplus <= 0 {
            return Ok(number);
        }
        let scale = check_rounded_scale(i64::from(number.scale) - surplus)?;
        let unscaled = divide_rounded(&power_of_ten(surplus)?, &number.unscaled, rounding);
        number = Decimal { unscaled, scale };
    }
}

/// The number at another scale, rounded if the scale is less.
pub(super) fn set_scale(number: &Decimal, scale: i32, rounding: Rounding) -> Arithmetic {
    if is_zero(number) {
        return Ok(Decimal { unscaled: BigInt::default(), scale });
    }
    let raise = i64::from(scale) - i64::from(number.scale);
    check_scale(number, raise.abs())?;
    let unscaled = if raise >= 0 {
        &number.unscaled * power_of_ten(raise)?
    } else if -raise > number.precision() && -raise < JAVA_MAX_POWER {
        // Less than a tenth.
        BigInt::default()
    } else {
        divide_rounded(&power_of_ten(-raise)?, &number.unscaled, rounding)
    };
    Ok(Decimal { unscaled, scale })
}

/// The exact sum.
pub(super) fn add_exactly(a: &Decimal, b: &Decimal) -> Arithmetic {
    let scale = a.scale.max(b.scale);
    let (a, b) = (set_scale(a, scale, Rounding::Down)?, set_scale(b, scale, Rounding::Down)?);
    Ok(Decimal { unscaled: a.unscaled + b.unscaled, scale })
}

/// The sum, rounded to [`MAX_DIGITS`].
pub(super) fn add(a: &Decimal, b: &Decimal) -> Arithmetic {
    if is_zero(a) || is_zero(b) {
        return add_zero(a, b);
    }
    let (great, small) = if a.scale <= b.scale { (a, b) } else { (b, a) };
    // A number far below the last digit of the result only affects its rounding.
    let last_digit = i64::from(great.scale) - great.precision() + MAX_DIGITS;
    let last_digit = last_digit.max(great.scale.into());
    let first_digit = i64::from(small.scale) - small.precision() + 1;
    let sum = if great.scale != small.scale && first_digit > last_digit + 2 {
        let trace = if small.unscaled.sign() == Sign::Minus { -1 } else { 1 };
        let scale = check_scale(a, last_digit + 3)?;
        add_exactly(great, &Decimal { unscaled: trace.into(), scale })?
    } else {
        add_exactly(great, small)?
    };
    round(sum, MAX_DIGITS, Rounding::HalfUp)
}

/// The sum of two numbers, one of which is zero: the other one with the greater scale, as far as
/// [`MAX_DIGITS`] allow.
fn add_zero(a: &Decimal, b: &Decimal) -> Arithmetic {
    let wanted = a.scale.max(b.scale);
    if is_zero(a) && is_zero(b) {
        return Ok(Decimal { unscaled: BigInt::default(), scale: wanted });
    }
    let number = if is_zero(a) { b } else { a };
    let number = round(number.clone(), MAX_DIGITS, Rounding::HalfUp)?;
    let room = i32::try_from(MAX_DIGITS - number.precision()).unwrap_or(0);
    let missing = wanted.wrapping_sub(number.scale);
    let scale = if room >= missing { wanted } else { number.scale.wrapping_add(room) };
    set_scale(&number, scale, Rounding::Down)
}

/// The negated number.
pub(super) fn negate(number: &Decimal) -> Decimal {
    Decimal { unscaled: -&number.unscaled, scale: number.scale }
}

/// The product, rounded to [`MAX_DIGITS`].
pub(super) fn multiply(a: &Decimal, b: &Decimal) -> Arithmetic {
    let scale = check_scale(a, i64::from(a.scale) + i64::from(b.scale))?;
    check_size(&a.unscaled)?;
    check_size(&b.unscaled)?;
    let product = Decimal { unscaled: &a.unscaled * &b.unscaled, scale };
    round(product, MAX_DIGITS, Rounding::HalfUp)
}

/// The quotient, without trailing zeros.
pub(super) fn divide(a: &Decimal, b: &Decimal) -> Arithmetic {
    check_size(&a.unscaled)?;
    check_size(&b.unscaled)?;
    let top = |n: &Decimal| i32::try_from(n.precision()).unwrap_or(i32::MAX).wrapping_sub(n.scale);
    let scale = 32_i32.wrapping_sub(top(a).wrapping_sub(top(b)));
    let scale = scale.max(a.scale).max(b.scale).clamp(32, MAX_SCALE);
    Ok(strip(divide_to_scale(a, b, scale, Rounding::HalfUp)?, i32::MIN))
}

/// The quotient at this scale.
pub(super) fn divide_to_scale(
    a: &Decimal,
    b: &Decimal,
    scale: i32,
    rounding: Rounding,
) -> Arithmetic {
    let wide = i64::from(scale) + i64::from(b.scale);
    let unscaled = if check_scale(a, wide)? > a.scale {
        let raise = scale.wrapping_add(b.scale).wrapping_sub(a.scale);
        let dividend = &a.unscaled * power_of_ten(raise.into())?;
        refuse_zero(b)?;
        divide_rounded(&b.unscaled, &dividend, rounding)
    } else {
        let wide = check_scale(b, i64::from(a.scale) - i64::from(scale))?;
        let raise = i64::from(wide.wrapping_sub(b.scale));
        if raise > a.precision() && raise < JAVA_MAX_POWER && !is_zero(b) {
            // Less than a tenth.
            BigInt::default()
        } else {
            let divisor = &b.unscaled * power_of_ten(raise)?;
            refuse_zero(b)?;
            divide_rounded(&divisor, &a.unscaled, rounding)
        }
    };
    Ok(Decimal { unscaled, scale })
}

fn refuse_zero(divisor: &Decimal) -> Arithmetic<()> {
    if is_zero(divisor) { Err(ArithmeticFailure::BigIntegerByZero) } else { Ok(()) }
}

/// Strips trailing zeros down to a minimum scale; zero loses its scale.
pub(super) fn strip(number: Decimal, least_scale: i32) -> Decimal {
    if is_zero(&number) {
        let scale = if least_scale == i32::MIN { 0 } else { number.scale };
        return Decimal { scale, ..number };
    }
    let room = i64::from(number.scale) - i64::from(least_scale);
    // A number with n zeros is a multiple of 2^n.
    let twos = i64::try_from(number.unscaled.trailing_zeros().unwrap_or(0)).unwrap_or(0);
    let (mut unscaled, mut scale, mut room) = (number.unscaled, number.scale, room.min(twos));
    let mut zeros = if room > 0 { 1 << room.ilog2() } else { 0 };
    while zeros > 0 {
        if let Some(power) = (zeros <= room).then(|| power_of_ten(zeros).ok()).flatten() {
            let quotient = &unscaled / &power;
            if &quotient * power == unscaled {
                unscaled = quotient;
                scale -= i32::try_from(zeros).unwrap_or(0);
                room -= zeros;
            }
        }
        zeros /= 2;
    }
    Decimal { unscaled, scale }
}

/// Java computes the quotient of a remainder with as many digits as it may have, and fails before
/// it raises the dividend if that exceeds the range of an `int`.
fn check_quotient_range(a: &Decimal, b: &Decimal, gap: i64) -> Arithmetic<()> {
    const LIMIT: i64 = i32::MAX as i64;
    if gap.abs() < LIMIT / 2 {
        return Ok(());
    }
    let digits = a.precision() + (10 * b.precision() + 2) / 3 + gap.abs() + 2;
    let mantissa = |n: &Decimal| Decimal {
        unscaled: n.unscaled.magnitude().clone().into(),
        scale: i32::try_from(n.precision()).unwrap_or(i32::MAX),
    };
    let is_above = mantissa(a).compare(&mantissa(b)).is_gt();
    if digits.min(LIMIT) + b.precision() - a.precision() - i64::from(is_above) > LIMIT {
        Err(ArithmeticFailure::Overflow)
    } else if gap.abs() > LIMIT {
        Err(ArithmeticFailure::IntegerRange)
    } else {
        Ok(())
    }
}

/// The remainder of a division.
pub(super) fn remainder(a: &Decimal, b: &Decimal) -> Arithmetic {
    if is_zero(b) {
        return Err(if is_zero(a) {
            ArithmeticFailure::ZeroByZero
        } else {
            ArithmeticFailure::DecimalByZero
        });
    }
    check_size(&a.unscaled)?;
    check_size(&b.unscaled)?;
    let magnitude =
        |n: &Decimal| Decimal { unscaled: n.unscaled.magnitude().clone().into(), scale: n.scale };
    if is_zero(a) || magnitude(a).compare(&magnitude(b)).is_lt() {
        return Ok(a.clone());
    }
    let gap = i64::from(a.scale) - i64::from(b.scale);
    check_quotient_range(a, b, gap)?;
    let scale = a.scale.max(b.scale);
    let x = set_scale(a, scale, Rounding::Down)?.unscaled;
    let y = set_scale(b, scale, Rounding::Down)?.unscaled;
    let quotient = &x / &y;
    let rest = Decimal { unscaled: x - &quotient * y, scale };
    // Java chooses the scale of the quotient so that the result has the scale of the dividend, if
    // there are enough zeros.
    let quotient = Decimal { unscaled: quotient, scale: 0 };
    let wanted = if gap >= 0 {
        a.scale
    } else {
        let stripped = strip(quotient, i32::try_from(gap).unwrap_or(i32::MIN));
        a.scale.max(check_scale(b, i64::from(stripped.scale) + i64::from(b.scale))?)
    };
    let rest = strip(rest, wanted);
    let wanted = if is_zero(&rest) { wanted } else { wanted.max(rest.scale) };
    set_scale(&rest, wanted, Rounding::Down)
}
