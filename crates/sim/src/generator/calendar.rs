//! The start of time buckets.

use cql::types::NativeType;
use model::bucket;
use model::plan::Bucket;

/// Milliseconds of a day.
pub(super) const DAY: i64 = 86_400_000;

/// The first millisecond of the bucket that lies `back` buckets before that of a time; `None` for
/// ranges of integers.
pub(super) fn bucket_start(bucket: Bucket, millis: i64, back: i64) -> Option<i64> {
    if let Bucket::Range(_) = bucket {
        return None;
    }
    let number = bucket::number(bucket, &NativeType::Timestamp.into(), &millis.to_be_bytes())?;
    Some(bucket::start(bucket, number - back))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(text: &str) -> i64 {
        let ty = NativeType::Timestamp.into();
        let bytes = cql::value::from_text(&ty, text, 0).unwrap();
        i64::from_be_bytes(bytes.try_into().unwrap())
    }

    #[test]
    fn buckets_begin_where_the_calendar_says() {
        let now = millis("2024-03-01T12:34:56.789+0000");
        for (bucket, back, expected) in [
            (Bucket::HOUR, 0, "2024-03-01T12:00:00.000+0000"),
            (Bucket::HOUR, 13, "2024-02-29T23:00:00.000+0000"),
            (Bucket::DAY, 1, "2024-02-29T00:00:00.000+0000"),
            (Bucket::WEEK, 0, "2024-02-26T00:00:00.000+0000"),
            (Bucket::MONTH, 0, "2024-03-01T00:00:00.000+0000"),
            (Bucket::MONTH, 1, "2024-02-01T00:00:00.000+0000"),
            (Bucket::MONTH, 3, "2023-12-01T00:00:00.000+0000"),
            (Bucket::YEAR, 24, "2000-01-01T00:00:00.000+0000"),
        ] {
            assert_eq!(
                bucket_start(bucket, now, back),
                Some(millis(expected)),
                "{bucket:?} {back}"
            );
        }
    }
}
