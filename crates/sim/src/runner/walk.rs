//! The ends of walks over buckets.

use model::bucket;
use model::plan::{Bucket, BucketWalk};

use super::frame::ExecutionFrame;
use super::operand::OperandScope;
use crate::value::TypedValue;

/// The ends of a walk, as numbers of buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkEnds {
    /// The lowest, where it is known before the oldest bucket is read.
    pub(super) from: Option<i64>,
    /// The highest.
    pub(super) to: i64,
}

/// The ends of a walk; `None` where a bound is null, so that no row matches.
pub(super) fn find_ends(
    walk: &BucketWalk,
    scope: OperandScope<'_>,
    frame: &ExecutionFrame,
    now_micros: i64,
) -> Option<WalkEnds> {
    let now_ms = now_micros.div_euclid(1000);
    let number =
        |value: &TypedValue| bucket::number(walk.bucket, &value.ty, value.bytes.as_deref()?);
    let bound = |operand| number(&scope.evaluate(operand, frame, None, None));
    let at_ms = |millis: i64| {
        let moment = cql::types::NativeType::Timestamp;
        number(&TypedValue::new(moment, Some(millis.to_be_bytes().to_vec())))
    };
    let to = match &walk.to {
        Some(operand) => bound(operand)?,
        None if matches!(walk.bucket, Bucket::Range(_)) => i64::MAX,
        None => at_ms(now_ms)?,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a retention is far below 2^63 ms")]
    let expired = walk.retain.and_then(|seconds| at_ms(now_ms - (seconds * 1000.0) as i64));
    let from = match &walk.from {
        Some(operand) => Some(bound(operand)?),
        None => None,
    };
    Some(WalkEnds { from: from.max(expired), to })
}

/// The value of a bucket's column.
pub(super) fn bucket_value(bucket: Bucket, number: i64) -> TypedValue {
    TypedValue::new(bucket::column_type(bucket), Some(bucket::encode_number(bucket, number)))
}
