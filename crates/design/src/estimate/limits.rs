//! When partitions cross the recommended limits.

use model::plan::Volume;
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
        let (fixed, each) = match limit.measure {
            Measure::Bytes => (volume.fixed_bytes, volume.row_bytes),
            Measure::Rows => (0.0, 1.0),
            Measure::Cells => (0.0, volume.row_cells),
        };
        // The number of rows within the limit.
        let rows = (limit.most - fixed) / each.max(f64::MIN_POSITIVE);
        let now = volume.rows_after(0.0);
        let daily = if volume.grows_for.is_some() { 0.0 } else { 1.0 };
        LimitCrossing {
            limit,
            p999: days_until(rows, now.p999, volume.per_day.p999 * daily),
            largest: days_until(rows, now.max, volume.per_day.max * daily),
        }
    };
    LIMITS.iter().map(crossing).collect()
}

fn days_until(most: f64, now: f64, daily: f64) -> Option<f64> {
    if now > most {
        Some(0.0)
    } else if daily > 0.0 {
        Some((most - now) / daily)
    } else {
        None
    }
}
