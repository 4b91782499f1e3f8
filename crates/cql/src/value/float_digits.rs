//! The digits that Java prints for a floating-point number.
//!
//! Before version 19 Java did not print the shortest digits that parse back to the number
//! (JDK-4511638), and the server runs on older versions. This follows their `FloatingDecimal`:
//! integers keep the digits that their bits warrant, all others are generated digit by digit until
//! the remainder is less than half a unit in the last place.

use std::cmp::Ordering;

use num_bigint::BigUint;

/// The digits and the position of the point: `0.d1d2d3... x 10^exponent`.
pub(super) struct DecimalDigits {
    pub(super) digits: Vec<u8>,
    pub(super) exponent: i32,
}

/// A finite nonzero number: its highest bit is 2^`exponent`, and the bits of the mantissa are
/// aligned so that the highest is bit 52.
pub(super) struct BinaryFloat {
    mantissa: u64,
    exponent: i32,
    /// The number of bits that the format has for numbers of this size.
    significant_bits: i32,
}

const HIGHEST_BIT: i32 = 52;

impl BinaryFloat {
    pub(super) fn from_double(value: f64) -> Self {
        let bits = value.to_bits();
        Self::new(bits & ((1 << 52) - 1), i32::try_from(bits >> 52 & 0x7ff).unwrap_or(0), 52, 1023)
    }

    pub(super) fn from_float(value: f32) -> Self {
        let bits = value.to_bits();
        Self::new(
            u64::from(bits & ((1 << 23) - 1)),
            i32::try_from(bits >> 23 & 0xff).unwrap_or(0),
            23,
            127,
        )
    }

    fn new(fraction: u64, exponent: i32, width: i32, bias: i32) -> Self {
        let align = HIGHEST_BIT - width;
        if exponent != 0 {
            let mantissa = (fraction | 1 << width) << align;
            return Self { mantissa, exponent: exponent - bias, significant_bits: width + 1 };
        }
        let bits = 64 - i32::try_from(fraction.leading_zeros()).unwrap_or(0);
        let shift = width + 1 - bits;
        Self {
            mantissa: fraction << (shift + align),
            exponent: 1 - shift - bias,
            significant_bits: bits,
        }
    }

    pub(super) fn digits(&self) -> DecimalDigits {
        let fraction_bits =
            HIGHEST_BIT + 1 - i32::try_from(self.mantissa.trailing_zeros()).unwrap_or(0);
        let tiny_bits = (fraction_bits - self.exponent - 1).max(0);
        if tiny_bits == 0 && (-21..=62).contains(&self.exponent) && fraction_bits < 64 {
            return self.whole_number();
        }
        self.generate_digits(fraction_bits, tiny_bits)
    }

    /// An integer that fits 64 bits. Digits that its bits do not warrant are rounded off.
    fn whole_number(&self) -> DecimalDigits {
        let value = if self.exponent >= HIGHEST_BIT {
            self.mantissa << (self.exponent - HIGHEST_BIT)
        } else {
            self.mantissa >> (HIGHEST_BIT - self.exponent)
        };
        let spare = self.exponent - self.significant_bits - 1;
        // The number of digits of 2^spare, minus one.
        let dropped = if spare > 1 { (spare * 30_103 / 100_000).unsigned_abs() } else { 0 };
        let power = 10_u64.pow(dropped);
        let value = value / power + u64::from(value % power >= power / 2 && dropped > 0);
        let text = value.to_string();
        let exponent = i32::try_from(text.len()).unwrap_or(0) + dropped.cast_signed();
        let digits = text.trim_end_matches('0').bytes().map(|digit| digit - b'0').collect();
        DecimalDigits { digits, exponent }
    }

    /// Generates digits: divides by the power of ten and multiplies the remainder by ten,
    /// repeatedly.
    fn generate_digits(&self, fraction_bits: i32, tiny_bits: i32) -> DecimalDigits {
        let mut exponent = self.estimate_exponent();
        let mut state = Division::new(self, fraction_bits, tiny_bits, exponent);
        let mut step = state.step();
        let mut digits = Vec::new();
        if step.digit == 0 && !step.high {
            exponent -= 1;
        } else {
            digits.push(step.digit);
        }
        // One more digit is needed if the number is printed with an exponent.
        if !(-3..8).contains(&exponent) {
            (step.low, step.high) = (false, false);
        }
        while !step.low && !step.high {
            step = state.step();
            digits.push(step.digit);
        }
        let odd = digits.last().is_some_and(|digit| digit & 1 == 1);
        if step.high && (!step.low || step.half.is_gt() || step.half.is_eq() && odd) {
            round_up(&mut digits, &mut exponent);
        }
        DecimalDigits { digits, exponent: exponent + 1 }
    }

    /// The decimal exponent, at most one too great.
    #[expect(clippy::cast_possible_truncation, reason = "within the exponents of a double")]
    #[expect(clippy::approx_constant, reason = "Java's own figure for the logarithm of two")]
    fn estimate_exponent(&self) -> i32 {
        let mantissa = f64::from_bits(1023 << 52 | self.mantissa & ((1 << 52) - 1));
        let estimate = (mantissa - 1.5) * 0.289_529_654
            + 0.176_091_259
            + f64::from(self.exponent) * 0.301_029_995_663_981;
        estimate.floor() as i32
    }
}

/// One digit, and the comparison of the remainder with the margin.
struct DigitStep {
    digit: u8,
    /// The remainder is within the margin: digits may end here.
    low: bool,
    /// The difference to the next digit is within the margin: digits may end here, rounded up.
    high: bool,
    /// The remainder compared with half of the last digit.
    half: Ordering,
}

/// The number, its power of ten and half a unit in its last place, scaled to integers. Java uses 32
/// or 64 bits if the number and the power fit; the margin may then overflow, which affects the
/// output.
enum Division {
    Small { value: i64, divisor: i64, margin: i64, narrow: bool },
    Big { value: BigUint, divisor: BigUint, margin: BigUint },
}

impl Division {
    fn new(number: &BinaryFloat, fraction_bits: i32, tiny_bits: i32, exponent: i32) -> Self {
        let value_fives = (-exponent).max(0);
        let divisor_fives = exponent.max(0);
        let mut value_twos = value_fives + tiny_bits + number.exponent;
        let mut divisor_twos = divisor_fives + tiny_bits;
        let mut margin_twos = value_twos - number.significant_bits;
        value_twos -= fraction_bits - 1;
        let common = value_twos.min(divisor_twos);
        value_twos -= common;
        divisor_twos -= common;
        margin_twos -= common;
        // Below a power of two, numbers are twice as dense.
        if fraction_bits == 1 {
            margin_twos -= 1;
        }
        if margin_twos < 0 {
            value_twos -= margin_twos;
            divisor_twos -= margin_twos;
            margin_twos = 0;
        }
        let mantissa = number.mantissa >> number.mantissa.trailing_zeros();
        let value = BigUint::from(mantissa) * product(value_fives, value_twos);
        let divisor = product(divisor_fives, divisor_twos);
        let margin = product(value_fives, margin_twos);
        let value_bits = fraction_bits + value_twos + bits_of_five(value_fives);
        let divisor_bits = divisor_twos + 1 + bits_of_five(divisor_fives + 1);
        let bits = value_bits.max(divisor_bits);
        if bits < 64 {
            let low_half =
                |number: &BigUint| number.iter_u64_digits().next().unwrap_or(0).cast_signed();
            let (value, divisor, margin) =
                (low_half(&value), low_half(&divisor), low_half(&margin));
            return Self::Small { value, divisor, margin, narrow: bits < 32 };
        }
        Self::Big { value, divisor, margin }
    }

    fn step(&mut self) -> DigitStep {
        match self {
            Self::Small { value, divisor, margin, narrow } => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "32-bit arithmetic that wraps around is the point"
                )]
                let wrap = |number: i64| if *narrow { i64::from(number as i32) } else { number };
                let digit = u8::try_from(*value / (*divisor).max(1)).unwrap_or(9);
                let tens = wrap(divisor.wrapping_mul(10));
                *value = wrap((*value % (*divisor).max(1)).wrapping_mul(10));
                *margin = wrap(margin.wrapping_mul(10));
                let overflown = *margin <= 0;
                let low = overflown || *value < *margin;
                let high = overflown || wrap(value.wrapping_add(*margin)) > tens;
                DigitStep { digit, low, high, half: wrap((*value << 1).wrapping_sub(tens)).cmp(&0) }
            }
            Self::Big { value, divisor, margin } => {
                let digit = (&*value / &*divisor).iter_u64_digits().next().unwrap_or(0);
                *value = (&*value % &*divisor) * 10_u8;
                *margin *= 10_u8;
                let tens = &*divisor * 10_u8;
                let half = (&*value << 1_u8).cmp(&tens);
                let digit = u8::try_from(digit).unwrap_or(9);
                DigitStep { digit, low: *value < *margin, high: &*value + &*margin >= tens, half }
            }
        }
    }
}

fn product(fives: i32, twos: i32) -> BigUint {
    BigUint::from(5_u8).pow(fives.unsigned_abs()) << twos.unsigned_abs()
}

/// The number of bits of a power of five, as Java estimates it.
fn bits_of_five(power: i32) -> i32 {
    match power {
        0 => 0,
        1..=26 => power * 23_219 / 10_000 + 1,
        _ => power * 3,
    }
}

fn round_up(digits: &mut Vec<u8>, exponent: &mut i32) {
    while digits.last() == Some(&9) {
        digits.pop();
    }
    if let Some(last) = digits.last_mut() {
        *last += 1;
    } else {
        digits.push(1);
        *exponent += 1;
    }
}
