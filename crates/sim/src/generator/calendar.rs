//! Buckets of time: where they begin.

use model::plan::Bucket;

/// Milliseconds of a day.
pub(super) const DAY: i64 = 86_400_000;

/// Milliseconds of an hour.
const HOUR: i64 = 3_600_000;

/// The first millisecond of the bucket that lies so many before the one of a time; none for ranges
/// of integers.
pub(super) fn bucket_start(bucket: Bucket, millis: i64, back: i64) -> Option<i64> {
    let day = millis.div_euclid(DAY);
    let (year, month) = year_and_month(day);
    Some(match bucket {
        Bucket::Hour => (millis.div_euclid(HOUR) - back) * HOUR,
        Bucket::Day => (day - back) * DAY,
        // The first day of 1970 was a Thursday.
        Bucket::Week => (day - (day + 3).rem_euclid(7) - 7 * back) * DAY,
        Bucket::Month => {
            let months = year * 12 + month - 1 - back;
            first_day(months.div_euclid(12), months.rem_euclid(12) + 1) * DAY
        }
        Bucket::Year => first_day(year - back, 1) * DAY,
        Bucket::Range(_) => return None,
    })
}

/// The year and month (1 to 12) of a day since 1970.
fn year_and_month(day: i64) -> (i64, i64) {
    // Eras of 400 years from 1 March 0000, so that leap days are the last of their years.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month)
}

/// The first day of a month, since 1970.
fn first_day(year: i64, month: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(text: &str) -> i64 {
        let ty = cql::types::NativeType::Timestamp.into();
        let bytes = cql::value::from_text(&ty, text, 0).unwrap();
        i64::from_be_bytes(bytes.try_into().unwrap())
    }

    #[test]
    fn buckets_begin_where_the_calendar_says() {
        let now = millis("2024-03-01T12:34:56.789+0000");
        for (bucket, back, expected) in [
            (Bucket::Hour, 0, "2024-03-01T12:00:00.000+0000"),
            (Bucket::Hour, 13, "2024-02-29T23:00:00.000+0000"),
            (Bucket::Day, 1, "2024-02-29T00:00:00.000+0000"),
            (Bucket::Week, 0, "2024-02-26T00:00:00.000+0000"),
            (Bucket::Month, 0, "2024-03-01T00:00:00.000+0000"),
            (Bucket::Month, 1, "2024-02-01T00:00:00.000+0000"),
            (Bucket::Month, 3, "2023-12-01T00:00:00.000+0000"),
            (Bucket::Year, 24, "2000-01-01T00:00:00.000+0000"),
        ] {
            assert_eq!(
                bucket_start(bucket, now, back),
                Some(millis(expected)),
                "{bucket:?} {back}"
            );
        }
    }
}
