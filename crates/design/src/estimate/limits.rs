//! When partitions cross the recommended limits.

use model::plan::{Quantiles, Volume, first_day};
use schema::size::limits::{LIMITS, Limit, Measure};

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
pub fn crossings(volume: &Volume) -> Vec<LimitCrossing> {
    let crossing = |limit: &'static Limit| {
        let size = |days: f64| size_after(volume, limit.measure, days);
        LimitCrossing {
            limit,
            p999: first_day(limit.most, |days| size(days).p999),
            largest: first_day(limit.most, |days| size(days).max),
        }
    };
    LIMITS.iter().map(crossing).collect()
}

/// The size of a partition after a number of days, as a limit measures it.
fn size_after(volume: &Volume, measure: Measure, days: f64) -> Quantiles {
    match measure {
        Measure::Bytes => volume.bytes_after(days),
        Measure::Rows => volume.rows_after(days),
        Measure::Cells => {
            let each = volume.row_cells_after(days);
            volume.rows_after(days).map(|rows| rows * each)
        }
    }
}
