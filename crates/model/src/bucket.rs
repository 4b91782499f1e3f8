//! Bucket arithmetic: the bucket of a value, and the value of a bucket's column.
//!
//! A bucket has a number, so that a walk can count: how many of its width have passed since 1970,
//! and for integers the value divided by the width. All times are UTC.

use cql::types::{NativeType, Type};
use cql::value::CalendarDate;

use crate::plan::Bucket;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// The number of 1970-01-01 among the days of CQL.
const DATE_OFFSET: i64 = 1 << 31;
/// 1970 began on a Thursday: the Monday of its week is three days before.
const DAYS_SINCE_MONDAY: i64 = 3;
/// Milliseconds between the start of the Gregorian calendar, from which time-based ids count, and
/// 1970.
const GREGORIAN_MS: i64 = 12_219_292_800_000;

/// The number of the bucket of a value; `None` for a type that has no such buckets.
pub fn number(bucket: Bucket, ty: &Type, value: &[u8]) -> Option<i64> {
    if let Bucket::Range(width) = bucket {
        let width = i64::try_from(width.max(1)).unwrap_or(i64::MAX);
        return Some(to_integer(ty, value)?.div_euclid(width));
    }
    let millis = to_millis(ty, value)?;
    let days = millis.div_euclid(DAY_MS);
    let date = CalendarDate::from_epoch_days(days);
    let (units, count) = match bucket {
        Bucket::Hours(count) => (millis.div_euclid(HOUR_MS), count),
        Bucket::Days(count) => (days, count),
        Bucket::Weeks(count) => ((days + DAYS_SINCE_MONDAY).div_euclid(7), count),
        Bucket::Months(count) => ((date.year - 1970) * 12 + date.month - 1, count),
        Bucket::Range(_) => (days, 1),
    };
    Some(units.div_euclid(i64::from(count.max(1))))
}

/// The value of the bucket's column, of the type [`column_type`].
pub fn encode_number(bucket: Bucket, number: i64) -> Vec<u8> {
    match bucket {
        Bucket::Hours(_) | Bucket::Range(_) => start(bucket, number).to_be_bytes().to_vec(),
        Bucket::Days(_) | Bucket::Weeks(_) | Bucket::Months(_) => {
            let day = start(bucket, number).div_euclid(DAY_MS).saturating_add(DATE_OFFSET);
            let day = day.clamp(0, i64::from(u32::MAX));
            u32::try_from(day).unwrap_or(u32::MAX).to_be_bytes().to_vec()
        }
    }
}

/// The number of the bucket that a value of the bucket's column stands for.
pub fn decode_number(bucket: Bucket, value: &[u8]) -> Option<i64> {
    match bucket {
        Bucket::Range(_) => Some(i64::from_be_bytes(value.try_into().ok()?)),
        _ => number(bucket, &column_type(bucket), value),
    }
}

/// Where a bucket starts: milliseconds since 1970; for a range of integers its number.
pub fn start(bucket: Bucket, number: i64) -> i64 {
    let first = |year, month| CalendarDate { year, month, day: 1 }.to_epoch_days();
    let units = |count: u16| number.saturating_mul(i64::from(count));
    let days = match bucket {
        Bucket::Range(_) => return number,
        Bucket::Hours(count) => return units(count).saturating_mul(HOUR_MS),
        Bucket::Days(count) => units(count),
        Bucket::Weeks(count) => units(count).saturating_mul(7).saturating_sub(DAYS_SINCE_MONDAY),
        Bucket::Months(count) => {
            let months = units(count);
            first(months.div_euclid(12).saturating_add(1970), months.rem_euclid(12) + 1)
        }
    };
    days.saturating_mul(DAY_MS)
}

/// The type of the bucket's column.
pub fn column_type(bucket: Bucket) -> Type {
    match bucket {
        Bucket::Hours(_) => NativeType::Timestamp,
        Bucket::Range(_) => NativeType::Bigint,
        Bucket::Days(_) | Bucket::Weeks(_) | Bucket::Months(_) => NativeType::Date,
    }
    .into()
}

/// The moment of a time, a date (its start) or a time-based id, in milliseconds since 1970.
pub fn to_millis(ty: &Type, value: &[u8]) -> Option<i64> {
    match ty {
        Type::Native(NativeType::Timestamp) => Some(i64::from_be_bytes(value.try_into().ok()?)),
        Type::Native(NativeType::Date) => {
            let day = u32::from_be_bytes(value.try_into().ok()?);
            Some((i64::from(day) - DATE_OFFSET) * DAY_MS)
        }
        Type::Native(NativeType::Timeuuid | NativeType::Uuid) => {
            let high = u64::from_be_bytes(*value.first_chunk()?);
            let ticks = (high >> 32) | ((high & 0xffff_0000) << 16) | ((high & 0x0fff) << 48);
            Some(ticks.cast_signed().div_euclid(10_000) - GREGORIAN_MS)
        }
        _ => None,
    }
}

/// A whole number of any width.
fn to_integer(ty: &Type, value: &[u8]) -> Option<i64> {
    match ty {
        Type::Native(NativeType::Bigint | NativeType::Counter) => {
            Some(i64::from_be_bytes(value.try_into().ok()?))
        }
        Type::Native(NativeType::Int) => Some(i32::from_be_bytes(value.try_into().ok()?).into()),
        Type::Native(NativeType::Smallint) => {
            Some(i16::from_be_bytes(value.try_into().ok()?).into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cql::types::{NativeType, Type};
    use cql::value::{from_text, literal};

    use super::{column_type, decode_number, encode_number, number, start};
    use crate::plan::Bucket;

    fn bucket_of(bucket: Bucket, ty: NativeType, text: &str) -> String {
        let ty = Type::from(ty);
        let bytes = from_text(&ty, text, 0).unwrap();
        let number = number(bucket, &ty, &bytes).unwrap();
        let column = encode_number(bucket, number);
        assert_eq!(decode_number(bucket, &column), Some(number), "{text}");
        literal(&column_type(bucket), Some(&column)).unwrap()
    }

    #[test]
    fn buckets_begin_where_the_calendar_says() {
        for (bucket, time, expected) in [
            (Bucket::HOUR, "2024-02-29 23:59:59.999Z", "'2024-02-29T23:00:00.000Z'"),
            (Bucket::HOUR, "1969-12-31 23:30:00Z", "'1969-12-31T23:00:00.000Z'"),
            (Bucket::DAY, "2024-02-29 23:59:59.999Z", "'2024-02-29'"),
            (Bucket::DAY, "1969-12-31 00:00:00Z", "'1969-12-31'"),
            (Bucket::WEEK, "2026-01-04 23:00:00Z", "'2025-12-29'"),
            (Bucket::WEEK, "2026-01-05 00:00:00Z", "'2026-01-05'"),
            (Bucket::WEEK, "1970-01-01 00:00:00Z", "'1969-12-29'"),
            (Bucket::MONTH, "2024-02-29 12:00:00Z", "'2024-02-01'"),
            (Bucket::MONTH, "1969-12-31 12:00:00Z", "'1969-12-01'"),
            (Bucket::YEAR, "2024-12-31 12:00:00Z", "'2024-01-01'"),
            (Bucket::YEAR, "1969-12-31 12:00:00Z", "'1969-01-01'"),
            (Bucket::Hours(6), "2024-02-29 23:59:59.999Z", "'2024-02-29T18:00:00.000Z'"),
            // 19,782 days after 1970, which is two more than a multiple of four.
            (Bucket::Days(4), "2024-02-29 23:59:59.999Z", "'2024-02-27'"),
            (Bucket::Days(4), "1969-12-31 00:00:00Z", "'1969-12-28'"),
            (Bucket::Weeks(2), "1970-01-11 23:00:00Z", "'1969-12-29'"),
            (Bucket::Weeks(2), "1970-01-12 00:00:00Z", "'1970-01-12'"),
            (Bucket::Months(3), "2024-02-29 12:00:00Z", "'2024-01-01'"),
            (Bucket::Months(3), "1969-11-30 12:00:00Z", "'1969-10-01'"),
        ] {
            assert_eq!(bucket_of(bucket, NativeType::Timestamp, time), expected, "{time}");
        }
        assert_eq!(bucket_of(Bucket::MONTH, NativeType::Date, "2024-02-29"), "'2024-02-01'");
    }

    #[test]
    fn ids_fall_where_their_time_does() {
        // 2026-01-05 00:00 is 0x1f0e9c97a6ac000 ticks of 100 ns after 1582-10-15.
        let id = "7a6ac000-e9c9-11f0-8080-808080808080";
        let before = "7a6abfff-e9c9-11f0-8080-808080808080";
        assert_eq!(bucket_of(Bucket::WEEK, NativeType::Timeuuid, before), "'2025-12-29'");
        assert_eq!(bucket_of(Bucket::WEEK, NativeType::Timeuuid, id), "'2026-01-05'");
        assert_eq!(bucket_of(Bucket::HOUR, NativeType::Timeuuid, id), "'2026-01-05T00:00:00.000Z'");
    }

    #[test]
    fn ranges_are_quotients() {
        for (text, expected) in [("0", "0"), ("99", "0"), ("100", "1"), ("-1", "-1")] {
            assert_eq!(bucket_of(Bucket::Range(100), NativeType::Int, text), expected);
        }
        assert_eq!(start(Bucket::Range(100), 3), 3);
        assert_eq!(start(Bucket::DAY, 1), 86_400_000);
    }
}
