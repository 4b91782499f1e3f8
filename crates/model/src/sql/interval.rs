//! Intervals beside the current time: `now() - interval '7 days'`.

use sqlparser::ast::{DataType, Expr, Interval};

use super::literal::string_text;
use crate::concept::TimeShift;

/// The interval of an expression; `None` for other expressions and for units that are no time.
pub(super) fn find_interval(expression: &Expr) -> Option<TimeShift> {
    match expression {
        Expr::Nested(inside) => find_interval(inside),
        Expr::Interval(Interval { value, leading_field, last_field: None, .. }) => {
            let Expr::Value(value) = &**value else { return None };
            let text = string_text(&value.value)?;
            match leading_field {
                None => parse_interval(&text),
                Some(unit) => parse_interval(&format!("{text} {unit}")),
            }
        }
        Expr::Cast { expr, data_type: DataType::Interval { .. }, .. } => {
            let Expr::Value(value) = &**expr else { return None };
            parse_interval(&string_text(&value.value)?)
        }
        _ => None,
    }
}

/// `7 days`, `1 hour 30 minutes`, `01:30:00`
fn parse_interval(text: &str) -> Option<TimeShift> {
    let mut shift = TimeShift::default();
    let mut words = text.split_whitespace().peekable();
    words.peek()?;
    while let Some(word) = words.next() {
        if word.contains(':') {
            shift.millis = shift.millis.checked_add(parse_clock(word)?)?;
            continue;
        }
        let digits = word.find(|it: char| it.is_alphabetic()).unwrap_or(word.len());
        let number: i64 = word.get(..digits)?.parse().ok()?;
        let unit = match word.get(digits..)? {
            "" => words.next()?,
            unit => unit,
        };
        let (months, millis) = unit_length(unit)?;
        shift.months =
            shift.months.checked_add(i32::try_from(number).ok()?.checked_mul(months)?)?;
        shift.millis = shift.millis.checked_add(number.checked_mul(millis)?)?;
    }
    Some(shift)
}

/// Hours, minutes and seconds in milliseconds.
fn parse_clock(text: &str) -> Option<i64> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let mut total = 0_i64;
    let mut unit = 3_600_000_i64;
    for part in text.split(':') {
        total = total.checked_add(part.parse::<i64>().ok()?.checked_mul(unit)?)?;
        unit /= 60;
    }
    Some(sign * total)
}

/// A unit in months and milliseconds.
fn unit_length(unit: &str) -> Option<(i32, i64)> {
    let unit = unit.to_lowercase();
    let name = unit.strip_suffix('s').filter(|name| name.len() > 1).unwrap_or(&unit);
    Some(match name {
        "second" | "sec" | "s" => (0, 1_000),
        "minute" | "min" | "m" => (0, 60_000),
        "hour" | "hr" | "h" => (0, 3_600_000),
        "day" | "d" => (0, 86_400_000),
        "week" | "w" => (0, 7 * 86_400_000),
        "month" | "mon" => (1, 0),
        "year" | "yr" | "y" => (12, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_applications() {
        let shift = |months, millis| Some(TimeShift { months, millis });
        assert_eq!(parse_interval("7 days"), shift(0, 7 * 86_400_000));
        assert_eq!(parse_interval("1 hour 30 minutes"), shift(0, 5_400_000));
        assert_eq!(parse_interval("01:30:00"), shift(0, 5_400_000));
        assert_eq!(parse_interval("1 year 2 mons"), shift(14, 0));
        assert_eq!(parse_interval("30s"), shift(0, 30_000));
        assert_eq!(parse_interval("1 fortnight"), None);
        assert_eq!(parse_interval(""), None);
        assert_eq!(parse_interval("9223372036854775807 days"), None);
    }
}
