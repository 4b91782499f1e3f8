//! Times as traces print them.

/// The time of a version 1 UUID, in microseconds since 1970.
pub fn timeuuid_micros(id: cql::value::Uuid) -> Option<i64> {
    // From 15 October 1582 to 1970, in units of 100 ns.
    const TICKS_BEFORE_1970: i64 = 0x01b2_1dd2_1381_4000;
    if id.version() != 1 {
        return None;
    }
    let [low @ .., _, _, _, _, _, _, _, _, _, _, _, _] = id.0;
    let [_, _, _, _, middle @ .., _, _, _, _, _, _, _, _, _, _] = id.0;
    let [_, _, _, _, _, _, high @ .., _, _, _, _, _, _, _, _] = id.0;
    let low = i64::from(u32::from_be_bytes(low));
    let middle = i64::from(u16::from_be_bytes(middle));
    let high = i64::from(u16::from_be_bytes(high) & 0x0fff);
    Some(((high << 48 | middle << 32 | low) - TICKS_BEFORE_1970) / 10)
}

/// Parses `2026-11-18 11:24:01.123456`, with `T` or a space, with or without fraction and zone, into
/// microseconds since 1970. The zone is not applied: only differences matter.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = text.split_once([' ', 'T'])?;
    let mut date = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let clock = clock.split(['+', 'Z', ' ']).next()?;
    let mut clock = clock.splitn(3, ':').map(str::parse::<i64>);
    let (hour, minute, second) = (clock.next()?.ok()?, clock.next()?.ok()?, clock.next()?.ok()?);
    if !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..=60).contains(&second) {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(seconds * 1_000_000 + micros_of(fraction))
}

/// The first six digits of a fraction.
fn micros_of(fraction: &str) -> i64 {
    let digits = fraction.chars().take_while(char::is_ascii_digit).chain(std::iter::repeat('0'));
    digits
        .take(6)
        .filter_map(|digit| digit.to_digit(10))
        .fold(0, |sum, digit| sum * 10 + i64::from(digit))
}

/// Days of the Gregorian calendar, with years that begin in March.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let leap_days = year / 4 - year / 100 + year / 400;
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_counted_from_1970() {
        assert_eq!(parse_timestamp("1970-01-01 00:00:00.000000"), Some(0));
        assert_eq!(parse_timestamp("2000-03-01 00:00:01.5"), Some(951_868_801_500_000));
        assert_eq!(parse_timestamp("2026-11-18T11:24:01.123456Z"), Some(1_795_001_041_123_456));
        assert_eq!(parse_timestamp("2026-11-18 11:24"), None);
        assert_eq!(parse_timestamp("--"), None);
    }

    #[test]
    fn timeuuids_have_a_time() {
        let id = cql::value::Uuid::parse("5132b130-ae79-11e4-ab27-0800200c9a66").unwrap();
        assert_eq!(timeuuid_micros(id), Some(1_423_279_680_451_000));
        let random = cql::value::Uuid::parse("5132b130-ae79-41e4-ab27-0800200c9a66").unwrap();
        assert_eq!(timeuuid_micros(random), None);
    }
}
