//! Limits that no price makes up for.

use model::figures;
use model::plan::{ClientStep, Effort, PlannedTable, ReadPlan};

use crate::{Context, mapping, partition_split};

/// As many partitions are never selected by lists of values.
const LISTED_MOST: usize = 500;

/// Why so many partitions are not selected by lists of values.
pub(super) fn list_violation(partitions: usize) -> Option<String> {
    (partitions >= LISTED_MOST).then(|| {
        format!("{partitions} partitions selected by lists of values; the limit is {LISTED_MOST}")
    })
}

/// Whether a plan reads more partitions than are read where there is another way, or has the client
/// drop most of more rows than a page or two.
pub(super) fn is_excessive(context: Context<'_>, plan: &ReadPlan) -> bool {
    let filters = plan.client.iter().any(|step| matches!(step, ClientStep::Filter(_)));
    plan.partitions > context.options.limits.fan_out_scan
        || (filters && plan.effort.rows > mapping::DROPPED_ROWS)
}

/// Why so much is not read where there is another way.
pub(super) fn scan_violation(context: Context<'_>, effort: &Effort) -> String {
    let limit = context.options.limits.fan_out_scan;
    if effort.partitions > limit {
        let partitions = figures::format_count(effort.partitions);
        return format!(
            "{partitions} partitions per read, more than {}",
            figures::format_count(limit)
        );
    }
    let [rows, most] = [effort.rows, mapping::DROPPED_ROWS].map(figures::format_count);
    format!("{rows} rows per read that the client filters, more than {most}")
}

/// Why a walk over so many buckets is not taken where another way reads fewer partitions.
pub(super) fn walk_violation(effort: &Effort) -> String {
    let partitions = figures::format_count(effort.partitions);
    format!("{partitions} partitions per read, too many to be requested at once")
}

/// Why a table cannot be used: its partitions exceed a limit and nothing splits them.
pub(in crate::search) fn limit_violation(
    context: Context<'_>,
    table: &PlannedTable,
) -> Option<String> {
    let limits = &context.options.limits;
    let volume = &table.volume;
    if partition_split::is_over_limit(context, table, volume) {
        let days = volume.fullest_day(crate::volume::horizon(context, table));
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
