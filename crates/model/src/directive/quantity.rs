//! Quantities with units: `1.5k`, `20KB`, `90 days`, `800/s`.

/// Seconds of the units of time, each with its spellings. A month is 30 days and a year 365.
const TIME_UNITS: &[(&[&str], f64)] = &[
    (&["s", "sec", "secs", "second", "seconds"], 1.0),
    (&["min", "mins", "minute", "minutes"], 60.0),
    (&["h", "hour", "hours"], 3_600.0),
    (&["d", "day", "days"], 86_400.0),
    (&["w", "week", "weeks"], 7.0 * 86_400.0),
    (&["mo", "month", "months"], 30.0 * 86_400.0),
    (&["y", "yr", "year", "years"], 365.0 * 86_400.0),
];

/// Larger quantities are rejected as typing errors.
const QUANTITY_MAX: f64 = 1e18;

/// `1500`, `1.5k`, `2M`, `3B`, `1T`.
pub fn parse_number(text: &str) -> Option<f64> {
    let (digits, suffix) = split_number(text)?;
    let factor = match suffix {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "B" => 1e9,
        "T" => 1e12,
        _ => return None,
    };
    check_max(digits * factor)
}

/// A number, or a size: `24`, `24B`, `20KB`, `1.5MB`. A kilobyte is 1,000 bytes.
pub fn parse_size(text: &str) -> Option<f64> {
    let (digits, suffix) = split_number(text)?;
    let factor = match suffix {
        "" | "B" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "KiB" => 1_024.0,
        "MiB" => 1_024.0 * 1_024.0,
        _ => return None,
    };
    check_max(digits * factor)
}

/// `30s`, `5min`, `2h`, `90d`, `3months`, in seconds.
pub fn parse_duration(text: &str) -> Option<f64> {
    let (digits, suffix) = split_number(text)?;
    check_max(digits * unit_seconds(suffix)?)
}

/// `800/s`, `3/day`, `100k/2h`: how many, and in how many seconds.
pub fn parse_rate(text: &str) -> Option<(f64, f64)> {
    let (count, time) = text.split_once('/')?;
    let seconds = unit_seconds(time).or_else(|| parse_duration(time))?;
    Some((parse_number(count)?, seconds)).filter(|(_, seconds)| *seconds > 0.0)
}

/// The number in the notation of directives, with three digits: `1.5k`, `50`, `0.25`.
pub fn spell(number: f64) -> String {
    let (mut scaled, mut suffixes) = (number, ["", "k", "M", "B", "T"].into_iter());
    let mut suffix = suffixes.next().unwrap_or_default();
    // What rounds to a thousand is shown in the next larger unit.
    while scaled >= 999.5
        && let Some(next) = suffixes.next()
    {
        (scaled, suffix) = (scaled / 1_000.0, next);
    }
    let digits = match scaled {
        0.0 => 0,
        scaled if scaled >= 99.95 => 0,
        scaled if scaled >= 9.995 => 1,
        scaled if scaled >= 0.0995 => 2,
        _ => 4,
    };
    let text = format!("{scaled:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{suffix}")
}

/// The seconds of a unit of time.
pub(super) fn unit_seconds(word: &str) -> Option<f64> {
    TIME_UNITS.iter().find(|(spellings, _)| spellings.contains(&word)).map(|(_, seconds)| *seconds)
}

/// The leading number, and the suffix after it.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text.bytes().position(|byte| !(byte.is_ascii_digit() || byte == b'.'));
    let (digits, suffix) = text.split_at(end.unwrap_or(text.len()));
    let plain = digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.ends_with('.');
    plain.then(|| digits.parse().ok().map(|value: f64| (value, suffix))).flatten()
}

fn check_max(value: f64) -> Option<f64> {
    (value <= QUANTITY_MAX).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let read = ["1500", "1.5k", "2M", "3B", "1T", "0.25"].map(parse_number);
        assert_eq!(read, [1_500.0, 1_500.0, 2e6, 3e9, 1e12, 0.25].map(Some));
        for wrong in ["", "k", ".5", "5.", "1,500", "2m", "1e3", "-1", "1.2.3", "9999999T", "5KB"] {
            assert_eq!(parse_number(wrong), None, "{wrong}");
        }
        assert_eq!(parse_number(&"9".repeat(400)), None);
    }

    #[test]
    fn sizes() {
        let read = ["24", "24B", "20KB", "1.5MB", "4KiB"].map(parse_size);
        assert_eq!(read, [24.0, 24.0, 20_000.0, 1.5e6, 4_096.0].map(Some));
        assert_eq!(["20kb", "3T", "x"].map(parse_size), [None; 3]);
    }

    #[test]
    fn durations() {
        let read = ["30s", "5min", "2h", "90d", "2weeks", "3mo", "2years"].map(parse_duration);
        let seconds = [30.0, 300.0, 7_200.0, 7_776_000.0, 1_209_600.0, 7_776_000.0, 63_072_000.0];
        assert_eq!(read, seconds.map(Some));
        assert_eq!(["90", "5m", "d"].map(parse_duration), [None; 3]);
    }

    #[test]
    fn spelling() {
        let numbers =
            [0.0, 1.0, 50.0, 999.0, 1_500.0, 1e6, 2.5e6, 999_999.0, 3e9, 1e12, 0.25, 0.005];
        let spelt =
            ["0", "1", "50", "999", "1.5k", "1M", "2.5M", "1M", "3B", "1T", "0.25", "0.005"];
        assert_eq!(numbers.map(spell), spelt);
        assert!(spelt.iter().all(|text| parse_number(text).is_some()));
    }

    #[test]
    fn rates() {
        assert_eq!(parse_rate("800/s"), Some((800.0, 1.0)));
        assert_eq!(parse_rate("100k/day"), Some((100_000.0, 86_400.0)));
        assert_eq!(parse_rate("3/2h"), Some((3.0, 7_200.0)));
        assert_eq!(["800", "800/", "/s", "1/0s", "5/fortnight"].map(parse_rate), [None; 5]);
    }
}
