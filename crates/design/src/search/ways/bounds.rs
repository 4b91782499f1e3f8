//! Limits that no price makes up for.

use model::figures;
use model::plan::{Effort, PlannedTable};

use crate::{Context, partition_split};

/// As many partitions are never selected by lists of values.
const LISTED_MOST: usize = 500;

/// Why so many partitions are not selected by lists of values.
pub(super) fn list_violation(partitions: usize) -> Option<String> {
    (partitions >= LISTED_MOST).then(|| {
        format!("{partitions} partitions selected by lists of values; the limit is {LISTED_MOST}")
    })
}

/// Why so many partitions are not read where there is another way.
pub(super) fn scan_violation(context: Context<'_>, effort: &Effort) -> String {
    let most = figures::format_count(context.options.limits.fan_out_scan);
    format!("{} partitions per read, more than {most}", figures::format_count(effort.partitions))
}

/// Why a table cannot be used: its partitions exceed a limit and nothing splits them.
pub(in crate::search) fn limit_violation(
    context: Context<'_>,
    table: &PlannedTable,
) -> Option<String> {
    let limits = &context.options.limits;
    let volume = &table.volume;
    if partition_split::is_over_limit(context, table, volume) {
        let days = crate::volume::horizon(context, table);
        let (rows, bytes) = (volume.rows_after(days).p999, volume.bytes_after(days).p999);
        return Some(format!(
            "partitions of {} rows and {} at p99.9, more than the bound of {} rows and {}",
            figures::format_count(rows),
            figures::format_bytes(bytes),
            figures::format_count(limits.partition_rows),
            figures::format_bytes(limits.partition_bytes)
        ));
    }
    (volume.hottest_writes > limits.hot_writes).then(|| {
        format!(
            "{} writes per second to one partition, more than {}",
            figures::format_count(volume.hottest_writes),
            figures::format_count(limits.hot_writes)
        )
    })
}
