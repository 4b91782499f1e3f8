//! [`TombstoneSeries`]: the tombstones of a partition by day, and what reads scan.
//!
//! A tombstone is protected until its grace (`gc_grace_seconds`) has passed. Then compaction may
//! remove it, when it next rewrites the file: at once where compaction keeps up, never where it
//! does not, or where repair is required first and does not run. Both ends are stated; the truth
//! lies between them.

use model::concept::DAY;
use model::plan::{PlannedTable, Quantiles, Volume};
use schema::size::limits::{LIMITS, Limit, Measure};

use super::Estimate;
use crate::Context;
use crate::cost::tombstones;

/// The days that are shown, beside the end of the grace: a day, a week, a month.
const DAYS: [f64; 3] = [1.0, 7.0, 30.0];
/// Published times of a read by the entries that it scans, in milliseconds.
const READ_TIMES: [(f64, f64); 3] = [(1_100.0, 5.0), (50_100.0, 200.0), (500_100.0, 2_000.0)];

/// The tombstones of an average partition, from when the workload starts: they come evenly, until as
/// many are removed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TombstoneGrowth {
    /// Tombstones made per day.
    pub per_day: f64,
    /// Days that they are protected.
    pub grace_days: f64,
}

/// What a read scans in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadScan {
    /// The name of the read.
    pub name: String,
    /// Live rows.
    pub rows: f64,
    /// The tombstones that a day adds to those that it scans.
    pub tombstones_per_day: f64,
}

/// The tombstones of a table by day.
#[derive(Clone, Debug, PartialEq)]
pub struct TombstoneSeries {
    /// How they come.
    pub growth: TombstoneGrowth,
    /// The days, ascending.
    pub points: Vec<TombstonePoint>,
    /// When a read of a whole partition at p99.9 reaches Cassandra's thresholds, the lowest first.
    pub thresholds: Vec<TombstoneThreshold>,
    /// The reads that scan some of them, with their own thresholds.
    pub reads: Vec<(ReadScan, Vec<TombstoneThreshold>)>,
}

/// A partition on one day of the workload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TombstonePoint {
    /// Days since the workload started.
    pub day: f64,
    /// Its live rows.
    pub live: Quantiles,
    /// Tombstones that the grace protects.
    pub protected: Quantiles,
    /// Tombstones that compaction may have removed.
    pub droppable: Quantiles,
}

/// When a read reaches a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TombstoneThreshold {
    /// The threshold.
    pub limit: &'static Limit,
    /// The day, where compaction removes every tombstone as soon as it may; `None`: never.
    pub compacted: Option<f64>,
    /// The day, where it removes none.
    pub kept: Option<f64>,
}

impl TombstoneGrowth {
    pub(super) fn new(context: Context<'_>, table: &PlannedTable) -> Self {
        Self {
            per_day: tombstones::daily_per_partition(context, table),
            grace_days: tombstones::grace(context, table) / DAY,
        }
    }

    /// Tombstones that the grace protects after so many days.
    pub fn count_protected(self, days: f64) -> f64 {
        self.per_day * days.clamp(0.0, self.grace_days)
    }

    /// Those that it no longer protects: compaction removes them when it comes to them.
    pub fn count_droppable(self, days: f64) -> f64 {
        self.per_day * (days - self.grace_days).max(0.0)
    }

    /// The day on which more than `limit` of `share` times the average are there.
    fn first_day(self, limit: f64, share: f64, is_compacted: bool) -> Option<f64> {
        let daily = self.per_day * share;
        let day = if daily > 0.0 { limit / daily } else { f64::INFINITY };
        let last = if is_compacted { self.grace_days } else { f64::INFINITY };
        (day < last).then_some(day)
    }
}

impl TombstonePoint {
    /// Entries that a read of the whole partition scans where compaction keeps up.
    pub fn count_entries(&self) -> Quantiles {
        self.live.zip(self.protected, |rows, dead| rows + dead)
    }

    /// Entries that it scans where compaction has removed nothing.
    pub fn count_entries_at_most(&self) -> Quantiles {
        self.count_entries().zip(self.droppable, |entries, dead| entries + dead)
    }
}

/// The tombstones of a table by day; `None` where none are made, or where a read meets at most one:
/// that of the only row of its partition.
pub(super) fn tombstone_series(estimate: &Estimate, reads: &[ReadScan]) -> Option<TombstoneSeries> {
    let growth = estimate.tombstones;
    if growth.per_day <= 0.0 || estimate.table.clustering().next().is_none() {
        return None;
    }
    let volume = &estimate.table.volume;
    let share = relative_rows(volume);
    let mut days = DAYS.to_vec();
    days.push(growth.grace_days);
    days.retain(|day| *day > 0.0);
    days.sort_by(f64::total_cmp);
    days.dedup();
    let point = |day: f64| TombstonePoint {
        day,
        live: volume.rows_after(day),
        protected: share.map(|share| share * growth.count_protected(day)),
        droppable: share.map(|share| share * growth.count_droppable(day)),
    };
    let of_read = |scan: &ReadScan| {
        let growth = TombstoneGrowth { per_day: scan.tombstones_per_day, ..growth };
        (scan.clone(), thresholds(growth, 1.0))
    };
    Some(TombstoneSeries {
        growth,
        points: days.into_iter().map(point).collect(),
        thresholds: thresholds(growth, share.p999),
        reads: reads.iter().map(of_read).collect(),
    })
}

fn thresholds(growth: TombstoneGrowth, share: f64) -> Vec<TombstoneThreshold> {
    let limits = LIMITS.iter().filter(|limit| limit.measure == Measure::Tombstones);
    let threshold = |limit: &'static Limit| TombstoneThreshold {
        limit,
        compacted: growth.first_day(limit.most, share, true),
        kept: growth.first_day(limit.most, share, false),
    };
    limits.map(threshold).collect()
}

/// The rows of partitions as multiples of the mean: where there are more, more are deleted.
pub(super) fn relative_rows(volume: &Volume) -> Quantiles {
    let rows = volume.rows_after(0.0);
    if rows.mean > 0.0 { rows.map(|count| count / rows.mean) } else { Quantiles::even(1.0) }
}

/// The time of a read that scans so many rows and tombstones, in milliseconds: between the published
/// times in proportion, beyond them as between the last two.
pub fn interpolate_read_ms(scanned: f64) -> f64 {
    let mut before = (0.0, 0.0);
    let mut ms = 0.0;
    for (entries, time) in READ_TIMES {
        ms = before.1 + (scanned - before.0) * (time - before.1) / (entries - before.0);
        if scanned <= entries {
            break;
        }
        before = (entries, time);
    }
    ms
}
