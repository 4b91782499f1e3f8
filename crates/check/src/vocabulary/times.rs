//! Names of times and of spans of time.

use cql::types::NativeType;
use schema::catalog::{Column, Table};

use super::ids::is_id;
use super::matcher::{lowercase, matches_any};
use super::types::has_type;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// Numbers that are times.
const TIME_PATTERNS: &[&str] = &[
    "ts",
    "time",
    "*_at",
    "*_on",
    "*_time",
    "*_date",
    "epoch*",
    "when",
    "created",
    "modified",
    "updated",
    "*_ts",
    "*timestamp*",
];

/// Spans of time, of whatever type.
const SPAN_PATTERNS: &[&str] = &[
    "day",
    "hour",
    "week",
    "month",
    "year",
    "year_month",
    "*_bucket",
    "*_day",
    "*_hour",
    "*_week",
    "*_month",
    "time_slice",
    "*_slice",
    "*_period",
    "period",
    "epoch_day",
    "day_number",
    "day_num",
    "day_id",
    "date_id",
    "date_int",
    "date_key",
    "date_num",
    "date_number",
    "day_int",
    "dt",
    "ymd",
    "timebucket",
    "datebucket",
    "bucket_date",
    "bucket_day",
    "bucket_hour",
    "bucket_month",
    "window*",
    "*_window",
    "time_partition",
    "date_partition",
    "day_partition",
];

/// Spans of time, unless they are timestamps: then they are moments.
const DATE_PATTERNS: &[&str] = &["date", "*_date", "yyyymm*", "*yyyymm*", "epoch*"];

/// Buckets of places, which never roll over.
const PLACE_PATTERNS: &[&str] = &["location_*", "geo*", "place_*", "area_*", "region_*", "grid_*"];

/// Spans of time, if they are texts: what is dealt out has a number.
const BUCKET_PATTERNS: &[&str] = &["bucket", "bucket_id", "bucket_key"];

/// Spans of time, if they are wide enough for a time.
const PARTITION_PATTERNS: &[&str] = &["partition"];

/// Timestamps that are the start of a span.
const SPAN_START_PATTERNS: &[&str] = &["*date", "*day", "*hour", "*week", "*month"];

/// Words in the names of spans of time with their seconds; the first that fits is taken.
const SPAN_SECONDS: &[(&str, f64)] = &[
    ("minute", 60.0),
    ("hour", 3_600.0),
    ("week", 7.0 * DAY),
    ("yyyymmdd", DAY),
    ("yyyymm", 30.0 * DAY),
    ("month", 30.0 * DAY),
    ("year", 365.0 * DAY),
    ("day", DAY),
    ("date", DAY),
];

/// Hours of a day.
const HOUR_PATTERNS: &[&str] = &["hour", "hour_of_day"];

/// Whether a column is a time: by its type, or a number by its name.
pub(crate) fn is_time(column: &Column) -> bool {
    use NativeType::{Bigint, Date, Decimal, Double, Int, Time, Timestamp, Timeuuid};
    has_type(column, &[Timestamp, Date, Time, Timeuuid])
        || has_type(column, &[Bigint, Int, Double, Decimal])
            && matches_any(&column.name, TIME_PATTERNS)
}

/// Whether a column of a partition key is a span of time.
pub(crate) fn is_time_bucket(column: &Column) -> bool {
    use NativeType::{Ascii, Bigint, Date, Int, Smallint, Text, Timestamp};
    has_type(column, &[Date])
        || has_type(column, &[Text, Ascii, Int, Bigint, Smallint, Timestamp])
            && matches_any(&column.name, SPAN_PATTERNS)
            && !matches_any(&column.name, PLACE_PATTERNS)
        || has_type(column, &[Text, Ascii, Int, Bigint, Smallint])
            && matches_any(&column.name, DATE_PATTERNS)
        || has_type(column, &[Text, Ascii]) && matches_any(&column.name, BUCKET_PATTERNS)
        || has_type(column, &[Bigint]) && matches_any(&column.name, PARTITION_PATTERNS)
}

/// Whether a column of a partition key is a span of time: by itself, or as a timestamp of a day that finer times are sorted under.
pub(crate) fn is_time_span(table: &Table, column: &Column) -> bool {
    let is_day = has_type(column, &[NativeType::Timestamp])
        && matches_any(&column.name, SPAN_START_PATTERNS);
    is_time_bucket(column) || is_day && table.clustering().first().is_some_and(is_time)
}

/// The seconds that a span of time in a partition key lasts, where its type or name tells.
pub(crate) fn bucket_seconds(column: &Column) -> Option<f64> {
    let name = lowercase(&column.name);
    let unit =
        SPAN_SECONDS.iter().find(|(word, _)| name.contains(word)).map(|(_, seconds)| *seconds);
    unit.filter(|_| is_time_bucket(column))
        .or_else(|| has_type(column, &[NativeType::Date]).then_some(DAY))
}

/// Whether a column is the hour of a day.
pub(crate) fn is_hour_of_day(column: &Column) -> bool {
    !is_id(column) && matches_any(&column.name, HOUR_PATTERNS)
}
