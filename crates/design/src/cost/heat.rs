//! Partitions that are accessed too often: the price rises steeply near the limit of one partition.

use model::plan::PlannedTable;

use crate::Context;
use crate::volume;

/// The share of a limit from which heat counts.
const HEAT_FLOOR: f64 = 0.1;

/// Accesses per second that count as hot, of those to the hottest partition: practically none below
/// a tenth of the limit, all of them at the limit, four times as many at twice the limit.
pub(super) fn hot_uses(uses: f64, limit: f64) -> f64 {
    let load = uses / limit.max(f64::MIN_POSITIVE);
    uses * (load * load - HEAT_FLOOR * HEAT_FLOOR).max(0.0)
}

/// Reads of the hottest partition that count as hot, for each run of a read with this rate that
/// reads the table `uses` times by its key.
pub(crate) fn hot_reads(context: Context<'_>, table: &PlannedTable, rate: f64, times: f64) -> f64 {
    let limit = context.options.limits.hot_reads;
    let uses = rate * times;
    // No partition receives more than all of them.
    if rate <= 0.0 || uses <= HEAT_FLOOR * limit {
        return 0.0;
    }
    hot_uses(uses * volume::popularity(context, table), limit) / rate
}
