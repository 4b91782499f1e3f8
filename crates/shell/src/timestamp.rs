//! Timestamps in the formats of Python's `strftime` and `strptime`, in UTC.

use cql::value::CalendarDate;

/// A timestamp, split into calendar fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CivilTime {
    year: i64,
    month: i64,
    day: i64,
    millis_of_day: i64,
    days: i64,
}

/// The default pattern of cqlsh.
pub(super) const DEFAULT_PATTERN: &str = "%Y-%m-%d %H:%M:%S.%f%z";

const DAY: i64 = 86_400_000;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] =
    ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];

impl CivilTime {
    fn new(millis: i64) -> Self {
        let days = millis.div_euclid(DAY);
        let CalendarDate { year, month, day } = CalendarDate::from_epoch_days(days);
        Self { year, month, day, millis_of_day: millis.rem_euclid(DAY), days }
    }

    fn hour(self) -> i64 {
        self.millis_of_day / 3_600_000
    }

    fn format_field(self, directive: char) -> Option<String> {
        let name = |names: &[&'static str], at: i64| {
            usize::try_from(at).ok().and_then(|at| names.get(at).copied()).unwrap_or_default()
        };
        let weekday = name(&WEEKDAYS, self.days.rem_euclid(7));
        let month = name(&MONTHS, self.month - 1);
        let short = |text: &str| text.chars().take(3).collect::<String>();
        Some(match directive {
            'Y' => self.year.to_string(),
            'y' => format!("{:02}", self.year.rem_euclid(100)),
            'm' => format!("{:02}", self.month),
            'd' => format!("{:02}", self.day),
            'H' => format!("{:02}", self.hour()),
            'I' => format!("{:02}", (self.hour() + 11) % 12 + 1),
            'p' => if self.hour() < 12 { "AM" } else { "PM" }.to_owned(),
            'M' => format!("{:02}", self.millis_of_day / 60_000 % 60),
            'S' => format!("{:02}", self.millis_of_day / 1_000 % 60),
            'f' => format!("{:06}", self.millis_of_day % 1_000 * 1_000),
            'j' => format!(
                "{:03}",
                self.days - CalendarDate { year: self.year, month: 1, day: 1 }.to_epoch_days() + 1
            ),
            'b' => short(month),
            'B' => month.to_owned(),
            'a' => short(weekday),
            'A' => weekday.to_owned(),
            'z' => "+0000".to_owned(),
            'Z' => "UTC".to_owned(),
            '%' => "%".to_owned(),
            _ => return None,
        })
    }
}

/// Formats a timestamp by a pattern; outside Python's years 1 to 9999, as the number of
/// milliseconds.
pub(crate) fn print(millis: i64, pattern: &str) -> String {
    let time = CivilTime::new(millis);
    if !(1..=9999).contains(&time.year) {
        return millis.to_string();
    }
    let mut out = String::new();
    let mut rest = pattern.chars();
    while let Some(next) = rest.next() {
        if next != '%' {
            out.push(next);
            continue;
        }
        let Some(directive) = rest.next() else { break };
        match time.format_field(directive) {
            Some(field) => out.push_str(&field),
            None => out.extend(['%', directive]),
        }
    }
    out
}

/// Formats the date this many days after 1970-01-01.
pub(crate) fn print_day(days: i64) -> String {
    let time = CivilTime::new(days.saturating_mul(DAY));
    if !(1..=9999).contains(&time.year) {
        return days.to_string();
    }
    format!("{:04}-{:02}-{:02}", time.year, time.month, time.day)
}

/// Formats a time of day, given in nanoseconds.
pub(crate) fn print_time(nanos: i64) -> String {
    let seconds = nanos.div_euclid(1_000_000_000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{:09}", seconds % 60, nanos.rem_euclid(1_000_000_000))
}

/// Truncates microseconds to milliseconds: `.123` for `.123000`.
pub(crate) fn truncate_to_millis(text: &str) -> String {
    let Some((before, after)) = text.rsplit_once('.') else { return text.to_owned() };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count().min(6);
    let (Some(fraction), Some(rest)) = (after.get(..digits), after.get(digits..)) else {
        return text.to_owned();
    };
    if fraction.is_empty() {
        return text.to_owned();
    }
    format!("{before}.{:.3}{rest}", format!("{fraction:0<3}"))
}

/// Parses a timestamp by a pattern, into milliseconds.
pub(crate) fn parse(text: &str, pattern: &str) -> Option<i64> {
    let (mut year, mut month, mut day) = (1900, 1, 1);
    let (mut hour, mut minute, mut second, mut millis, mut zone) = (0, 0, 0, 0, 0);
    let mut afternoon = None;
    let mut rest = text;
    let mut pattern = pattern.chars();
    while let Some(next) = pattern.next() {
        if next != '%' {
            rest = rest.strip_prefix(next)?;
            continue;
        }
        match pattern.next()? {
            'Y' => year = take_digits(&mut rest, 4)?,
            'm' => month = take_digits(&mut rest, 2)?,
            'd' => day = take_digits(&mut rest, 2)?,
            'H' | 'I' => hour = take_digits(&mut rest, 2)?,
            'M' => minute = take_digits(&mut rest, 2)?,
            'S' => second = take_digits(&mut rest, 2)?,
            'f' => {
                let before = rest.len();
                let fraction = take_digits(&mut rest, 6)?;
                let length = u32::try_from(before - rest.len()).ok()?;
                millis = fraction * 10_i64.pow(6_u32.checked_sub(length)?) / 1_000;
            }
            'p' => {
                afternoon = Some(rest.get(..2)?.eq_ignore_ascii_case("pm"));
                rest = rest.get(2..)?;
            }
            'z' => zone = take_offset(&mut rest)?,
            'b' | 'B' => month = take_month(&mut rest)?,
            '%' => rest = rest.strip_prefix('%')?,
            _ => return None,
        }
    }
    if let Some(afternoon) = afternoon {
        hour = hour % 12 + if afternoon { 12 } else { 0 };
    }
    let is_valid = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60;
    let seconds = (hour * 60 + minute - zone) * 60 + second;
    (is_valid && rest.is_empty())
        .then(|| CalendarDate { year, month, day }.to_epoch_days() * DAY + seconds * 1_000 + millis)
}

fn take_digits(rest: &mut &str, most: usize) -> Option<i64> {
    let count = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    number.parse().ok()
}

/// Parses an offset from UTC, in minutes.
fn take_offset(rest: &mut &str) -> Option<i64> {
    if let Some(tail) = rest.strip_prefix('Z') {
        *rest = tail;
        return Some(0);
    }
    let sign = match rest.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    *rest = rest.get(1..)?;
    let hours = take_digits(rest, 2)?;
    *rest = rest.strip_prefix(':').unwrap_or(rest);
    Some(sign * (hours * 60 + take_digits(rest, 2)?))
}

fn take_month(rest: &mut &str) -> Option<i64> {
    let starts =
        |name: &str| rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let long = MONTHS.iter().position(|name| starts(name)).map(|at| (at, MONTHS[at].len()));
    let short = || MONTHS.iter().position(|name| starts(&name[..3])).map(|at| (at, 3));
    let (at, length) = long.or_else(short)?;
    *rest = rest.get(length..)?;
    i64::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_as_in_cqlsh() {
        let shown = |millis| print(millis, DEFAULT_PATTERN);
        assert_eq!(shown(0), "1970-01-01 00:00:00.000000+0000");
        assert_eq!(shown(1_767_268_800_123), "2026-01-01 12:00:00.123000+0000");
        assert_eq!(shown(-1), "1969-12-31 23:59:59.999000+0000");
        assert_eq!(shown(253_402_300_800_000), "253402300800000");
        assert_eq!(shown(-62_135_596_800_000), "1-01-01 00:00:00.000000+0000");
        assert_eq!(truncate_to_millis(&shown(1_767_268_800_123)), "2026-01-01 12:00:00.123+0000");
        assert_eq!(print(0, "%a %d %b %y %j %I%p %%"), "Thu 01 Jan 70 001 12AM %");
        assert_eq!(print_day(-2_147_483_648), "-2147483648");
        assert_eq!(print_time(45_296_789_000_000), "12:34:56.789000000");
    }

    #[test]
    fn timestamps_survive_a_round_trip() {
        for millis in [0, 1_767_268_800_123, -1, 951_782_400_000] {
            let printed = print(millis, DEFAULT_PATTERN);
            assert_eq!(parse(&printed, DEFAULT_PATTERN), Some(millis), "{printed}");
        }
        assert_eq!(parse("01/02/2026", "%d/%m/%Y"), Some(1_769_904_000_000));
        assert_eq!(parse("2026-02-01 01:00+0100", "%Y-%m-%d %H:%M%z"), Some(1_769_904_000_000));
        assert_eq!(parse("x", "%Y"), None);
        assert_eq!(parse("2026-13-01", "%Y-%m-%d"), None);
    }
}
