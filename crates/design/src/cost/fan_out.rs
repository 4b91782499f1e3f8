//! Reads of many partitions: the more there are, the more expensive is each.

use model::plan::Effort;

use crate::Context;

/// The additional weight of a partition of a scan over one of a wide fan-out.
const SCAN_WEIGHT: f64 = 9.0;

/// Partitions beyond the number that one read should access: those above the first limit, and those
/// above the second tenfold.
pub(crate) fn excess_partitions(context: Context<'_>, partitions: f64) -> f64 {
    let limits = &context.options.limits;
    (partitions - limits.fan_out_warn).max(0.0)
        + SCAN_WEIGHT * (partitions - limits.fan_out_scan).max(0.0)
}

/// The effort of several equal reads that are sent at once: the client waits only for one round
/// trip, but together they may access too many partitions.
pub(crate) fn parallel_effort(context: Context<'_>, effort: Effort, times: f64) -> Effort {
    let all = effort * times;
    Effort {
        rounds: effort.rounds * times.min(1.0),
        scattered: excess_partitions(context, all.partitions).max(all.scattered),
        ..all
    }
}
