//! Floating-point numbers in Python's `%g` format, with cqlsh's choice of precision.

/// Formats a number with this many decimals, without trailing zeros; large and small numbers get an
/// exponent.
pub(crate) fn format_float(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let mut precision = i64::try_from(digits).unwrap_or(i64::MAX / 2);
    if value.abs() > f64::EPSILON {
        #[expect(clippy::cast_possible_truncation, reason = "a logarithm of a double is below 309")]
        let exponent = value.abs().log10() as i64;
        if (-4..precision).contains(&exponent) {
            precision += exponent + 1;
        }
    }
    format_general(value, usize::try_from(precision.clamp(1, 400)).unwrap_or(1))
}

/// `%.{precision}g`.
fn format_general(value: f64, precision: usize) -> String {
    let scientific = format!("{value:.*e}", precision - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let whole_digits = i64::try_from(precision).unwrap_or(i64::MAX);
    if exponent < -4 || exponent >= whole_digits {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim_zeros(mantissa), exponent.abs());
    }
    let decimals = usize::try_from(whole_digits - 1 - exponent).unwrap_or(0);
    trim_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn trim_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// Replaces the separators of a formatted number: `1,234.5` for `1234.5`.
pub(crate) fn apply_separators(number: &str, point: &str, thousands: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = match rest.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (rest, None),
    };
    let is_plain = whole.bytes().all(|byte| byte.is_ascii_digit());
    let mut out = sign.to_owned();
    for (at, digit) in whole.char_indices() {
        if is_plain && at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push_str(thousands);
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push_str(point);
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{apply_separators, format_float};

    #[test]
    fn numbers_as_in_cqlsh() {
        let known = [
            (100_000.0, "1e+05"),
            (99_999.992_187_5, "99999.99219"),
            (3.278_281_9, "3.27828"),
            (123_456.789, "1.2346e+05"),
            (12_345.677_734_375, "12345.67773"),
            (0.000_123_456_78, "0.000123"),
            (1e-7, "1e-07"),
            (0.0, "0"),
            (-0.0, "-0"),
            (1e100, "1e+100"),
            (f64::from(0.333_333_34_f32), "0.333333"),
            (2.5, "2.5"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in known {
            assert_eq!(format_float(value, 5), expected);
        }
    }

    #[test]
    fn separators() {
        assert_eq!(apply_separators("-1234567.5", ",", "."), "-1.234.567,5");
        assert_eq!(apply_separators("123", ".", ","), "123");
    }
}
