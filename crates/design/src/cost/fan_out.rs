//! Reads of many partitions: dearer, the more there are.

use model::plan::Effort;

use crate::Context;

/// What a partition of a scan counts more than one of a wide fan-out.
const SCAN_WEIGHT: f64 = 9.0;

/// Partitions beyond those that one read should ask for: those above the first limit, and those above the second tenfold.
pub(crate) fn excess_partitions(context: Context<'_>, partitions: f64) -> f64 {
    let limits = &context.options.limits;
    (partitions - limits.fan_out_warn).max(0.0)
        + SCAN_WEIGHT * (partitions - limits.fan_out_scan).max(0.0)
}

/// What so many reads of an effort each take that are sent at once: nobody waits longer than for one, but together they may ask
/// for too many partitions.
pub(crate) fn parallel_effort(context: Context<'_>, effort: Effort, times: f64) -> Effort {
    let all = effort * times;
    Effort {
        rounds: effort.rounds * times.min(1.0),
        scattered: excess_partitions(context, all.partitions).max(all.scattered),
        ..all
    }
}
