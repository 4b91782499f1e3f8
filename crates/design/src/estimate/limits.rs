//! When partitions cross the recommended limits.

use model::concept::DAY;
use model::plan::{PlannedTable, Quantiles, Volume, first_day};
use schema::size::limits::{LIMITS, Limit, Measure};

use super::Estimate;
use crate::Context;
use crate::cost::tombstones;

/// When a limit is crossed.
#[derive(Clone, Copy, Debug)]
pub struct LimitCrossing {
    /// The limit.
    pub limit: &'static Limit,
    /// Days until a partition at p99.9 crosses it; 0 if it has; `None` if it never will.
    pub p999: Option<f64>,
    /// The same for the largest partition.
    pub largest: Option<f64>,
}

/// The tombstones of an average partition, from when the workload starts: they come evenly, until as
/// many are removed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TombstoneGrowth {
    /// Tombstones in the end.
    pub most: f64,
    /// Days until then: the grace of tombstones.
    pub days: f64,
}

impl TombstoneGrowth {
    pub(super) fn new(context: Context<'_>, table: &PlannedTable) -> Self {
        let constants = tombstones::ColumnConstants::new();
        Self {
            most: tombstones::mean_per_partition(context, table, &constants),
            days: tombstones::grace(context, table) / DAY,
        }
    }

    fn count_after(self, days: f64) -> f64 {
        if days >= self.days { self.most } else { self.most * days / self.days }
    }
}

/// When each limit is crossed.
pub fn crossings(estimate: &Estimate) -> Vec<LimitCrossing> {
    let crossing = |limit: &'static Limit| {
        let size = |days: f64| size_after(estimate, limit.measure, days);
        LimitCrossing {
            limit,
            p999: first_day(limit.most, |days| size(days).p999),
            largest: first_day(limit.most, |days| size(days).max),
        }
    };
    LIMITS.iter().map(crossing).collect()
}

/// The size of a partition after a number of days, as a limit measures it.
fn size_after(estimate: &Estimate, measure: Measure, days: f64) -> Quantiles {
    let volume = &estimate.table.volume;
    match measure {
        Measure::Bytes => volume.bytes_after(days),
        Measure::Rows => volume.rows_after(days),
        Measure::Cells => {
            let each = volume.row_cells_after(days);
            volume.rows_after(days).map(|rows| rows * each)
        }
        Measure::Tombstones => {
            let average = estimate.tombstones.count_after(days);
            relative_rows(volume).map(|share| share * average)
        }
    }
}

/// The rows of partitions as multiples of the mean: where there are more, more are deleted.
fn relative_rows(volume: &Volume) -> Quantiles {
    let rows = volume.rows_after(0.0);
    if rows.mean > 0.0 { rows.map(|count| count / rows.mean) } else { Quantiles::even(1.0) }
}
