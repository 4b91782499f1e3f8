//! Timestamps in milliseconds since 1970.
//!
//! The server tries many patterns in sequence. Together they accept: a date, `T` or a blank, hours
//! and minutes, optional seconds, an optional fraction, an optional zone; or a date with an
//! optional zone. A day after the end of its month (up to 31) is the last day of the month, and
//! 24:00 is the start of the next day. Texts without a zone are in UTC.

use super::calendar::{CalendarDate, MILLIS_PER_DAY, month_length};
use super::is_raw;
use super::scanner::{OffsetForm, Scanner};
use super::zone::{TimeZone, parse_zone};
use crate::value::error::{TextForm, ValueError, refuse, refuse_form};

/// Parses a timestamp from its number, from `now`, or from a date with optional time and zone.
pub(in crate::value) fn parse_timestamp(text: &str, now_ms: i64) -> Result<i64, ValueError> {
    if text.eq_ignore_ascii_case("now") {
        return Ok(now_ms);
    }
    if is_raw(text) {
        return match text.parse() {
            Ok(millis) => Ok(millis),
            Err(_) => refuse_form(
                TextForm::Number,
                format!("Unable to make long (for date) from: '{text}'"),
            ),
        };
    }
    let Some((local, zone)) =
        date_and_time(text).or_else(|| date_with_zone(text)).or_else(|| iso_date(text))
    else {
        return refuse(format!("Unable to parse a date/time from '{text}'"));
    };
    let offset = i128::from(zone.offset_seconds(local)) * 1000;
    i64::try_from(local - offset)
        .map_err(|_| ValueError::Failure("java.lang.ArithmeticException: long overflow".to_owned()))
}

/// Parses `2024-1-31T10:20[:30][.5]` with an optional zone. Numbers may have any number of digits.
fn date_and_time(text: &str) -> Option<(i128, TimeZone)> {
    let mut scanner = Scanner(text);
    let year = scanner.number().filter(|year| (1..=999_999_999).contains(year))?;
    scanner.literal('-')?;
    let month = scanner.number()?;
    scanner.literal('-')?;
    let day = scanner.number()?;
    scanner.literal('T').or_else(|| scanner.literal(' '))?;
    let hour = scanner.number()?;
    scanner.literal(':')?;
    let minute = scanner.number()?;
    let mut ahead = scanner;
    let second = ahead.literal(':').and_then(|()| ahead.number());
    if second.is_some() {
        scanner = ahead;
    }
    let millis = scanner.fraction();
    if second.is_none() && millis.is_some() {
        return None;
    }
    let days = epoch_days(year, month, day)?;
    let millis = clock_millis([hour, minute, second.unwrap_or(0), millis.unwrap_or(0)])?;
    let zone = if scanner.0.is_empty() { TimeZone::UTC } else { any_zone(scanner.0)? };
    Some((days * i128::from(MILLIS_PER_DAY) + i128::from(millis), zone))
}

/// Parses `2024-01-31` with a zone; years before 1 are invalid here.
fn date_with_zone(text: &str) -> Option<(i128, TimeZone)> {
    let mut scanner = Scanner(text);
    let local = scan_date(&mut scanner, 19).filter(|(year, _)| *year >= 1)?.1;
    Some((local, any_zone(scanner.0)?))
}

/// Parses `2024-01-31`, optionally with an offset, for any year.
fn iso_date(text: &str) -> Option<(i128, TimeZone)> {
    let mut scanner = Scanner(text);
    let (_, local) = scan_date(&mut scanner, 10)?;
    let offset = match scanner.0 {
        "" | "Z" | "z" => return Some((local, TimeZone::UTC)),
        _ => scanner.offset(OffsetForm::Seconds)?,
    };
    scanner.0.is_empty().then_some((local, TimeZone::Fixed(offset)))
}

fn scan_date(scanner: &mut Scanner<'_>, year_digits: usize) -> Option<(i64, i128)> {
    let year = scanner.year(year_digits).filter(|year| year.abs() <= 999_999_999)?;
    scanner.literal('-')?;
    let month = scanner.digits(2)?;
    scanner.literal('-')?;
    let day = scanner.digits(2)?;
    Some((year, epoch_days(year, month, day)? * i128::from(MILLIS_PER_DAY)))
}

fn epoch_days(year: i64, month: i64, day: i64) -> Option<i128> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let day = day.min(month_length(year, month));
    Some(i128::from(CalendarDate { year, month, day }.to_epoch_days()))
}

fn clock_millis([hour, minute, second, millis]: [i64; 4]) -> Option<i64> {
    let end_of_day = hour == 24 && minute == 0 && second == 0 && millis == 0;
    let valid = (0..24).contains(&hour) || end_of_day;
    if !valid || !(0..60).contains(&minute) || !(0..60).contains(&second) {
        return None;
    }
    Some(((hour * 60 + minute) * 60 + second) * 1000 + millis)
}

/// The zone of a whole text.
fn any_zone(text: &str) -> Option<TimeZone> {
    let offset = |text: &str, form| {
        let mut scanner = Scanner(text);
        let offset = scanner.offset(form)?;
        scanner.0.is_empty().then_some(TimeZone::Fixed(offset))
    };
    match text.strip_prefix(' ') {
        Some("Z") => Some(TimeZone::UTC),
        Some(named) => parse_zone(named).or_else(|| offset(named, OffsetForm::Plain)),
        None if text == "Z" => Some(TimeZone::UTC),
        None => offset(text, OffsetForm::Plain).or_else(|| offset(text, OffsetForm::Colons)),
    }
}

/// `2024-01-31T10:20:30.500Z`. Years before 1 are printed as years of their era, without naming it.
pub(in crate::value) fn print_timestamp(millis: i64) -> String {
    let CalendarDate { year, month, day } =
        CalendarDate::from_epoch_days(millis.div_euclid(MILLIS_PER_DAY));
    let year_of_era = if year < 1 { 1 - year } else { year };
    let sign = if year_of_era > 9999 { "+" } else { "" };
    let millis = millis.rem_euclid(MILLIS_PER_DAY);
    let (hour, minute, second) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
    format!(
        "{sign}{year_of_era:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
        millis % 1000
    )
}
