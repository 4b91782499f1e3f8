//! Numbers as Java reads and prints them.

use std::fmt::Write;

/// `Integer.parseInt`, or the text of its exception.
pub(crate) fn parse_int(text: &str) -> Result<i32, String> {
    parse_long(text).and_then(|value| i32::try_from(value).map_err(|_| for_input(text)))
}

/// `Long.parseLong`, or the text of its exception.
pub(crate) fn parse_long(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(for_input(text));
    }
    text.parse().map_err(|_| for_input(text))
}

/// `Double.parseDouble`, or the text of its exception. Hexadecimal floats are not read.
pub(crate) fn parse_double(text: &str) -> Result<f64, String> {
    let trimmed = text.trim_matches(|c: char| c <= ' ');
    if trimmed.is_empty() {
        return Err("empty String".to_owned());
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
    value.map(|value| if negative { -value } else { value }).ok_or_else(|| for_input(trimmed))
}

/// `Double.toString`: the shortest digits that mean this number, with an exponent outside 0.001 to ten million.
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

/// The text of a `NumberFormatException`.
pub(crate) fn for_input(text: &str) -> String {
    format!("For input string: \"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_in_java() {
        let texts: Vec<_> =
            [0.0, 2.0, 1e-5, 12_345_678.9, 1e300, 0.5, 1e7, 0.001].map(double_text).into();
        assert_eq!(
            texts,
            ["0.0", "2.0", "1.0E-5", "1.23456789E7", "1.0E300", "0.5", "1.0E7", "0.001"]
        );
    }

    #[test]
    fn numbers_read_as_in_java() {
        assert_eq!(parse_int("+5"), Ok(5));
        assert_eq!(parse_int("99999999999"), Err("For input string: \"99999999999\"".into()));
        assert_eq!(parse_double(" 0.5f "), Ok(0.5));
        assert!(parse_double("inf").is_err());
    }
}
