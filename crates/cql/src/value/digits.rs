//! Decimal digits of integers of any length: printed and parsed by halves, in less than quadratic
//! time. The division of `num_bigint` is quadratic, so numbers are divided by a multiplication with a
//! reciprocal.

use num_bigint::{BigInt, BigUint, Sign};

/// Numbers of up to this many digits are left to `num_bigint`.
const SHORT_DIGITS: u32 = 1000;
/// The bits of a number that may be short.
const SHORT_BITS: u64 = 3000;
/// The additional bits of a reciprocal, which absorb the errors of all roundings.
const GUARD_BITS: u64 = 16;

/// 10^([`SHORT_DIGITS`] x 2^level), and its reciprocal.
struct PowerOfTen {
    power: BigUint,
    /// The number of bits of the power.
    bits: u64,
    /// 2^(2 x bits + guard) / power; at most the true value, and less by at most 2.
    reciprocal: BigUint,
}

impl PowerOfTen {
    fn first() -> Self {
        let power = BigUint::from(10_u8).pow(SHORT_DIGITS);
        let bits = power.bits();
        let reciprocal = (BigUint::from(1_u8) << (2 * bits + GUARD_BITS)) / &power;
        Self { power, bits, reciprocal }
    }

    /// The square. The square of the reciprocal has half of the bits that are needed, and a step of
    /// Newton's method, which stays below the true value, doubles them.
    fn square(&self) -> Self {
        let power = &self.power * &self.power;
        let bits = power.bits();
        let scale = 2 * bits + GUARD_BITS;
        let squared = &self.reciprocal * &self.reciprocal;
        let estimate = squared >> (4 * self.bits + 2 * GUARD_BITS - scale);
        let error = (BigUint::from(1_u8) << scale) - &estimate * &power;
        let step = (&estimate * error) >> scale;
        Self { power, bits, reciprocal: estimate + step }
    }

    /// Quotient and remainder of a number below the square of the power.
    fn divide(&self, number: &BigUint) -> (BigUint, BigUint) {
        let high = number >> (self.bits - 1);
        let mut quotient = (high * &self.reciprocal) >> (self.bits + 1 + GUARD_BITS);
        let mut rest = number - &quotient * &self.power;
        // A few times at most: the estimate of the quotient is not much too small.
        while rest >= self.power {
            rest -= &self.power;
            quotient += 1_u8;
        }
        (quotient, rest)
    }
}

/// Prints an integer.
pub(super) fn print_integer(number: &BigInt) -> String {
    let digits = print_digits(number.magnitude());
    if number.sign() == Sign::Minus { format!("-{digits}") } else { digits }
}

/// Prints the digits of a number.
pub(super) fn print_digits(number: &BigUint) -> String {
    if number.bits() <= SHORT_BITS {
        return number.to_string();
    }
    let mut powers = vec![PowerOfTen::first()];
    while let Some(square) = powers.last().filter(|last| 2 * (last.bits - 1) < number.bits()) {
        powers.push(square.square());
    }
    let mut out = String::new();
    append_digits(number, &powers, &mut out);
    out
}

/// Appends the digits of a number below the square of the last power; with leading zeros, unless
/// they are the first.
fn append_digits(number: &BigUint, powers: &[PowerOfTen], out: &mut String) {
    let Some((last, smaller)) = powers.split_last() else {
        let digits = number.to_string();
        let zeros = if out.is_empty() { 0 } else { SHORT_DIGITS as usize - digits.len() };
        out.extend(std::iter::repeat_n('0', zeros));
        out.push_str(&digits);
        return;
    };
    let (high, low) = last.divide(number);
    if !out.is_empty() || high.bits() > 0 {
        append_digits(&high, smaller, out);
    }
    append_digits(&low, smaller, out);
}

/// Parses digits; `None` if there are none, or other characters.
pub(super) fn parse_digits(digits: &str) -> Option<BigUint> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut powers = Vec::new();
    let mut length = SHORT_DIGITS as usize;
    while length < digits.len() {
        powers.push(match powers.last() {
            None => BigUint::from(10_u8).pow(SHORT_DIGITS),
            Some(last) => last * last,
        });
        length *= 2;
    }
    join_digits(digits, &powers)
}

/// Joins the number of the first digits with that of as many last ones as the last power has zeros.
fn join_digits(digits: &str, powers: &[BigUint]) -> Option<BigUint> {
    let Some((power, smaller)) = powers.split_last() else { return digits.parse().ok() };
    let low = (SHORT_DIGITS as usize) << smaller.len();
    match digits.len().checked_sub(low).filter(|high| *high > 0) {
        None => join_digits(digits, smaller),
        Some(high) => {
            let (high, low) = digits.split_at_checked(high)?;
            Some(join_digits(high, smaller)? * power + join_digits(low, smaller)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_printed_and_parsed_as_short_ones_are() {
        let ten = BigUint::from(10_u8);
        let mut numbers = Vec::new();
        for digits in [1, 900, 999, 1000, 1001, 1999, 2000, 2001, 3999, 4000, 4001, 16_000, 33_333]
        {
            let power = ten.pow(digits);
            numbers.extend([&power - 1_u8, &power + 1_u8, &power / 7_u8, power]);
        }
        for bits in [2999, 3000, 3001, 50_000] {
            let power = BigUint::from(1_u8) << bits;
            numbers.extend([&power - 1_u8, power]);
        }
        for number in numbers {
            let expected = number.to_string();
            assert_eq!(print_digits(&number), expected);
            assert_eq!(parse_digits(&expected), Some(number));
        }
        assert_eq!(
            print_integer(&(-BigInt::from(ten.pow(5000)))),
            format!("-1{}", "0".repeat(5000))
        );
    }

    #[test]
    fn random_numbers_are_printed_and_parsed() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        for length in (1..200).chain([1000, 3000]) {
            let number = BigUint::new((0..length).map(|_| random()).collect());
            let printed = print_digits(&number);
            assert_eq!(printed, number.to_string());
            assert_eq!(parse_digits(&printed), Some(number));
        }
    }

    #[test]
    fn only_digits_are_parsed() {
        for text in ["", "+1", "-1", "1_000", "1.0", "a", " 1", "١"] {
            assert_eq!(parse_digits(text), None, "{text}");
        }
        assert_eq!(parse_digits(&"0".repeat(5000)), Some(BigUint::default()));
    }
}
