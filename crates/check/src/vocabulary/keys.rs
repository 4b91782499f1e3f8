//! Names of columns that make or split partitions.

use cql::types::NativeType;
use schema::catalog::Column;

use super::matcher::matches_any;
use super::times::is_time_bucket;
use super::types::has_type;

/// Numbers and texts that rows are dealt out by.
const SHARD_PATTERNS: &[&str] = &[
    "shard*",
    "*_shard",
    "*_shard_id",
    "bucket",
    "buckets",
    "bucket_id",
    "bucket_n*",
    "bucket_index",
    "*_hash_bucket",
    "slot",
    "split",
    "partition",
    "partition_nr",
    "partition_id",
    "*_prefix",
    "hash_*",
    "modulo",
];

/// What a shard is called deals nothing out.
const NOT_SHARD_PATTERNS: &[&str] = &["bucket_name", "shard_name"];

/// The ranges that a growing number is divided into.
const RANGE_PATTERNS: &[&str] = &["range", "*_range", "range_*"];

/// A group of texts is a group of people; one of numbers is a quotient.
const GROUP_PATTERNS: &[&str] = &["*_group", "group"];

/// Columns whose value is always the same.
const CONSTANT_PATTERNS: &[&str] = &[
    "partition",
    "pk",
    "bucket",
    "part",
    "*_partition",
    "partition_key*",
    "dummy*",
    "singleton",
    "constant",
    "fixed*",
    "all",
];

/// Whether a column of a partition key is a shard: a number or a text that rows are dealt out by, and no span of time.
pub(crate) fn is_shard(column: &Column) -> bool {
    use NativeType::{Ascii, Bigint, Blob, Boolean, Int, Smallint, Text, Timeuuid, Tinyint, Uuid};
    let numeric = has_type(column, &[Bigint, Int, Smallint, Tinyint]);
    let fits = numeric || has_type(column, &[Ascii, Blob, Text]);
    !is_time_bucket(column)
        && !has_type(column, &[Boolean, Uuid, Timeuuid])
        && (fits
            && matches_any(&column.name, SHARD_PATTERNS)
            && !matches_any(&column.name, NOT_SHARD_PATTERNS)
            || numeric && matches_any(&column.name, GROUP_PATTERNS))
}

/// Whether a column of a partition key is a range of a growing number: later rows are in later ones.
pub(crate) fn is_number_range(column: &Column) -> bool {
    has_type(column, &[NativeType::Bigint, NativeType::Int])
        && matches_any(&column.name, RANGE_PATTERNS)
}

/// Whether a column of a partition key splits what would be one partition: a span of time or of numbers, a shard.
pub(crate) fn is_bucket(column: &Column) -> bool {
    is_time_bucket(column) || is_shard(column) || is_number_range(column)
}

/// Whether the name of a partition column is one that people give to a column whose value is always the same.
pub(crate) fn is_constant_name(column: &Column) -> bool {
    matches_any(&column.name, CONSTANT_PATTERNS) && !is_time_bucket(column)
}
