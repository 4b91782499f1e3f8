//! Integers: four fixed widths, and one of arbitrary length.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::error::{TextForm, ValueError, refuse, refuse_form};

/// Parses a number of a fixed width from digits with an optional sign.
pub(super) fn parse_fixed<N: std::str::FromStr>(text: &str, kind: &str) -> Result<N, ValueError> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => refuse_form(TextForm::Number, format!("Unable to make {kind} from '{text}'")),
    }
}

/// Parses a number of any size from digits with an optional sign.
pub(super) fn parse_varint(text: &str) -> Result<BigInt, ValueError> {
    match parse_big_integer(text) {
        Some(number) => Ok(number),
        None => refuse(format!("unable to make int from '{text}'")),
    }
}

/// Parses digits with an optional sign.
pub(super) fn parse_big_integer(text: &str) -> Option<BigInt> {
    /// Longer numbers would take seconds to parse.
    const MAX_DIGITS: usize = 2_600_000;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number || digits.len() > MAX_DIGITS {
        return None;
    }
    let magnitude = from_digits(digits)?;
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Long numbers are built from their halves: digit by digit would take quadratic time.
fn from_digits(digits: &str) -> Option<BigInt> {
    const SHORT: usize = 500;
    if digits.len() <= SHORT {
        return digits.parse().ok();
    }
    let low = digits.len() / 2;
    let (high, low_digits) = digits.split_at_checked(digits.len() - low)?;
    Some(
        from_digits(high)? * BigInt::from(10_u8).pow(u32::try_from(low).ok()?)
            + from_digits(low_digits)?,
    )
}

/// Compares bytes of one length as signed numbers. Empty values come first.
pub(super) fn compare_signed(a: &[u8], b: &[u8]) -> Ordering {
    let (Some(first_a), Some(first_b)) = (a.first(), b.first()) else {
        return a.len().cmp(&b.len());
    };
    first_a.cast_signed().cmp(&first_b.cast_signed()).then_with(|| a.cmp(b))
}

/// Compares numbers of arbitrary length, which may have redundant sign bytes.
pub(super) fn compare_varints(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (trim_sign_bytes(a), trim_sign_bytes(b));
    let (Some(first_a), Some(first_b)) = (a.first(), b.first()) else {
        return a.len().cmp(&b.len());
    };
    let (negative_a, negative_b) = (first_a.cast_signed() < 0, first_b.cast_signed() < 0);
    match (negative_a, negative_b) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (true, true) => b.len().cmp(&a.len()).then_with(|| a.cmp(b)),
        (false, false) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
    }
}

/// The bytes without leading ones that only repeat the sign.
fn trim_sign_bytes(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        let Some(second) = rest.first() else { break };
        let redundant = match first {
            0x00 => second.cast_signed() >= 0,
            0xff => second.cast_signed() < 0,
            _ => false,
        };
        if !redundant {
            break;
        }
        bytes = rest;
    }
    bytes
}
