//! Columns that only divide partitions.

use cql::types::{NativeType, Type};
use schema::catalog::{Column, Table};

const DAY: f64 = 86_400.0;

/// Words in the names of spans of time, with their seconds; the first that occurs is taken.
const SPANS: [(&str, f64); 11] = [
    ("minute", 60.0),
    ("hour", 3_600.0),
    ("week", 7.0 * DAY),
    ("yyyymmdd", DAY),
    ("yyyymm", 30.0 * DAY),
    ("year_month", 30.0 * DAY),
    ("yearmonth", 30.0 * DAY),
    ("month", 30.0 * DAY),
    ("year", 365.0 * DAY),
    ("day", DAY),
    ("date", DAY),
];

/// Words in the names of columns that deal rows out.
const DIVISIONS: [&str; 5] = ["bucket", "shard", "slot", "time_slice", "time_partition"];

/// What names of numbers that are times end with.
const TIME_ENDINGS: [&str; 5] = ["_at", "_time", "_ts", "timestamp", "_ms"];

/// A column of a partition key that divides what belongs together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket<'a> {
    /// The column.
    pub(super) column: &'a Column,
    /// The clustering column that it is computed from, if there is one that can be.
    pub(super) time: Option<&'a Column>,
    /// The seconds of the span of time, if the name tells.
    pub(super) seconds: Option<f64>,
}

/// The buckets and shards of a table.
pub(super) fn find_buckets(table: &Table) -> Vec<Bucket<'_>> {
    let found = table.partition_key().iter().filter_map(|column| {
        let seconds = span_seconds(column);
        let name = column.name.to_ascii_lowercase();
        let is_division =
            DIVISIONS.iter().any(|word| name.contains(word)) && !name.ends_with("_name");
        let is_bucket = is_divisible(&column.ty) && (seconds.is_some() || is_division);
        let time = table.clustering().iter().find(|time| can_derive(column, time));
        is_bucket.then_some(Bucket { column, time, seconds })
    });
    found.collect()
}

fn span_seconds(column: &Column) -> Option<f64> {
    let name = column.name.to_ascii_lowercase();
    let span = SPANS.iter().find(|(word, _)| name.contains(word)).map(|(_, seconds)| *seconds);
    span.or_else(|| has_type(column, &[NativeType::Date]).then_some(DAY))
}

/// Whether values of the type may number or name spans.
fn is_divisible(ty: &Type) -> bool {
    use NativeType::{Ascii, Bigint, Date, Int, Smallint, Text, Timestamp, Tinyint};
    matches!(ty, Type::Native(Ascii | Bigint | Date | Int | Smallint | Text | Timestamp | Tinyint))
}

/// Whether a bucket can be computed from a clustering column.
fn can_derive(bucket: &Column, time: &Column) -> bool {
    let name = time.name.to_ascii_lowercase();
    let is_named = matches!(&*name, "ts" | "time" | "created" | "updated")
        || TIME_ENDINGS.iter().any(|ending| name.ends_with(ending));
    // A date is computed from a finer time, never from another date.
    let is_date = has_type(time, &[NativeType::Date]) && !has_type(bucket, &[NativeType::Date]);
    is_date
        || has_type(time, &[NativeType::Timestamp, NativeType::Timeuuid])
        || has_type(time, &[NativeType::Bigint]) && is_named
}

fn has_type(column: &Column, types: &[NativeType]) -> bool {
    matches!(&column.ty, Type::Native(native) if types.contains(native))
}
