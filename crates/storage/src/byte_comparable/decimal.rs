//! Decimals: sign, exponent of the first digit, digits.
//!
//! ```text
//!   12.50 = 0.125 x 10^2     03  81 02  0d 33  00     two digits per byte, plus one; a terminator
//! ```

use cql::value::Decimal;

use super::number::encode_integer;
use super::{EMPTY, invert};

const NEGATIVE: u8 = 0x01;
const ZERO: u8 = 0x02;
const POSITIVE: u8 = 0x03;
const END: u8 = 0x00;

/// Appends a decimal number. Trailing zeros do not change the encoding.
pub(super) fn encode_decimal(value: &[u8], out: &mut Vec<u8>) {
    let Some(decimal) = Decimal::from_bytes(value) else { return out.push(EMPTY) };
    let text = decimal.unscaled.to_string();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    // The exponent of the first digit counts all digits, so trailing zeros are redundant.
    let place = i64::try_from(digits.len()).unwrap_or(i64::MAX) - i64::from(decimal.scale);
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return out.push(ZERO);
    }
    out.push(if negative { NEGATIVE } else { POSITIVE });
    let start = out.len();
    encode_integer(place, out);
    for pair in digits.as_bytes().chunks(2) {
        let digit = |at: usize| pair.get(at).map_or(0, |digit| digit.saturating_sub(b'0'));
        out.push(digit(0) * 10 + digit(1) + 1);
    }
    out.push(END);
    if negative {
        invert(out, start);
    }
}
