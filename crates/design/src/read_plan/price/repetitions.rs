//! How often a statement is repeated.

use model::concept::DAY;
use model::id::StepId;
use model::plan::{BucketWalk, Loop};

use super::shape::LIST_ELEMENTS;
use crate::Context;

/// Buckets that a range between parameters usually touches, and how many buckets' rows it holds.
const RANGE_BUCKETS: f64 = 2.0;
/// Elements of a list parameter at most.
const LIST_ELEMENTS_MAX: f64 = 500.0;

/// How often a statement is repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repetitions {
    /// At once.
    pub(super) streams: f64,
    /// One after the other, in each stream.
    pub(super) buckets: f64,
    /// Shards among the former; 1 without.
    pub(super) shards: f64,
    /// The maximum of the product of both.
    pub(super) at_most: f64,
    /// The walk over buckets stops when enough rows were found.
    stops: bool,
}

impl Repetitions {
    /// The repetitions of loops, where each turn finds `rows` rows, of which `enough` suffice for a
    /// stream; `earlier` are the rows of an earlier step.
    pub(super) fn new(
        context: Context<'_>,
        loops: &[Loop],
        rows: f64,
        enough: Option<f64>,
        earlier: &dyn Fn(StepId) -> f64,
    ) -> Self {
        let mut turns =
            Self { streams: 1.0, buckets: 1.0, shards: 1.0, at_most: 1.0, stops: false };
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
                    let (usual, at_most) = buckets(context, walk, rows, enough);
                    turns.buckets *= usual;
                    turns.stops |= walk.stops_at_limit;
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
fn buckets(context: Context<'_>, walk: &BucketWalk, rows: f64, enough: Option<f64>) -> (f64, f64) {
    let life = walk.retain.map_or(context.options.limits.years * 365.25, |seconds| seconds / DAY);
    let all = walk.bucket.days().map_or(f64::INFINITY, |days| (life / days).ceil() + 1.0);
    let usual = match enough {
        Some(enough) if walk.stops_at_limit => (enough / rows.max(1.0)).ceil().max(1.0).min(all),
        _ if walk.stops_at_limit => 1.0,
        _ if walk.from.is_some() => RANGE_BUCKETS.min(all),
        _ => all,
    };
    (usual, all)
}

/// The share of a bucket's rows in a range of the bucketed column, whose length is taken as one
/// bucket less than it touches.
pub(super) fn share_of_bucket(walk: &BucketWalk) -> f64 {
    if walk.from.is_some() && !walk.stops_at_limit {
        (RANGE_BUCKETS - 1.0) / RANGE_BUCKETS
    } else {
        1.0
    }
}
