//! How often a statement is repeated.

use model::concept::DAY;
use model::id::StepId;
use model::plan::{Bucket, BucketWalk, Loop};

use super::shape::LIST_ELEMENTS;
use crate::Context;

/// Buckets that are requested at once by a walk that may stop, at most.
const AHEAD_MAX: f64 = 8.0;
/// Elements of a list parameter at most.
const LIST_ELEMENTS_MAX: f64 = 500.0;

/// How often a statement is repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repetitions {
    /// At once.
    pub(super) streams: f64,
    /// Buckets, in each stream.
    pub(super) buckets: f64,
    /// Groups of buckets that are visited one after the other, and how many are requested at once.
    pub(super) sequence: f64,
    pub(super) ahead: f64,
    /// Shards among the streams; 1 without.
    pub(super) shards: f64,
    /// The maximum of the product of streams and buckets.
    pub(super) at_most: f64,
    /// The walk over buckets stops when enough rows were found.
    stops: bool,
}

/// What one turn of a statement finds, and what is enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnRows {
    /// Rows of a turn.
    pub(super) rows: f64,
    /// Rows that suffice for a stream.
    pub(super) enough: Option<f64>,
    /// Buckets that the range of the bucketed column touches, where there is one.
    pub(super) touched: Option<f64>,
}

impl Repetitions {
    /// The repetitions of loops; `earlier` are the rows of an earlier step.
    pub(super) fn new(
        context: Context<'_>,
        loops: &[Loop],
        each: TurnRows,
        earlier: &dyn Fn(StepId) -> f64,
    ) -> Self {
        let mut turns = Self {
            streams: 1.0,
            buckets: 1.0,
            sequence: 1.0,
            ahead: 1.0,
            shards: 1.0,
            at_most: 1.0,
            stops: false,
        };
        for turn in loops {
            #[expect(clippy::cast_precision_loss, reason = "a list of values in a query is short")]
            let (usual, at_most) = match turn {
                Loop::Values(values) => (values.len() as f64, values.len() as f64),
                Loop::Elements(_) => (LIST_ELEMENTS, LIST_ELEMENTS_MAX),
                Loop::Shards(count) => {
                    turns.shards *= f64::from(*count).max(1.0);
                    (f64::from(*count), f64::from(*count))
                }
                Loop::Rows(step) => (earlier(*step), f64::INFINITY),
                Loop::Buckets(walk) => {
                    let (usual, at_most) = buckets(context, walk, each);
                    turns.buckets *= usual;
                    if walk.stops_at_limit {
                        turns.ahead = usual.ceil().clamp(1.0, AHEAD_MAX);
                        turns.sequence *= (usual / turns.ahead).ceil();
                        turns.stops = true;
                    }
                    turns.at_most *= at_most;
                    continue;
                }
            };
            turns.streams *= usual;
            turns.at_most *= at_most;
        }
        turns
    }

    /// All repetitions.
    pub(super) fn total(&self) -> f64 {
        self.streams * self.buckets
    }

    /// Rows read by all turns, where each finds `each` rows and a stream needs at most `enough`.
    pub(super) fn rows(&self, each: f64, enough: Option<f64>) -> f64 {
        let stream = match enough {
            Some(enough) if self.stops => (each * self.buckets).min(enough),
            Some(enough) => each.min(enough) * self.buckets,
            None => each * self.buckets,
        };
        stream * self.streams
    }
}

/// Buckets that a walk visits, usually and at most.
fn buckets(context: Context<'_>, walk: &BucketWalk, each: TurnRows) -> (f64, f64) {
    let all = buckets_held(context, walk);
    let in_range = each.touched.unwrap_or(all).min(all);
    let usual = match each.enough {
        Some(enough) if walk.stops_at_limit => {
            let needed = (enough / each.rows.max(1.0)).ceil().max(1.0);
            needed.min(each.touched.unwrap_or(all)).min(all)
        }
        _ if walk.stops_at_limit => 1.0,
        _ => in_range,
    };
    (usual, all)
}

/// Buckets of a key; infinitely many of an integer, of which nothing is known.
fn buckets_held(context: Context<'_>, walk: &BucketWalk) -> f64 {
    let life = walk.retain.map_or(context.options.limits.years * 365.25, |seconds| seconds / DAY);
    walk.bucket.days().map_or(f64::INFINITY, |days| (life / days).ceil() + 1.0)
}

/// Buckets that a range of this width touches: it begins anywhere in the first.
pub(super) fn count_touched_buckets(bucket: Bucket, span: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a price needs no more digits")]
    let width = match bucket {
        Bucket::Range(values) => values as f64,
        _ => bucket.days().unwrap_or(1.0) * DAY,
    };
    span / width.max(f64::MIN_POSITIVE) + 1.0
}

/// The share of a bucket's rows in a range of the bucketed column, whose length is one bucket less
/// than it touches.
pub(super) fn share_of_bucket(walk: &BucketWalk, touched: Option<f64>) -> f64 {
    if walk.stops_at_limit {
        return 1.0;
    }
    touched.map_or(1.0, |touched| (touched - 1.0) / touched.max(1.0))
}
