//! Dates: an unsigned number of days with 1970-01-01 in the middle.

use super::calendar::{CalendarDate, MILLIS_PER_DAY, month_length};
use super::is_raw;
use super::scanner::Scanner;
use crate::value::error::{TextForm, ValueError, refuse, refuse_form};

/// The number of 1970-01-01.
const EPOCH: i64 = 1 << 31;

/// Parses a date from its number or from `2024-01-31`.
pub(in crate::value) fn parse_date(text: &str) -> Result<u32, ValueError> {
    if is_raw(text) {
        return match text.parse::<u32>() {
            Ok(day) => Ok(day),
            Err(_) => refuse_form(
                TextForm::Number,
                format!("Unable to make unsigned int (for date) from: '{text}'"),
            ),
        };
    }
    let days = calendar_date(text)
        .map(CalendarDate::to_epoch_days)
        .filter(|days| days.checked_mul(MILLIS_PER_DAY).is_some());
    let Some(days) = days else {
        return refuse_form(
            TextForm::Date,
            format!("Unable to coerce '{text}' to a formatted date (long)"),
        );
    };
    match u32::try_from(days + EPOCH) {
        Ok(day) => Ok(day),
        Err(_) if days < 0 => refuse(format!(
            "Input date {text} is less than min supported date -5877641-06-23T00:00Z"
        )),
        Err(_) => refuse(format!(
            "Input date {text} is greater than max supported date +5881580-07-11T00:00Z"
        )),
    }
}

/// Parses the form of ISO 8601, with a valid day.
fn calendar_date(text: &str) -> Option<CalendarDate> {
    let mut scanner = Scanner(text);
    let year = scanner.year(10)?;
    scanner.literal('-')?;
    let month = scanner.digits(2)?;
    scanner.literal('-')?;
    let day = scanner.digits(2)?;
    let exists = year.abs() <= 999_999_999
        && (1..=12).contains(&month)
        && (1..=month_length(year, month)).contains(&day)
        && scanner.0.is_empty();
    exists.then_some(CalendarDate { year, month, day })
}

/// `2024-01-31`; years of more than four digits have a sign.
pub(in crate::value) fn print_date(date: u32) -> String {
    let CalendarDate { year, month, day } = CalendarDate::from_epoch_days(i64::from(date) - EPOCH);
    let year = match year {
        0..=9999 => format!("{year:04}"),
        ..0 => format!("-{:04}", -year),
        _ => format!("+{year}"),
    };
    format!("{year}-{month:02}-{day:02}")
}
