//! Partitions that are used too often: dearer, and steeply so, the nearer they come to what one partition can take.

use model::plan::PlannedTable;

use crate::Context;
use crate::volume;

/// The share of a limit from which heat counts.
const HEAT_FLOOR: f64 = 0.1;

/// Uses per second that count as hot, of so many of the hottest partition: as good as none below a tenth of the limit, all of them at the limit,
/// four times as many at twice the limit.
pub(super) fn hot_uses(uses: f64, limit: f64) -> f64 {
    let load = uses / limit.max(f64::MIN_POSITIVE);
    uses * (load * load - HEAT_FLOOR * HEAT_FLOOR).max(0.0)
}

/// Reads of the hottest partition that count as hot, for each run of a read that runs so often and reads the table so many
/// times by its key.
pub(crate) fn hot_reads(context: Context<'_>, table: &PlannedTable, rate: f64, times: f64) -> f64 {
    let limit = context.options.limits.hot_reads;
    let uses = rate * times;
    // No partition takes more than all of them.
    if rate <= 0.0 || uses <= HEAT_FLOOR * limit {
        return 0.0;
    }
    hot_uses(uses * volume::popularity(context, table), limit) / rate
}
