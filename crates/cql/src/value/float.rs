//! Floating-point numbers, parsed and printed as in Java.

use std::cmp::Ordering;

use super::error::{TextForm, ValueError, refuse_form};
use super::float_digits::{BinaryFloat, DecimalDigits};

/// Parses a double.
pub(super) fn parse_double(text: &str) -> Result<f64, ValueError> {
    match java_number(text).and_then(|number| number.to_f64()) {
        Some(number) => Ok(number),
        None => refuse_form(TextForm::Number, format!("Unable to make double from '{text}'")),
    }
}

/// Parses a float.
pub(super) fn parse_float(text: &str) -> Result<f32, ValueError> {
    match java_number(text).and_then(|number| number.to_f32()) {
        Some(number) => Ok(number),
        None => refuse_form(TextForm::Number, format!("Unable to make float from '{text}'")),
    }
}

/// A number in Java's grammar of floating-point literals.
enum JavaNumber<'a> {
    NaN,
    Infinity { negative: bool },
    Decimal(&'a str),
    Hexadecimal { negative: bool, mantissa: u64, exponent: i32 },
}

impl JavaNumber<'_> {
    fn to_f64(&self) -> Option<f64> {
        match self {
            Self::NaN => Some(f64::NAN),
            Self::Infinity { negative } => {
                Some(if *negative { f64::NEG_INFINITY } else { f64::INFINITY })
            }
            Self::Decimal(text) => text.parse().ok(),
            Self::Hexadecimal { negative, mantissa, exponent } => {
                let magnitude = scale_binary(*mantissa, *exponent);
                Some(if *negative { -magnitude } else { magnitude })
            }
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "narrowing rounds, as the server's own conversion does"
    )]
    fn to_f32(&self) -> Option<f32> {
        match self {
            Self::Decimal(text) => text.parse().ok(),
            _ => self.to_f64().map(|wide| wide as f32),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a mantissa of more than 53 bits is rounded once, here"
)]
fn scale_binary(mantissa: u64, exponent: i32) -> f64 {
    let mut value = mantissa as f64;
    // In steps, so that intermediate results do not underflow.
    let mut left = exponent.clamp(-2200, 2200);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step);
        left -= step;
    }
    value
}

fn java_number(text: &str) -> Option<JavaNumber<'_>> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    match unsigned {
        "NaN" => return Some(JavaNumber::NaN),
        "Infinity" => return Some(JavaNumber::Infinity { negative }),
        _ => {}
    }
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let (mantissa, exponent) =
            hexadecimal(digits.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(digits))?;
        return Some(JavaNumber::Hexadecimal { negative, mantissa, exponent });
    }
    let number = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    is_decimal(number.strip_prefix(['+', '-']).unwrap_or(number))
        .then_some(JavaNumber::Decimal(number))
}

/// Whether a text is digits with an optional point and exponent.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    !(whole.is_empty() && fraction.is_empty())
        && digits(whole)
        && digits(fraction)
        && exponent.is_none_or(|text| !text.is_empty() && digits(text))
}

/// Parses `1.8p3` after its `0x`: the mantissa as an integer and the binary exponent. Digits beyond
/// 64 bits are dropped.
fn hexadecimal(text: &str) -> Option<(u64, i32)> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0_u64;
    for (digit, after_point) in
        whole.chars().map(|c| (c, false)).chain(fraction.chars().map(|c| (c, true)))
    {
        let digit = u64::from(digit.to_digit(16)?);
        if value >> 60 == 0 {
            value = value << 4 | digit;
            exponent = exponent.saturating_sub(if after_point { 4 } else { 0 });
        } else if !after_point {
            exponent = exponent.saturating_add(4);
        }
    }
    Some((value, exponent))
}

/// Compares in Java's order: all `NaN` are equal and greatest, `-0.0` is less than `0.0`. Empty
/// values come first.
pub(super) fn compare_doubles(a: &[u8], b: &[u8]) -> Ordering {
    let read = |bytes: &[u8]| bytes.first_chunk().map(|bytes| f64::from_be_bytes(*bytes));
    compare_java(read(a), read(b))
}

/// Compares floats in the same order.
pub(super) fn compare_floats(a: &[u8], b: &[u8]) -> Ordering {
    let read =
        |bytes: &[u8]| bytes.first_chunk().map(|bytes| f64::from(f32::from_be_bytes(*bytes)));
    compare_java(read(a), read(b))
}

fn compare_java(a: Option<f64>, b: Option<f64>) -> Ordering {
    let (Some(a), Some(b)) = (a, b) else { return a.is_some().cmp(&b.is_some()) };
    match (a.is_nan(), b.is_nan()) {
        (false, false) => a.total_cmp(&b),
        (a, b) => a.cmp(&b),
    }
}

/// A double as Java prints it.
pub(super) fn print_double(value: f64) -> String {
    print_java(value, || BinaryFloat::from_double(value).digits())
}

/// A float as Java prints it.
pub(super) fn print_float(value: f32) -> String {
    print_java(value.into(), || BinaryFloat::from_float(value).digits())
}

/// Plain from 10^-3 up to 10^7, otherwise with an exponent; always with a digit after the point.
fn print_java(value: f64, digits: impl FnOnce() -> DecimalDigits) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let DecimalDigits { digits, exponent } = digits();
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let or_zero = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
    match exponent {
        1..8 => {
            let point = usize::try_from(exponent).unwrap_or(0);
            let padded = format!("{text:0<point$}");
            let (whole, fraction) = padded.split_at(point);
            format!("{sign}{whole}.{}", or_zero(fraction))
        }
        -2..1 => format!("{sign}0.{}{text}", "0".repeat(exponent.unsigned_abs() as usize)),
        _ => {
            let (first, rest) = text.split_at(1.min(text.len()));
            format!("{sign}{first}.{}E{}", or_zero(rest), exponent - 1)
        }
    }
}
