//! Numbers, sizes and durations as nodes print them.

/// The factors of units of size. Cassandra writes `KiB` since 4.0 and `KB` before; both are 1024.
const SIZE_UNITS: [(&str, f64); 11] = [
    ("bytes", 1.0),
    ("byte", 1.0),
    ("B", 1.0),
    ("KB", 1024.0),
    ("KiB", 1024.0),
    ("MB", 1_048_576.0),
    ("MiB", 1_048_576.0),
    ("GB", 1_073_741_824.0),
    ("GiB", 1_073_741_824.0),
    ("TB", 1_099_511_627_776.0),
    ("TiB", 1_099_511_627_776.0),
];

/// The factors of units of time, in milliseconds.
const TIME_UNITS: [(&str, f64); 8] = [
    ("ns", 1e-6),
    ("us", 1e-3),
    ("µs", 1e-3),
    ("ms", 1.0),
    ("msec", 1.0),
    ("s", 1000.0),
    ("secs", 1000.0),
    ("m", 60_000.0),
];

/// A number that is finite; `NaN`, `n/a`, `?` and the like are none. A comma may separate thousands,
/// or, in some locales, be the decimal mark.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = match text.parse::<f64>() {
        Ok(number) => number,
        Err(_) if is_grouped(text) => text.replace(',', "").parse().ok()?,
        Err(_) => text.replace(',', ".").parse().ok()?,
    };
    let is_word = text.bytes().next().is_none_or(|byte| byte.is_ascii_alphabetic());
    (number.is_finite() && !is_word).then_some(number)
}

/// Whether all commas stand before groups of three digits.
fn is_grouped(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3)
}

/// A whole number that is not negative.
pub(super) fn parse_count(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.parse() {
        Ok(count) => Some(count),
        Err(_) => parse_number(text).and_then(whole_number),
    }
}

/// A number without its fraction.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is not negative, and the conversion saturates"
)]
pub(super) fn whole_number(number: f64) -> Option<u64> {
    (number >= 0.0).then_some(number as u64)
}

/// A number of bytes with or without a unit: `1234`, `1.5 GiB`, `10.0KiB`, `512 bytes`.
pub(super) fn parse_bytes(text: &str) -> Option<u64> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" => 1.0,
        _ => SIZE_UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1,
    };
    if factor <= 1.0 {
        return parse_count(number);
    }
    whole_number(parse_number(number)? * factor)
}

/// A duration in milliseconds: `1.234 ms`, `12ms`, `0.0012 secs`. A number without a unit is taken as
/// milliseconds.
pub(super) fn parse_milliseconds(text: &str) -> Option<f64> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" => 1.0,
        _ => TIME_UNITS.iter().find(|(name, _)| *name == unit)?.1,
    };
    Some(parse_number(number)? * factor)
}

/// A number and what follows it.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let is_part = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '-' | '+');
    let mut end = text.find(|sign| !is_part(sign)).unwrap_or(text.len());
    // The exponent of Scylla's latencies: `1.500000000000000E+00 ms`.
    if let Some(exponent) =
        text[end..].strip_prefix(['E', 'e']).filter(|rest| rest.starts_with(is_part))
    {
        end = text.len() - exponent.len()
            + exponent.find(|sign| !is_part(sign)).unwrap_or(exponent.len());
    }
    let (number, unit) = text.split_at(end);
    (number, unit.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(parse_number(" 12.50 "), Some(12.5));
        assert_eq!(parse_number("1,234,567.5"), Some(1_234_567.5));
        assert_eq!(parse_number("0,025"), Some(25.0));
        assert_eq!(parse_number("12,5"), Some(12.5));
        for text in ["NaN", "nan", "inf", "n/a", "?", "", "-", "Infinity", "1..2"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
        assert_eq!(parse_count("18446744073709551615"), Some(u64::MAX));
        assert_eq!(parse_count("-1"), None);
        assert_eq!(parse_count("12.0"), Some(12));
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("1234"), Some(1234));
        assert_eq!(parse_bytes("0 bytes"), Some(0));
        assert_eq!(parse_bytes("1.5 GiB"), Some(1_610_612_736));
        assert_eq!(parse_bytes("10.000KiB"), Some(10_240));
        assert_eq!(parse_bytes("5.12 KB"), Some(5242));
        assert_eq!(parse_bytes("125.1 MB"), Some(131_176_857));
        assert_eq!(parse_bytes("3 parsecs"), None);
        assert_eq!(parse_bytes(""), None);
    }

    #[test]
    fn durations() {
        assert_eq!(parse_milliseconds("0.123 ms"), Some(0.123));
        assert_eq!(parse_milliseconds("2.5ms"), Some(2.5));
        assert_eq!(parse_milliseconds("0.5 secs"), Some(500.0));
        assert_eq!(parse_milliseconds("1.5E+00 ms"), Some(1.5));
        assert_eq!(parse_milliseconds("NaN ms"), None);
    }
}
