//! How often statements run.

use std::collections::BTreeMap;

use super::open_point::OpenPoint;
use crate::snapshot::{ObservedStatement, Snapshot, StatementOrigin};

/// Sources that list every request, the better first.
const COMPLETE: [StatementOrigin; 2] = [StatementOrigin::FullQueryLog, StatementOrigin::AuditLog];
/// Sources that list some requests, the better first.
const PARTIAL: [StatementOrigin; 4] = [
    StatementOrigin::SlowQueryLog,
    StatementOrigin::Trace,
    StatementOrigin::TombstoneWarning,
    StatementOrigin::Warning,
];
/// A source that covers less tells no rate.
const SECONDS_MIN: f64 = 1.0;

/// How often a statement runs, and how that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementRate {
    /// Requests a second.
    pub per_second: Option<f64>,
    /// How it is known, or why it is not.
    pub point: OpenPoint,
}

/// The seconds that each source covers.
#[derive(Clone, Debug, Default)]
pub(super) struct CoveredTimes(BTreeMap<StatementOrigin, f64>);

impl CoveredTimes {
    /// The times from the first to the last occurrence of a source, or line of a log.
    pub(super) fn new(snapshot: &Snapshot) -> Self {
        let mut spans: BTreeMap<StatementOrigin, (i64, i64)> = BTreeMap::new();
        let mut extend = |origin, first: Option<i64>, last: Option<i64>| {
            let (Some(first), Some(last)) = (first, last) else { return };
            let span = spans.entry(origin).or_insert((first, last));
            *span = (span.0.min(first), span.1.max(last));
        };
        for statement in snapshot.statements.values() {
            for origin in &statement.origins {
                extend(*origin, statement.first_ms, statement.last_ms);
            }
        }
        for node in snapshot.nodes.values() {
            for origin in [
                StatementOrigin::SlowQueryLog,
                StatementOrigin::TombstoneWarning,
                StatementOrigin::Warning,
            ] {
                extend(origin, node.log.first_ms, node.log.last_ms);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a log fit")]
        let seconds = |(first, last): (i64, i64)| last.saturating_sub(first) as f64 / 1_000.0;
        Self(spans.into_iter().map(|(origin, span)| (origin, seconds(span))).collect())
    }

    /// How often a statement runs.
    pub(super) fn rate(&self, statement: &ObservedStatement) -> StatementRate {
        let is_seen = |origin: &&StatementOrigin| statement.origins.contains(origin);
        let count = statement.count;
        let covered = |origin: StatementOrigin| {
            self.0.get(&origin).copied().filter(|seconds| *seconds >= SECONDS_MIN && count > 0)
        };
        #[expect(clippy::cast_precision_loss, reason = "a count of lines fits")]
        let per_second = |seconds: f64| Some(count as f64 / seconds);
        for origin in COMPLETE.iter().filter(is_seen) {
            if let Some(seconds) = covered(*origin) {
                let point = OpenPoint::RateSeen { origin: *origin, count, seconds };
                return StatementRate { per_second: per_second(seconds), point };
            }
        }
        for origin in PARTIAL.iter().filter(is_seen) {
            if let Some(seconds) = covered(*origin) {
                let point = OpenPoint::RateIsLowerBound { origin: *origin, count };
                return StatementRate { per_second: per_second(seconds), point };
            }
        }
        StatementRate { per_second: None, point: OpenPoint::RateUnknown { count } }
    }
}

impl StatementRate {
    /// The rate of two statements that are the same, of which both run.
    pub(super) fn add(&mut self, other: Self) {
        match (self.per_second, other.per_second) {
            (Some(one), Some(second)) => self.per_second = Some(one + second),
            (None, Some(_)) => *self = other,
            _ => {}
        }
    }

    /// The rate of two statements that one request sends.
    pub(super) fn take_larger(&mut self, other: Self) {
        if other.per_second.unwrap_or(0.0) > self.per_second.unwrap_or(0.0) {
            *self = other;
        }
    }
}
