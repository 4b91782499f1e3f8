//! [`Duration`]: months, days and nanoseconds.

use std::fmt;

use super::error::{ValueError, refuse};
use super::vint;

/// A duration; all parts have the same sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Duration {
    /// The months.
    pub months: i32,
    /// The days.
    pub days: i32,
    /// The nanoseconds.
    pub nanos: i64,
}

/// The units in their required order, with their names in messages.
const UNITS: [(&str, &str); 11] = [
    ("y", "years"),
    ("mo", "months"),
    ("w", "weeks"),
    ("d", "days"),
    ("h", "hours"),
    ("m", "minutes"),
    ("s", "seconds"),
    ("ms", "milliseconds"),
    ("us", "microseconds"),
    ("µs", "microseconds"),
    ("ns", "nanoseconds"),
];

const HOUR: i64 = 3_600_000_000_000;
const MINUTE: i64 = 60_000_000_000;
const SECOND: i64 = 1_000_000_000;

impl Duration {
    /// Parses any of the three forms: `1y2mo`, `P1Y2M` or `P1W`, `P0001-02-00T00:00:00`; a minus
    /// sign may precede.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        let (negative, source) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let total = match source.strip_prefix('P') {
            Some(rest) if source.ends_with('W') => parse_weeks(rest, source),
            Some(rest) if source.contains('-') => parse_alternative(rest, source),
            Some(rest) => parse_iso(rest, source),
            None => parse_units(source),
        }?;
        Ok(if negative {
            Self { months: -total.months, days: -total.days, nanos: -total.nanos }
        } else {
            total
        })
    }

    /// The encoding: three signed integers of variable length.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(3);
        vint::write_signed(&mut out, self.months.into());
        vint::write_signed(&mut out, self.days.into());
        vint::write_signed(&mut out, self.nanos);
        out
    }

    /// Decodes a duration. What follows the three integers is ignored.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ValueError> {
        if bytes.len() < 3 {
            return refuse(format!("Expected at least 3 bytes for a duration ({})", bytes.len()));
        }
        let mut rest = bytes;
        let mut next = || {
            let (value, length) = vint::read_signed(rest).ok_or_else(|| {
                ValueError::Failure("java.lang.AssertionError: Unexpected error".to_owned())
            })?;
            rest = rest.get(length..).unwrap_or_default();
            Ok(value)
        };
        let (months, days, nanos) = (next()?, next()?, next()?);
        let Ok(months) = i32::try_from(months) else {
            return refuse(format!(
                "The duration months must be a 32 bits integer but was: {months}"
            ));
        };
        let Ok(days) = i32::try_from(days) else {
            return refuse(format!("The duration days must be a 32 bits integer but was: {days}"));
        };
        if !(months >= 0 && days >= 0 && nanos >= 0 || months <= 0 && days <= 0 && nanos <= 0) {
            return refuse(format!(
                "The duration months, days and nanoseconds must be all of the same sign ({months}, {days}, {nanos})"
            ));
        }
        Ok(Self { months, days, nanos })
    }

    /// Whether a part is negative.
    pub fn is_negative(self) -> bool {
        self.months < 0 || self.days < 0 || self.nanos < 0
    }
}

/// Parses a number, with Java's error text.
fn parse_number(digits: &str) -> Result<i64, ValueError> {
    digits.parse().map_err(|_| {
        ValueError::Failure(format!(
            "java.lang.NumberFormatException: For input string: \"{digits}\""
        ))
    })
}

fn refuse_duration<T>(source: &str) -> Result<T, ValueError> {
    refuse(format!("Unable to convert '{source}' to a duration"))
}

/// Adds up units, each at most once and in decreasing order.
#[derive(Default)]
struct DurationBuilder {
    months: i64,
    days: i64,
    nanos: i64,
    /// One more than the index of the last unit.
    last: usize,
}

impl DurationBuilder {
    fn add(&mut self, count: i64, symbol: &str) -> Result<(), ValueError> {
        let position = UNITS.iter().position(|(unit, _)| *unit == symbol).unwrap_or(0);
        self.check_order(if position > 8 { position } else { position + 1 })?;
        let (total, per_unit, most, name) = match symbol {
            "y" => (&mut self.months, 12, i64::from(i32::MAX), "months"),
            "mo" => (&mut self.months, 1, i64::from(i32::MAX), "months"),
            "w" => (&mut self.days, 7, i64::from(i32::MAX), "days"),
            "d" => (&mut self.days, 1, i64::from(i32::MAX), "days"),
            "h" => (&mut self.nanos, HOUR, i64::MAX, "nanoseconds"),
            "m" => (&mut self.nanos, MINUTE, i64::MAX, "nanoseconds"),
            "s" => (&mut self.nanos, SECOND, i64::MAX, "nanoseconds"),
            "ms" => (&mut self.nanos, 1_000_000, i64::MAX, "nanoseconds"),
            "us" | "µs" => (&mut self.nanos, 1_000, i64::MAX, "nanoseconds"),
            _ => (&mut self.nanos, 1, i64::MAX, "nanoseconds"),
        };
        if count > (most - *total) / per_unit {
            return refuse(format!(
                "Invalid duration. The total number of {name} must be less or equal to {}",
                i32::MAX
            ));
        }
        *total += count * per_unit;
        Ok(())
    }

    fn check_order(&mut self, index: usize) -> Result<(), ValueError> {
        // Both spellings of microseconds share an index; names are looked up by the first of them.
        let name = |index: usize| {
            UNITS.get(if index > 9 { index } else { index.saturating_sub(1) }).map_or("", |u| u.1)
        };
        if index == self.last {
            return refuse(format!(
                "Invalid duration. The {} are specified multiple times",
                name(index)
            ));
        }
        if index < self.last {
            return refuse(format!(
                "Invalid duration. The {} should be after {}",
                name(self.last),
                name(index)
            ));
        }
        self.last = index;
        Ok(())
    }

    fn build(self) -> Duration {
        let narrow = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
        Duration { months: narrow(self.months), days: narrow(self.days), nanos: self.nanos }
    }
}

/// `12h30m`
fn parse_units(source: &str) -> Result<Duration, ValueError> {
    let mut builder = DurationBuilder::default();
    let mut rest = source;
    loop {
        let Some((digits, symbol, tail)) = next_unit(rest) else { return refuse_duration(source) };
        builder.add(parse_number(digits)?, &symbol)?;
        if tail.is_empty() {
            return Ok(builder.build());
        }
        rest = tail;
    }
}

/// The digits, the unit after them in lower case, and the rest. The server tries the long names
/// last only for `m`.
fn next_unit(text: &str) -> Option<(&str, String, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, rest) = (text.get(..end)?, text.get(end..)?);
    if digits.is_empty() {
        return None;
    }
    for length in [2, 1] {
        let unit: String = rest.chars().take(length).collect();
        let symbol = unit.to_lowercase();
        if UNITS.iter().any(|(known, _)| *known == symbol) && unit.chars().count() == length {
            return Some((digits, symbol, rest.get(unit.len()..)?));
        }
    }
    None
}

/// Parses `1W` after the P.
fn parse_weeks(rest: &str, source: &str) -> Result<Duration, ValueError> {
    let digits = rest.strip_suffix('W').unwrap_or_default();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return refuse_duration(source);
    }
    let mut builder = DurationBuilder::default();
    builder.add(parse_number(digits)?, "w")?;
    Ok(builder.build())
}

/// Parses `1Y2M3DT4H5M6S` after the P; every part is optional.
fn parse_iso(rest: &str, source: &str) -> Result<Duration, ValueError> {
    let (date, time) = rest.split_once('T').map_or((rest, None), |(date, time)| (date, Some(time)));
    let mut parts = Vec::new();
    let dated = parse_designators(date, &[('Y', "y"), ('M', "mo"), ('D', "d")], &mut parts);
    let timed = parse_designators(
        time.unwrap_or_default(),
        &[('H', "h"), ('M', "m"), ('S', "s")],
        &mut parts,
    );
    if dated.and(timed).is_none() {
        return refuse_duration(source);
    }
    let mut builder = DurationBuilder::default();
    for (digits, symbol) in parts {
        builder.add(parse_number(digits)?, symbol)?;
    }
    Ok(builder.build())
}

/// Parses numbers followed by designators in their order.
fn parse_designators<'a>(
    mut text: &'a str,
    designators: &[(char, &'static str)],
    parts: &mut Vec<(&'a str, &'static str)>,
) -> Option<()> {
    for (designator, symbol) in designators {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        if let (false, Some(rest)) = (digits.is_empty(), rest.strip_prefix(*designator)) {
            parts.push((digits, symbol));
            text = rest;
        }
    }
    text.is_empty().then_some(())
}

/// Parses `0001-02-03T04:05:06` after the P, with fixed widths.
fn parse_alternative(rest: &str, source: &str) -> Result<Duration, ValueError> {
    let shape: String = rest.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    if shape != "0000-00-00T00:00:00" {
        return refuse_duration(source);
    }
    let mut builder = DurationBuilder::default();
    for (digits, symbol) in rest.split(['-', 'T', ':']).zip(["y", "mo", "d", "h", "m", "s"]) {
        builder.add(parse_number(digits)?, symbol)?;
    }
    Ok(builder.build())
}

/// `1y2mo3d4h5m6s7ms8us9ns` without zeros; empty for a zero duration.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_negative() {
            f.write_str("-")?;
        }
        let months = self.months.unsigned_abs();
        let mut nanos = self.nanos.unsigned_abs();
        let mut parts = vec![(u64::from(months / 12), "y"), (u64::from(months % 12), "mo")];
        parts.push((u64::from(self.days.unsigned_abs()), "d"));
        for (unit, name) in
            [(HOUR, "h"), (MINUTE, "m"), (SECOND, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns")]
        {
            let unit = unit.unsigned_abs();
            parts.push((nanos / unit, name));
            nanos %= unit;
        }
        for (count, name) in parts.into_iter().filter(|(count, _)| *count != 0) {
            write!(f, "{count}{name}")?;
        }
        Ok(())
    }
}
