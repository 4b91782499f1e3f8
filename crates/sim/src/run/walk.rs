//! Walks over buckets: from where to where.

use model::bucket;
use model::plan::{Bucket, Walk};

use super::frame::Frame;
use super::operand::Scope;
use crate::value::Typed;

/// The ends of a walk, as numbers of buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// The lowest, where it is known before the oldest bucket is asked for.
    pub(super) from: Option<i64>,
    /// The highest.
    pub(super) to: i64,
}

/// The ends of a walk; `None` where a bound is null, so that nothing is wanted.
pub(super) fn ends(walk: &Walk, scope: Scope<'_>, frame: &Frame, now_micros: i64) -> Option<Ends> {
    let now_ms = now_micros.div_euclid(1000);
    let number = |value: &Typed| bucket::number(walk.bucket, &value.ty, value.bytes.as_deref()?);
    let bound = |operand| number(&scope.operand(operand, frame, None, None));
    let at_ms = |millis: i64| {
        let moment = cql::types::NativeType::Timestamp;
        number(&Typed::new(moment, Some(millis.to_be_bytes().to_vec())))
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
    Some(Ends { from: from.max(expired), to })
}

/// The value of a bucket's column.
pub(super) fn turn(bucket: Bucket, number: i64) -> Typed {
    Typed::new(bucket::type_of(bucket), Some(bucket::value(bucket, number)))
}
