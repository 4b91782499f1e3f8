//! Numbers, parsed and printed as in Java.

use std::fmt::{self, Write};

/// Why a text is not a number: `java.lang.NumberFormatException`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberFormatException {
    /// The text is missing.
    Empty,
    /// The text is not a number, or does not fit.
    Input(String),
}

impl fmt::Display for NumberFormatException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty String"),
            Self::Input(text) => write!(f, "For input string: \"{text}\""),
        }
    }
}

/// `Integer.parseInt`.
pub(crate) fn parse_int(text: &str) -> Result<i32, NumberFormatException> {
    parse_long(text).and_then(|value| i32::try_from(value).map_err(|_| wrong_input(text)))
}

/// `Long.parseLong`.
pub(crate) fn parse_long(text: &str) -> Result<i64, NumberFormatException> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong_input(text));
    }
    text.parse().map_err(|_| wrong_input(text))
}

/// `Double.parseDouble`, without hexadecimal floats.
pub(crate) fn parse_double(text: &str) -> Result<f64, NumberFormatException> {
    let trimmed = text.trim_matches(|c: char| c <= ' ');
    if trimmed.is_empty() {
        return Err(NumberFormatException::Empty);
    }
    let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    let negative = trimmed.starts_with('-');
    let value = match unsigned {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        _ => {
            let digits = unsigned.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(unsigned);
            let plain = digits
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
            if plain && !digits.starts_with(['+', '-']) { digits.parse::<f64>().ok() } else { None }
        }
    };
    value.map(|value| if negative { -value } else { value }).ok_or_else(|| wrong_input(trimmed))
}

/// `Double.toString`: the shortest digits of the number, with an exponent outside 0.001 to ten
/// million.
pub(crate) fn double_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = value.abs();
    if value == 0.0 || (1e-3..1e7).contains(&size) {
        let text = value.to_string();
        return if text.contains('.') { text } else { text + ".0" };
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut out = digits.to_owned();
    if !out.contains('.') {
        out.push_str(".0");
    }
    let _ = write!(out, "E{exponent}");
    out
}

/// `Boolean.parseBoolean`.
pub(crate) fn parse_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true")
}

/// Whether the text is `true` or `false`, in any case.
pub(crate) fn is_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

fn wrong_input(text: &str) -> NumberFormatException {
    NumberFormatException::Input(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_in_java() {
        let seen = [
            (0.0, "0.0"),
            (2.0, "2.0"),
            (0.5, "0.5"),
            (1e300, "1.0E300"),
            (1e16, "1.0E16"),
            (1e-5, "1.0E-5"),
            (0.001, "0.001"),
            (12_345_678.9, "1.23456789E7"),
            (-0.0, "-0.0"),
            (1e10, "1.0E10"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (0.002, "0.002"),
            (1e-300, "1.0E-300"),
            (f64::INFINITY, "Infinity"),
        ];
        for (value, text) in seen {
            assert_eq!(double_text(value), text);
        }
    }

    #[test]
    fn numbers_read_as_in_java() {
        assert_eq!(parse_int("+5"), Ok(5));
        assert_eq!(parse_int("99999999999"), Err(wrong_input("99999999999")));
        assert_eq!(parse_double(" 0.5f "), Ok(0.5));
        assert!(parse_double("inf").is_err());
    }
}
