//! Times of day in nanoseconds.

use super::is_raw;
use crate::value::error::{TextForm, ValueError, refuse_form};

const NANOS_PER_DAY: i64 = 86_400_000_000_000;

/// Parses a time from its number or from `10:20:30.123456789`.
pub(in crate::value) fn parse_time(text: &str) -> Result<i64, ValueError> {
    if is_raw(text) {
        return match text.parse() {
            Ok(nanos @ 0..NANOS_PER_DAY) => Ok(nanos),
            _ => refuse_form(
                TextForm::Number,
                format!("Unable to make long (for time) from: '{text}'"),
            ),
        };
    }
    match clock_time(text.trim_matches(|c: char| c <= ' ')) {
        Some(nanos) => Ok(nanos),
        None => refuse_form(
            TextForm::Time,
            format!("(TimeType) Unable to coerce '{text}' to a formatted time (long)"),
        ),
    }
}

fn clock_time(text: &str) -> Option<i64> {
    let (hour, rest) = text.split_once(':')?;
    let (minute, rest) = rest.split_once(':')?;
    let (second, fraction) =
        rest.split_once('.').map_or((rest, None), |(second, fraction)| (second, Some(fraction)));
    let bounded = |part: &str, bound: i32| {
        part.parse::<i32>().ok().filter(|value| (0..bound).contains(value))
    };
    let hour = bounded(hour, 24)?;
    let minute = bounded(minute, 60)?;
    let second = bounded(second, 60)?;
    let nanos = match fraction {
        None => 0,
        Some(digits)
            if (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            format!("{digits:0<9}").parse::<i64>().ok()?
        }
        Some(_) => return None,
    };
    Some(i64::from(hour * 3600 + minute * 60 + second) * 1_000_000_000 + nanos)
}

/// `10:20:30.123456789`, always with nine digits.
pub(in crate::value) fn print_time(nanos: i64) -> String {
    let seconds = nanos.div_euclid(1_000_000_000).rem_euclid(86_400);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hour:02}:{minute:02}:{second:02}.{:09}", nanos.rem_euclid(1_000_000_000))
}
