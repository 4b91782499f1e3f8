//! Values that the types of columns allow: labels, lengths, digits.

use cql::value::Decimal;
use model::concept::ValueLimit;
use model::expression::Scalar;
use num_bigint::BigInt;

use crate::value::round_decimal;

/// The most characters that are replaced at the end of a text that is too long, so that different
/// texts stay different.
const ENDING: usize = 8;

/// A value that a type allows, made from any value; the same where it is allowed.
pub(super) fn fit_value(limit: &ValueLimit, value: Vec<u8>) -> Vec<u8> {
    match limit {
        ValueLimit::Labels(labels) => {
            let is_label = labels.iter().any(|label| label.as_bytes() == value);
            let places = labels.len().max(1) as u64;
            let place = usize::try_from(hash(&value) % places).unwrap_or(0);
            match labels.get(place) {
                Some(label) if !is_label => label.clone().into_bytes(),
                _ => value,
            }
        }
        ValueLimit::Longest(most) => shorten(value, *most as usize),
        ValueLimit::Exactly(exact) => {
            let mut text = shorten(value, *exact as usize);
            let length = String::from_utf8_lossy(&text).chars().count();
            text.extend(std::iter::repeat_n(b'x', (*exact as usize).saturating_sub(length)));
            text
        }
        ValueLimit::Digits { precision, scale } => {
            let rounded = round_decimal(*scale, Some(&value));
            let decimal = rounded.as_deref().and_then(Decimal::from_bytes);
            let Some(Decimal { unscaled, scale: own }) = decimal else { return value };
            let missing = scale.saturating_sub(u32::try_from(own).unwrap_or(0));
            let all = unscaled * BigInt::from(10).pow(missing);
            let unscaled = all % BigInt::from(10).pow(*precision);
            let fits = Decimal { unscaled, scale: i32::try_from(*scale).unwrap_or(0) };
            Scalar::Decimal(fits).to_bytes().unwrap_or(value)
        }
    }
}

/// A decimal with a digit more than it may have, which is rounded away again: half a unit nearer to
/// zero.
pub(super) fn add_digit(scale: u32, value: &[u8]) -> Option<Vec<u8>> {
    let Decimal { unscaled, scale: own } = Decimal::from_bytes(value)?;
    let digits = i32::try_from(scale).ok()?;
    let missing = u32::try_from((digits + 1).checked_sub(own)?).ok()?;
    let five = BigInt::from(if unscaled.sign() == num_bigint::Sign::Minus { -5 } else { 5 });
    let more = unscaled * BigInt::from(10).pow(missing) - five;
    let made = Decimal { unscaled: more, scale: digits + 1 }.to_bytes();
    (round_decimal(scale, Some(&made)).as_deref() == Some(value)).then_some(made)
}

/// A text with at most so many characters.
fn shorten(value: Vec<u8>, most: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(&value).into_owned();
    if text.chars().count() <= most {
        return value;
    }
    let ending = most.min(ENDING);
    let mut short: String = text.chars().take(most - ending).collect();
    let mut rest = hash(&value);
    for _ in 0..ending {
        let digit = u32::try_from(rest % 36).unwrap_or(0);
        short.extend(char::from_digit(digit, 36));
        rest /= 36;
    }
    short.into_bytes()
}

fn hash(value: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = value.iter().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use cql::types::{NativeType, Type};

    use super::*;

    fn decimal(text: &str) -> Vec<u8> {
        cql::value::from_text(&Type::Native(NativeType::Decimal), text, 0).unwrap()
    }

    #[test]
    fn values_fit() {
        let text = |limit: &ValueLimit, value: &str| {
            String::from_utf8(fit_value(limit, value.as_bytes().to_vec())).unwrap()
        };
        assert_eq!(text(&ValueLimit::Longest(4), "abcd"), "abcd");
        assert_eq!(text(&ValueLimit::Longest(4), "abcde").len(), 4);
        assert_eq!(text(&ValueLimit::Exactly(4), "ab"), "abxx");
        let labels = ValueLimit::Labels(["calm", "glad"].map(str::to_owned).to_vec());
        assert_eq!(text(&labels, "glad"), "glad");
        assert!(["calm", "glad"].contains(&text(&labels, "other").as_str()));
        let digits = ValueLimit::Digits { precision: 4, scale: 2 };
        assert_eq!(fit_value(&digits, decimal("-123.456")), decimal("-23.46"));
        assert_eq!(add_digit(2, &decimal("1.01")), Some(decimal("1.005")));
        assert_eq!(add_digit(2, &decimal("-3")), Some(decimal("-2.995")));
        assert_eq!(add_digit(2, &decimal("0")), None);
    }
}
