//! Time zones by name.
//!
//! Java has every zone of the world with its history. Here are UTC, offsets, and the zones below
//! with the rules in force since 2007 (America) and 1996 (Europe); other names are refused, which
//! is stricter than the server.

use super::calendar::{CalendarDate, MILLIS_PER_DAY, month_length};
use super::scanner::{OffsetForm, Scanner};

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeZone {
    /// A fixed offset from UTC in seconds.
    Fixed(i64),
    /// An offset from UTC in seconds in winter, and an hour more in summer.
    Summer(i64, SummerTimeRule),
}

/// The rule of daylight saving time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SummerTimeRule {
    /// From the second Sunday of March to the first of November, at two o'clock local time.
    America,
    /// From the last Sunday of March to the last of October, at one o'clock UTC.
    Europe,
}

use SummerTimeRule::{America, Europe};

const HOUR: i64 = 3600;

/// Java's English short and long names, and region ids.
const NAMES: [(&[&str], TimeZone); 14] = [
    (
        &["Coordinated Universal Time", "Greenwich Mean Time", "Etc/UTC", "Etc/GMT", "Zulu", "Z"],
        TimeZone::UTC,
    ),
    (
        &[
            "PST",
            "PDT",
            "PT",
            "Pacific Standard Time",
            "Pacific Daylight Time",
            "Pacific Time",
            "America/Los_Angeles",
        ],
        TimeZone::Summer(-8 * HOUR, America),
    ),
    (
        &[
            "MST",
            "MDT",
            "Mountain Standard Time",
            "Mountain Daylight Time",
            "Mountain Time",
            "America/Denver",
        ],
        TimeZone::Summer(-7 * HOUR, America),
    ),
    (
        &[
            "CST",
            "CDT",
            "CT",
            "Central Standard Time",
            "Central Daylight Time",
            "Central Time",
            "America/Chicago",
        ],
        TimeZone::Summer(-6 * HOUR, America),
    ),
    (
        &[
            "EST",
            "EDT",
            "ET",
            "Eastern Standard Time",
            "Eastern Daylight Time",
            "Eastern Time",
            "America/New_York",
        ],
        TimeZone::Summer(-5 * HOUR, America),
    ),
    (&["HST", "Pacific/Honolulu"], TimeZone::Fixed(-10 * HOUR)),
    (
        &["WET", "WEST", "Europe/London", "Europe/Lisbon", "Europe/Dublin"],
        TimeZone::Summer(0, Europe),
    ),
    (
        &[
            "CET",
            "CEST",
            "Central European Time",
            "Europe/Paris",
            "Europe/Berlin",
            "Europe/Madrid",
            "Europe/Rome",
        ],
        TimeZone::Summer(HOUR, Europe),
    ),
    (
        &[
            "Europe/Amsterdam",
            "Europe/Vienna",
            "Europe/Zurich",
            "Europe/Stockholm",
            "Europe/Warsaw",
            "Europe/Prague",
        ],
        TimeZone::Summer(HOUR, Europe),
    ),
    (
        &["EET", "EEST", "Europe/Athens", "Europe/Helsinki", "Europe/Kiev"],
        TimeZone::Summer(2 * HOUR, Europe),
    ),
    (&["MSK", "MT", "Europe/Moscow", "Europe/Istanbul"], TimeZone::Fixed(3 * HOUR)),
    (&["Asia/Kolkata", "Asia/Calcutta"], TimeZone::Fixed(5 * HOUR + HOUR / 2)),
    (&["Asia/Shanghai", "Asia/Singapore", "Asia/Hong_Kong"], TimeZone::Fixed(8 * HOUR)),
    (&["JST", "Asia/Tokyo", "Asia/Seoul"], TimeZone::Fixed(9 * HOUR)),
];

/// The zone of a name, or of an offset with an optional `UTC` or `GMT` prefix.
pub(super) fn parse_zone(text: &str) -> Option<TimeZone> {
    let offset = ["UTC", "GMT", "UT", ""].iter().find_map(|prefix| text.strip_prefix(prefix))?;
    if offset.is_empty() && !text.is_empty() || text == "GMT0" {
        return Some(TimeZone::UTC);
    }
    let mut scanner = Scanner(offset);
    if let Some(seconds) = scanner.offset(OffsetForm::Seconds) {
        return scanner.0.is_empty().then_some(TimeZone::Fixed(seconds));
    }
    NAMES.iter().find(|(names, _)| names.contains(&text)).map(|(_, zone)| *zone)
}

impl TimeZone {
    pub(super) const UTC: Self = Self::Fixed(0);

    /// The offset from UTC at a local time: in the repeated hour of autumn, the first of the two;
    /// in the skipped hour of spring, as if it had not been skipped.
    pub(super) fn offset_seconds(self, local_ms: i128) -> i64 {
        let (winter, rule) = match self {
            Self::Fixed(offset) => return offset,
            Self::Summer(winter, rule) => (winter, rule),
        };
        let Ok(local) = i64::try_from(local_ms.div_euclid(1000)) else { return winter };
        let year = CalendarDate::from_epoch_days(local.div_euclid(MILLIS_PER_DAY / 1000)).year;
        let (from, to) = rule.summer(year, winter);
        let as_summer = local - winter - HOUR;
        if (from..to).contains(&as_summer) { winter + HOUR } else { winter }
    }
}

impl SummerTimeRule {
    /// The start of daylight saving time in a year and the end of it, in UTC.
    fn summer(self, year: i64, winter: i64) -> (i64, i64) {
        match self {
            Self::America => (
                sunday(year, 3, 8) + 2 * HOUR - winter,
                sunday(year, 11, 1) + 2 * HOUR - winter - HOUR,
            ),
            Self::Europe => {
                let last = |month| sunday(year, month, month_length(year, month) - 6) + HOUR;
                (last(3), last(10))
            }
        }
    }
}

/// The start of the first Sunday from that day of the month on.
fn sunday(year: i64, month: i64, day: i64) -> i64 {
    let days = CalendarDate { year, month, day }.to_epoch_days();
    // 1970-01-01 was a Thursday, three days before a Sunday.
    (days + (3 - days).rem_euclid(7)) * (MILLIS_PER_DAY / 1000)
}
