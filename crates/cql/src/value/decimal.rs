//! [`Decimal`]: an unscaled number and a scale.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

use super::error::{ValueError, refuse};
use super::integer::parse_big_integer;

/// `unscaled` x 10^-`scale`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// The digits as an integer.
    pub unscaled: BigInt,
    /// The number of digits after the decimal point; negative for trailing zeros.
    pub scale: i32,
}

impl Decimal {
    /// Parses digits with an optional sign, point and exponent. The error is Java's reason.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (digits, scale) = scan(text)?;
        Ok(Self { unscaled: parse_big_integer(&digits).ok_or("Not a number.")?, scale })
    }

    /// The encoding: the scale, then the unscaled number.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.scale.to_be_bytes().to_vec();
        out.extend(self.unscaled.to_signed_bytes_be());
        out
    }

    /// Decodes at least four bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, unscaled) = bytes.split_first_chunk::<4>()?;
        Some(Self {
            scale: i32::from_be_bytes(*scale),
            unscaled: BigInt::from_signed_bytes_be(unscaled),
        })
    }

    /// Compares by value: `1.0` equals `1.00`.
    pub fn compare(&self, other: &Self) -> Ordering {
        let (sign, other_sign) = (self.unscaled.sign(), other.unscaled.sign());
        if sign != other_sign {
            return sign.cmp(&other_sign);
        }
        let order = match sign {
            Sign::NoSign => return Ordering::Equal,
            _ => self.compare_magnitude(other),
        };
        if sign == Sign::Minus { order.reverse() } else { order }
    }

    /// Compares absolute values of two nonzero numbers. The positions of the first digits are
    /// compared before any number is scaled up, so that a large difference of scales costs nothing.
    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let top = |number: &Self| {
            let (least, greatest) = digit_bounds(number.unscaled.magnitude());
            (least - i64::from(number.scale), greatest - i64::from(number.scale))
        };
        let ((least, greatest), (other_least, other_greatest)) = (top(self), top(other));
        if least > other_greatest {
            return Ordering::Greater;
        }
        if greatest < other_least {
            return Ordering::Less;
        }
        let (number, other_number) = (self.unscaled.magnitude(), other.unscaled.magnitude());
        // The first digits are close to each other: the difference of scales is at most the number
        // of digits.
        let gap = i64::from(self.scale) - i64::from(other.scale);
        let factor = BigUint::from(10_u8).pow(u32::try_from(gap.unsigned_abs()).unwrap_or(0));
        match gap.cmp(&0) {
            Ordering::Less => (number * factor).cmp(other_number),
            Ordering::Equal => number.cmp(other_number),
            Ordering::Greater => number.cmp(&(other_number * factor)),
        }
    }

    /// The number of digits; zero has one.
    pub fn precision(&self) -> i64 {
        let number = self.unscaled.magnitude();
        let (least, greatest) = digit_bounds(number);
        if least == greatest {
            return least;
        }
        let power = BigUint::from(10_u8).pow(u32::try_from(least).unwrap_or(u32::MAX));
        if *number >= power { greatest } else { least }
    }
}

/// The least and the greatest number of digits of a number with that many bits.
fn digit_bounds(number: &BigUint) -> (i64, i64) {
    // log10(2), as a multiple of 2^-32, rounded down and up.
    const LESS: u128 = 1_292_913_986;
    const MORE: u128 = LESS + 1;
    let digits = |bits: u64, factor: u128| {
        i64::try_from((u128::from(bits) * factor) >> 32).unwrap_or(i64::MAX - 1) + 1
    };
    let bits = number.bits();
    (digits(bits.saturating_sub(1), LESS), digits(bits, MORE))
}

/// The digits with their sign, and the scale.
fn scan(text: &str) -> Result<(String, i32), &'static str> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (
            text.get(..at).unwrap_or_default(),
            parse_exponent(text.get(at + 1..).unwrap_or_default())?,
        ),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0 || fraction.starts_with(['+', '-']) {
        return Err("No digits found.");
    }
    let scale = i64::try_from(fraction.len()).unwrap_or(i64::MAX).saturating_sub(exponent);
    let scale = i32::try_from(scale).map_err(|_| "Scale out of range.")?;
    Ok((format!("{whole}{fraction}"), scale))
}

/// Whether two texts are the same number. No number is built, as literals may be long.
pub(super) fn equal_numbers(a: &str, b: &str) -> Result<bool, &'static str> {
    let parts = |text: &str| {
        let (digits, scale) = scan(text)?;
        let unsigned = digits.trim_start_matches(['+', '-']).trim_start_matches('0');
        let top = i64::try_from(unsigned.len()).unwrap_or(i64::MAX) - i64::from(scale);
        let significant = unsigned.trim_end_matches('0').to_owned();
        let top = if significant.is_empty() { 0 } else { top };
        Ok((digits.starts_with('-') && !significant.is_empty(), top, significant))
    };
    Ok(parts(a)? == parts(b)?)
}

/// Java's rules: at most ten significant digits, within 32 bits.
fn parse_exponent(text: &str) -> Result<i64, &'static str> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() {
        return Err("No exponent digits.");
    }
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("Not a digit.");
    }
    let counting = if digits.len() > 10 { digits.trim_start_matches('0') } else { digits };
    if counting.len() > 10 {
        return Err("Too many nonzero exponent digits.");
    }
    let value: i64 =
        if counting.is_empty() { 0 } else { counting.parse().map_err(|_| "Not a digit.")? };
    let value = if text.starts_with('-') { -value } else { value };
    i32::try_from(value).map(i64::from).map_err(|_| "Exponent overflow.")
}

/// Parses a decimal literal.
pub(super) fn parse_decimal(text: &str) -> Result<Decimal, ValueError> {
    match Decimal::parse(text) {
        Ok(decimal) => Ok(decimal),
        Err(_) => refuse(format!("unable to make BigDecimal from '{text}'")),
    }
}

/// Compares serialised decimals. Empty values come first.
pub(super) fn compare_decimals(a: &[u8], b: &[u8]) -> Ordering {
    match (Decimal::from_bytes(a), Decimal::from_bytes(b)) {
        (Some(a), Some(b)) => a.compare(&b),
        _ => a.is_empty().cmp(&b.is_empty()).reverse(),
    }
}

/// Java's format: plain for small exponents, otherwise with one digit before the point.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unscaled.sign() == Sign::Minus {
            f.write_str("-")?;
        }
        let digits = self.unscaled.magnitude().to_string();
        let count = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let adjusted = count - 1 - i64::from(self.scale);
        if self.scale == 0 {
            return f.write_str(&digits);
        }
        if self.scale > 0 && adjusted >= -6 {
            let padded =
                format!("{digits:0>width$}", width = usize::try_from(self.scale).unwrap_or(0) + 1);
            let point = padded.len() - usize::try_from(self.scale).unwrap_or(0);
            let (whole, fraction) = padded.split_at(point);
            return write!(f, "{whole}.{fraction}");
        }
        let (first, rest) = digits.split_at(1);
        f.write_str(first)?;
        if !rest.is_empty() {
            write!(f, ".{rest}")?;
        }
        if adjusted == 0 { Ok(()) } else { write!(f, "E{adjusted:+}") }
    }
}
