//! Formatting of figures for reports: `1.2k`, `35 MB`, `2.3 years`, `800/s`.

use std::fmt;

const COUNTS: [(f64, &str); 5] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"), (1.0, "")];
const BYTES: [(f64, &str); 6] =
    [(1e15, " PB"), (1e12, " TB"), (1e9, " GB"), (1e6, " MB"), (1e3, " KB"), (1.0, " bytes")];
const SPANS: [(f64, &str); 5] = [
    (365.25 * 86_400.0, "year"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
];
const RATES: [(f64, &str); 5] = [
    (1.0, "/s"),
    (1.0 / 60.0, "/min"),
    (1.0 / 3_600.0, "/h"),
    (1.0 / 86_400.0, "/day"),
    (1.0 / (365.25 * 86_400.0), "/year"),
];

/// A number: `7`, `2.5`, `850`, `1.2k`, `300k`, `2M`.
pub fn format_count(number: f64) -> String {
    format_scaled(number, &COUNTS)
}

/// A number with the thing it counts: `1 row`, `1.2k rows`.
pub fn pluralise(number: f64, thing: &str) -> String {
    let number = format_count(number);
    match thing.strip_suffix('y') {
        _ if number == "1" => format!("{number} {thing}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{number} {stem}ies"),
        _ if thing.ends_with('x') => format!("{number} {thing}es"),
        _ => format!("{number} {thing}s"),
    }
}

/// A noun with its indefinite article: `an int`, `a uuid`, `an hour`, `an 8-day period`.
pub fn with_article(noun: impl fmt::Display) -> String {
    let noun = noun.to_string();
    let is_spoken_with_vowel = noun.starts_with(['a', 'e', 'i', 'o'])
        || ["hour", "8", "11-", "18-"].iter().any(|start| noun.starts_with(start));
    let article = if is_spoken_with_vowel { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Bytes: `812 bytes`, `35 MB`, `1.5 GB` (of 1,000 each).
pub fn format_bytes(number: f64) -> String {
    format_scaled(number, &BYTES)
}

/// How often: `800/s`, `3k/s`, `20/min`, `2.5/day`.
pub fn format_rate(per_second: f64) -> String {
    if per_second <= 0.0 {
        return "0/s".to_owned();
    }
    let (unit, name) = RATES
        .into_iter()
        .find(|(unit, _)| is_at_least(per_second, *unit))
        .unwrap_or((RATES[4].0, RATES[4].1));
    format!("{}{name}", format_count(per_second / unit))
}

/// How often something is written: `3k writes/s`, `20/min writes`.
pub fn format_writes(per_second: f64) -> String {
    let rate = format_rate(per_second);
    rate.strip_suffix("/s")
        .map_or_else(|| format!("{rate} writes"), |number| format!("{number} writes/s"))
}

/// A length of time: `30 seconds`, `90 days`, `2.3 years`.
pub fn format_duration(seconds: f64) -> String {
    // Months have no fixed length, and below two years days are more precise.
    let unit = SPANS.into_iter().find(|(unit, name)| {
        let least = if *name == "year" { 2.0 } else { 1.0 };
        is_at_least(seconds, unit * least)
    });
    let (unit, name) = unit.unwrap_or((SPANS[4].0, SPANS[4].1));
    pluralise(seconds / unit, name)
}

/// A length of time given in days.
pub fn format_days(days: f64) -> String {
    format_duration(days * 86_400.0)
}

/// A time ahead, given in days, in years or months where it is a whole number of them: `6 months`.
pub fn format_time_ahead(days: f64) -> String {
    // Directives count 30 days a month and 365 a year, calendars a little more.
    for (lengths, name) in [([365.0, 365.25], "year"), ([30.0, 365.25 / 12.0], "month")] {
        let is_whole = |length: &f64| (days / length - (days / length).round()).abs() < 1e-6;
        if let Some(length) = lengths.into_iter().find(is_whole).filter(|length| days >= *length) {
            return pluralise((days / length).round(), name);
        }
    }
    format_days(days)
}

/// An integer with thousands separators: `1,700`.
pub fn group_thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of a whole: `35 %`, `0.4 %`.
pub fn format_share(part: f64) -> String {
    format!("{} %", format_plain(part * 100.0))
}

/// A number in the largest unit of which it has at least one.
fn format_scaled(number: f64, units: &[(f64, &str)]) -> String {
    if number.is_infinite() {
        return "any number of".to_owned();
    }
    let last = units.last().copied().unwrap_or((1.0, ""));
    let (unit, name) =
        units.iter().copied().find(|(unit, _)| is_at_least(number.abs(), *unit)).unwrap_or(last);
    let digits = format_plain(number / unit);
    // Singular, where the unit is a word.
    let name = if digits == "1" && name == " bytes" { " byte" } else { name };
    format!("{digits}{name}")
}

/// Whether a number is shown as at least one of a unit: what is rounded up to it counts.
fn is_at_least(number: f64, unit: f64) -> bool {
    number >= unit * 0.9995
}

/// Two digits up to ten, else whole; without a trailing zero.
fn format_plain(number: f64) -> String {
    let size = number.abs();
    if size >= 9.95 {
        return format!("{number:.0}");
    }
    let digits = match size {
        _ if size >= 0.095 => format!("{number:.1}"),
        _ if size >= 0.0095 => format!("{number:.2}"),
        _ if size >= 0.00095 => format!("{number:.3}"),
        _ => return "0".to_owned(),
    };
    digits.strip_suffix(".0").map_or_else(|| digits.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{
        format_bytes, format_count, format_days, format_duration, format_rate, format_share,
        format_time_ahead, pluralise,
    };

    #[test]
    fn counts() {
        let cases = [
            (0.0, "0"),
            (0.04, "0.04"),
            (0.5, "0.5"),
            (1.0, "1"),
            (2.5, "2.5"),
            (9.97, "10"),
            (850.0, "850"),
            (999.4, "999"),
            (999.7, "1k"),
            (1_200.0, "1.2k"),
            (1_000.0, "1k"),
            (300_000.0, "300k"),
            (999_900.0, "1M"),
            (2e9, "2B"),
            (1.5e12, "1.5T"),
            (3e15, "3000T"),
            (-1_200.0, "-1.2k"),
        ];
        for (number, text) in cases {
            assert_eq!(format_count(number), text);
        }
        assert_eq!(pluralise(1.0, "row"), "1 row");
        assert_eq!(pluralise(1_200.0, "row"), "1.2k rows");
        assert_eq!(pluralise(2.0, "query"), "2 queries");
        assert_eq!(pluralise(2.0, "day"), "2 days");
        assert_eq!(pluralise(f64::INFINITY, "partition"), "any number of partitions");
    }

    #[test]
    fn sizes_and_shares() {
        assert_eq!(format_bytes(1.0), "1 byte");
        assert_eq!(format_bytes(812.0), "812 bytes");
        assert_eq!(format_bytes(35e6), "35 MB");
        assert_eq!(format_bytes(1.53e9), "1.5 GB");
        assert_eq!(format_bytes(99.97e6), "100 MB");
        assert_eq!(format_share(0.353), "35 %");
        assert_eq!(format_share(0.004), "0.4 %");
    }

    #[test]
    fn times() {
        assert_eq!(format_rate(800.0), "800/s");
        assert_eq!(format_rate(3_000.0), "3k/s");
        assert_eq!(format_rate(1.0 / 3.0), "20/min");
        assert_eq!(format_rate(3.0 / 86_400.0), "3/day");
        assert_eq!(format_rate(0.0), "0/s");
        assert_eq!(format_duration(30.0), "30 seconds");
        assert_eq!(format_duration(3_600.0), "1 hour");
        assert_eq!(format_days(90.0), "90 days");
        assert_eq!(format_days(365.25 * 2.3), "2.3 years");
        assert_eq!(format_days(1.0), "1 day");
        assert_eq!(format_days(0.25), "6 hours");
        let ahead =
            [1_050.0, 180.0, 365.0, 3.0 * 365.25, 365.25 / 2.0, 45.0].map(format_time_ahead);
        assert_eq!(ahead, ["35 months", "6 months", "1 year", "3 years", "6 months", "45 days"]);
    }
}
