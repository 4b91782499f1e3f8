//! Exponential and logarithm of decimals, to the precision of the argument and at least 32 digits.
//!
//! Computed in fixed-point integer arithmetic (`1 << bits` is the number 1) with guard digits, and
//! rounded once.

use cql::value::Decimal;
use num_bigint::{BigInt, Sign};
use schema::refusal::ArithmeticFailure;

use super::decimal::{
    Arithmetic, JAVA_MAX_POWER, MAX_DIGITS, MIN_DIGITS, Rounding, add_exactly, check_size, is_zero,
    power_of_ten, round, set_scale, strip,
};

/// The number of guard digits.
const GUARD_DIGITS: i64 = 20;
/// The least number of halvings of the argument of a power series.
const MIN_HALVINGS: u64 = 8;

/// The precision of a result.
fn digits(number: &Decimal) -> i64 {
    number.precision().clamp(MIN_DIGITS, MAX_DIGITS)
}

/// The bits of that many decimal places.
fn bits(places: i64) -> u64 {
    places.unsigned_abs() * 10 / 3 + 16
}

/// The exponential of a number.
pub(super) fn exp(number: &Decimal) -> Arithmetic {
    if is_zero(number) {
        return Ok(Decimal { unscaled: 1.into(), scale: 0 });
    }
    check_size(&number.unscaled)?;
    let top = number.precision() - i64::from(number.scale);
    if i64::from(number.scale).abs() >= JAVA_MAX_POWER || top <= 10 {
        // The integer part must fit into 32 bits; Java computes it even of the smallest numbers.
        let whole = set_scale(number, 0, Rounding::Down)?;
        i32::try_from(whole.unscaled).map_err(|_| ArithmeticFailure::Overflow)?;
    } else {
        return Err(ArithmeticFailure::Overflow);
    }
    let wanted = digits(number);
    // The integer part has up to ten digits, which the multiple of ln 10 must not lose.
    let places = wanted + GUARD_DIGITS + 12;
    let bits = bits(places);
    let argument = to_fixed(number, places, bits)?;
    let ten = ln_ten(bits);
    let mut exponent = &argument / &ten;
    if argument.sign() == Sign::Minus {
        exponent -= 1;
    }
    let rest = argument - &exponent * ten;
    let power = exp_fixed(&rest, bits);
    let exponent = i64::try_from(&exponent).unwrap_or(0);
    let scale = i32::try_from(places - exponent).map_err(|_| ArithmeticFailure::Overflow)?;
    let unscaled = (power * power_of_ten(places)?) >> bits;
    round(Decimal { unscaled, scale }, wanted, Rounding::HalfEven)
}

/// The natural logarithm of a positive number.
pub(super) fn log(number: &Decimal) -> Arithmetic {
    check_log_range(number)?;
    log_to(number, digits(number))
}

/// The logarithm to base 10 of a positive number: as in Java's implementation, the quotient of two
/// logarithms with two more digits.
pub(super) fn log10(number: &Decimal) -> Arithmetic {
    check_log_range(number)?;
    let wanted = digits(number);
    let places = wanted + 2;
    let ten = log_to(&Decimal { unscaled: 10.into(), scale: 0 }, places)?;
    let quotient = divide(&log_to(number, places)?, &ten, places)?;
    round(quotient, wanted, Rounding::HalfEven)
}

/// Java's implementation normalises great numbers, and begins with the exponential of small ones.
fn check_log_range(number: &Decimal) -> Arithmetic<()> {
    check_size(&number.unscaled)?;
    let scale = i64::from(number.scale);
    let top = number.precision() - scale - 1;
    if top > i64::from(i32::MAX) || scale + MIN_DIGITS > i64::from(i32::MAX) {
        return Err(ArithmeticFailure::Overflow);
    }
    if scale >= JAVA_MAX_POWER { Err(ArithmeticFailure::IntegerRange) } else { Ok(()) }
}

fn log_to(number: &Decimal, wanted: i64) -> Arithmetic {
    let size = number.precision();
    let exponent = size - 1 - i64::from(number.scale);
    // Close to 1, the first digits of the logarithm are zeros.
    let mut zeros = 0;
    if matches!(exponent, -1 | 0) {
        let distance = add_exactly(number, &Decimal { unscaled: (-1).into(), scale: 0 })?;
        if is_zero(&distance) {
            return Ok(Decimal { unscaled: BigInt::default(), scale: 0 });
        }
        zeros = (i64::from(distance.scale) - distance.precision()).max(0);
        if zeros > wanted + GUARD_DIGITS {
            return round(slightly_less(distance, wanted)?, wanted, Rounding::HalfEven);
        }
    }
    let places = wanted + zeros + GUARD_DIGITS;
    let bits = bits(places);
    let scale = i32::try_from(size - 1).unwrap_or(i32::MAX);
    let mantissa = Decimal { unscaled: number.unscaled.clone(), scale };
    let fixed = log_fixed(&to_fixed(&mantissa, places, bits)?, bits) + ln_ten(bits) * exponent;
    let unscaled = (fixed * power_of_ten(places)?) >> bits;
    let scale = i32::try_from(places).unwrap_or(i32::MAX);
    round(Decimal { unscaled, scale }, wanted, Rounding::HalfEven)
}

/// The logarithm of 1 + x for a tiny x: x minus a trace that only affects the rounding.
fn slightly_less(distance: Decimal, wanted: i64) -> Arithmetic {
    let extra = wanted + 5;
    let scale = i64::from(distance.scale) + extra;
    let scale = i32::try_from(scale).map_err(|_| ArithmeticFailure::Overflow)?;
    Ok(Decimal { unscaled: distance.unscaled * power_of_ten(extra)? - 1, scale })
}

/// A quotient with this precision; an exact one has no more zeros than the scales require.
fn divide(a: &Decimal, b: &Decimal, digits: i64) -> Arithmetic {
    let wanted = i64::from(a.scale) - i64::from(b.scale);
    let wanted = i32::try_from(wanted).unwrap_or(0);
    if is_zero(a) {
        return Ok(Decimal { unscaled: BigInt::default(), scale: wanted });
    }
    let extra = digits + b.precision() + 2;
    let dividend = &a.unscaled * power_of_ten(extra)?;
    let (quotient, rest) = (&dividend / &b.unscaled, dividend % &b.unscaled);
    let is_exact = rest.sign() == Sign::NoSign;
    // A nonzero last digit keeps the truncated rest from being rounded as a tie.
    let quotient = if is_exact { quotient * 10 } else { quotient * 10 + rest_digit(a, b) };
    let scale = i32::try_from(i64::from(wanted) + extra + 1).unwrap_or(i32::MAX);
    let rounded = round(Decimal { unscaled: quotient, scale }, digits, Rounding::HalfEven)?;
    Ok(if is_exact { strip(rounded, wanted) } else { rounded })
}

fn rest_digit(a: &Decimal, b: &Decimal) -> i32 {
    let is_negative = (a.unscaled.sign() == Sign::Minus) != (b.unscaled.sign() == Sign::Minus);
    if is_negative { -1 } else { 1 }
}

/// The fixed-point number of a decimal that is exact to that many places. A number below them is
/// not zero: its sign affects the rounding.
fn to_fixed(number: &Decimal, places: i64, bits: u64) -> Arithmetic<BigInt> {
    if number.precision() - i64::from(number.scale) < -places {
        return Ok(if number.unscaled.sign() == Sign::Minus { -1 } else { 1 }.into());
    }
    Ok(if number.scale >= 0 {
        (&number.unscaled << bits) / power_of_ten(number.scale.into())?
    } else {
        (&number.unscaled * power_of_ten(-i64::from(number.scale))?) << bits
    })
}

/// The exponential of a small non-negative number, by the power series after halving the argument.
fn exp_fixed(number: &BigInt, bits: u64) -> BigInt {
    let halvings = MIN_HALVINGS + bits.isqrt() / 2;
    // Each halving is undone by a squaring, which doubles the error; extra bits compensate.
    let guard = halvings + 16;
    let bits = bits + guard;
    let small = (number << guard) >> halvings;
    let mut sum = BigInt::from(1) << bits;
    let mut term = sum.clone();
    let mut at = 1_u32;
    while term.sign() != Sign::NoSign {
        term = ((term * &small) >> bits) / at;
        sum += &term;
        at += 1;
    }
    for _ in 0..halvings {
        sum = (&sum * &sum) >> bits;
    }
    sum >> guard
}

/// The natural logarithm of a number from 1 up to 10: 2 artanh((n - 1) / (n + 1)), after square
/// roots have brought the number close to 1.
fn log_fixed(number: &BigInt, bits: u64) -> BigInt {
    let halvings = MIN_HALVINGS + bits.isqrt() / 16;
    let guard = halvings + 24;
    let bits = bits + guard;
    let one = BigInt::from(1) << bits;
    let mut root = number << guard;
    for _ in 0..halvings {
        root = (root << bits).sqrt();
    }
    let ratio = ((&root - &one) << bits) / (root + one);
    (artanh_series(&ratio, |power, square| (power * square) >> bits, bits) << (halvings + 1))
        >> guard
}

/// r + r^3/3 + r^5/5 + ...; `next` multiplies a power by the square of r.
fn artanh_series(ratio: &BigInt, next: impl Fn(BigInt, &BigInt) -> BigInt, bits: u64) -> BigInt {
    let square = (ratio * ratio) >> bits;
    let mut power = ratio.clone();
    let mut sum = ratio.clone();
    let mut at = 3_u32;
    loop {
        power = next(power, &square);
        if power.sign() == Sign::NoSign {
            return sum;
        }
        sum += &power / at;
        at += 2;
    }
}

/// The natural logarithm of 10, by Machin's method: 46 artanh(1/31) + 34 artanh(1/49) +
/// 20 artanh(1/161).
fn ln_ten(bits: u64) -> BigInt {
    const GUARD: u64 = 24;
    let bits = bits + GUARD;
    let part = |factor: u32, divisor: u32| {
        let ratio = (BigInt::from(1) << bits) / divisor;
        artanh_series(&ratio, |power, _| power / (divisor * divisor), bits) * factor
    };
    (part(46, 31) + part(34, 49) + part(20, 161)) >> GUARD
}
