//! When partitions cross the recommended limits.

use model::plan::Quantiles;
use schema::size::limits::{LIMITS, Limit, Measure};

use super::Estimate;
use super::tombstones::relative_rows;

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

/// When each limit is crossed.
pub fn crossings(estimate: &Estimate) -> Vec<LimitCrossing> {
    let volume = &estimate.table.volume;
    let crossing = |limit: &'static Limit| {
        let size = |days: f64| size_after(estimate, limit.measure, days);
        LimitCrossing {
            limit,
            p999: volume.first_day(limit.most, |days| size(days).p999),
            largest: volume.first_day(limit.most, |days| size(days).max),
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
            let average = estimate.tombstones.count_protected(days);
            relative_rows(volume).map(|share| share * average)
        }
        // Limits of collections, not of partitions.
        Measure::Elements | Measure::CollectionBytes => Quantiles::default(),
    }
}
