//! Dates and times as logs print them.

/// The length of `2026-01-31 23:59:59`.
const LENGTH: usize = 19;

/// The time that a text starts with, in milliseconds since 1970: `2026-01-31 23:59:59,123` with a
/// blank or `T`, and a comma, a point or no fraction. A zone that follows is not part of it.
pub(super) fn parse_timestamp(text: &[u8]) -> Option<i64> {
    let text = text.get(..text.len().min(LENGTH + 4))?;
    let (date, fraction) = text.split_at_checked(LENGTH)?;
    let [
        y1,
        y2,
        y3,
        y4,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b' ' | b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
    ] = *date
    else {
        return None;
    };
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0_i64, |sum, digit| {
            digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0'))
        })
    };
    let days = days_since_1970(number(&[y1, y2, y3, y4])?, number(&[m1, m2])?, number(&[d1, d2])?)?;
    let (hour, minute, second) = (number(&[h1, h2])?, number(&[n1, n2])?, number(&[s1, s2])?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let milliseconds = match fraction {
        [b',' | b'.', digits @ ..] if digits.len() == 3 => number(digits).unwrap_or(0),
        _ => 0,
    };
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milliseconds)
}

/// Days between 1970-01-01 and a date of the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(year * 365 + leap_days + day_of_year - 719_468)
}

/// The position of the first time in a text.
pub(super) fn find_timestamp(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b':', text.get(from..)?) {
        let colon = from + found;
        // The first colon of a time is 13 bytes after its start.
        if let Some(start) = colon.checked_sub(13)
            && text.get(start..).and_then(parse_timestamp).is_some()
        {
            return Some(start);
        }
        from = colon + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_timestamp(b"1970-01-01 00:00:00,000"), Some(0));
        assert_eq!(parse_timestamp(b"2026-11-18 11:22:46,123 File"), Some(1_795_000_966_123));
        assert_eq!(parse_timestamp(b"2024-02-29T12:00:00.5"), Some(1_709_208_000_000));
        assert_eq!(parse_timestamp(b"2024-02-29T12:00:00"), Some(1_709_208_000_000));
        for text in ["2024-13-01 00:00:00", "2024-01-01 25:00:00", "20x4-01-01 00:00:00", "2024"] {
            assert_eq!(parse_timestamp(text.as_bytes()), None, "{text}");
        }
        assert_eq!(find_timestamp(b"INFO  [a:b] 2026-11-18 11:22:46,123 x"), Some(12));
        assert_eq!(find_timestamp(b"a:b:c"), None);
    }
}
