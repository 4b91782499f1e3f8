//! Exponential and logarithm of decimals, to the precision of the argument and at least 32 digits.
//!
//! Computed in fixed-point integer arithmetic (`one` is the number 1) with guard digits, and
//! rounded once.

use cql::value::Decimal;
use num_bigint::{BigInt, Sign};
use schema::refusal::ArithmeticFailure;

use super::decimal::{MAX_DIGITS, MIN_DIGITS, Rounding, power_of_ten, precision, round, strip};
use super::number::integer_part;

/// The number of guard digits.
const GUARD_DIGITS: u64 = 20;
/// How often the argument of the power series is halved.
const HALVINGS: u32 = 8;

/// The precision of a result.
fn digits(number: &Decimal) -> u64 {
    precision(number).clamp(MIN_DIGITS.unsigned_abs(), MAX_DIGITS)
}

/// The exponential of a number.
pub(super) fn exp(number: &Decimal) -> Result<Decimal, ArithmeticFailure> {
    if number.unscaled.sign() == Sign::NoSign {
        return Ok(Decimal { unscaled: 1.into(), scale: 0 });
    }
    let fits = integer_part(number).is_some_and(|whole| i32::try_from(&whole).is_ok());
    if !fits {
        return Err(ArithmeticFailure::Overflow);
    }
    let wanted = digits(number);
    // The integer part has up to ten digits, which the multiple of ln 10 must not lose.
    let places = wanted + GUARD_DIGITS + 12;
    let one = power_of_ten(places);
    let ten = ln_ten(places);
    let argument = to_fixed(number, places);
    let mut exponent = &argument / &ten;
    if argument.sign() == Sign::Minus {
        exponent -= 1;
    }
    let rest = argument - &exponent * ten;
    let power = exp_fixed(&rest, &one);
    let exponent = i64::try_from(&exponent).unwrap_or(0);
    let scale = i64::try_from(places).unwrap_or(0) - exponent;
    let scale = i32::try_from(scale).map_err(|_| ArithmeticFailure::Overflow)?;
    Ok(round(Decimal { unscaled: power, scale }, wanted, Rounding::HalfEven))
}

/// The natural logarithm of a positive number.
pub(super) fn log(number: &Decimal) -> Decimal {
    log_to(number, digits(number))
}

/// The logarithm to base 10 of a positive number: as in Java's implementation, the quotient of two
/// logarithms with two more digits.
pub(super) fn log10(number: &Decimal) -> Decimal {
    let wanted = digits(number);
    let places = wanted + 2;
    let ten = log_to(&Decimal { unscaled: 10.into(), scale: 0 }, places);
    let quotient = divide(&log_to(number, places), &ten, places);
    round(quotient, wanted, Rounding::HalfEven)
}

fn log_to(number: &Decimal, wanted: u64) -> Decimal {
    if strip(number.clone(), i32::MIN) == (Decimal { unscaled: 1.into(), scale: 0 }) {
        return Decimal { unscaled: BigInt::default(), scale: 0 };
    }
    // Close to 1, the first digits of the logarithm are zeros.
    let size = precision(number);
    let places = wanted + size + GUARD_DIGITS;
    let one = power_of_ten(places);
    let top = i64::try_from(size).unwrap_or(0) - 1;
    let exponent = top - i64::from(number.scale);
    let mantissa =
        Decimal { unscaled: number.unscaled.clone(), scale: i32::try_from(top).unwrap_or(0) };
    let unscaled = log_fixed(&to_fixed(&mantissa, places), &one) + ln_ten(places) * exponent;
    let scale = i32::try_from(places).unwrap_or(i32::MAX);
    round(Decimal { unscaled, scale }, wanted, Rounding::HalfEven)
}

/// A quotient with this precision; an exact one has no more zeros than the scales require.
fn divide(a: &Decimal, b: &Decimal, digits: u64) -> Decimal {
    let wanted = i64::from(a.scale) - i64::from(b.scale);
    let wanted = i32::try_from(wanted).unwrap_or(0);
    if a.unscaled.sign() == Sign::NoSign {
        return Decimal { unscaled: BigInt::default(), scale: wanted };
    }
    let extra = digits + precision(b) + 2;
    let dividend = &a.unscaled * power_of_ten(extra);
    let (quotient, rest) = (&dividend / &b.unscaled, dividend % &b.unscaled);
    let is_exact = rest.sign() == Sign::NoSign;
    // A nonzero last digit keeps the truncated rest from being rounded as a tie.
    let quotient = if is_exact { quotient * 10 } else { quotient * 10 + rest_digit(a, b) };
    let scale = i64::from(wanted) + i64::try_from(extra).unwrap_or(0) + 1;
    let quotient = Decimal { unscaled: quotient, scale: i32::try_from(scale).unwrap_or(i32::MAX) };
    let rounded = round(quotient, digits, Rounding::HalfEven);
    if is_exact { strip(rounded, wanted) } else { rounded }
}

fn rest_digit(a: &Decimal, b: &Decimal) -> i32 {
    let is_negative = (a.unscaled.sign() == Sign::Minus) != (b.unscaled.sign() == Sign::Minus);
    if is_negative { -1 } else { 1 }
}

/// The fixed-point number of a decimal.
fn to_fixed(number: &Decimal, places: u64) -> BigInt {
    let shift = i64::try_from(places).unwrap_or(i64::MAX) - i64::from(number.scale);
    let factor = power_of_ten(shift.unsigned_abs());
    if shift >= 0 { &number.unscaled * factor } else { &number.unscaled / factor }
}

/// The exponential of a small non-negative number, by the power series after halving the argument.
fn exp_fixed(number: &BigInt, one: &BigInt) -> BigInt {
    // Each halving is undone by a squaring, which doubles the error; extra bits compensate.
    let guard = HALVINGS + 16;
    let one = one << guard;
    let small = (number << guard) >> HALVINGS;
    let mut sum = one.clone();
    let mut term = one.clone();
    let mut at = 1_u32;
    while term.sign() != Sign::NoSign {
        term = &term * &small / &one / at;
        sum += &term;
        at += 1;
    }
    for _ in 0..HALVINGS {
        sum = &sum * &sum / &one;
    }
    sum >> guard
}

/// The natural logarithm of a number from 1 up to 10: 2 artanh((n - 1) / (n + 1)), after square
/// roots have brought the number close to 1.
fn log_fixed(number: &BigInt, one: &BigInt) -> BigInt {
    let guard = HALVINGS + 24;
    let one = one << guard;
    let mut root = number << guard;
    for _ in 0..HALVINGS {
        root = (root * &one).sqrt();
    }
    let ratio = (&root - &one) * &one / (&root + &one);
    let square = &ratio * &ratio / &one;
    let mut power = ratio.clone();
    let mut sum = ratio;
    let mut at = 3_u32;
    while power.sign() != Sign::NoSign {
        power = &power * &square / &one;
        sum += &power / at;
        at += 2;
    }
    (sum << (HALVINGS + 1)) >> guard
}

/// The natural logarithm of 10.
fn ln_ten(places: u64) -> BigInt {
    let one = power_of_ten(places);
    log_fixed(&(&one * 10), &one)
}
