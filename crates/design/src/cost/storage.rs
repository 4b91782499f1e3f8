//! The standing cost of a table: its bytes, the heat of its writes, and a constant for each table.

use model::plan::{PlannedTable, Volume};

use super::{heat, indexes};
use crate::Context;
use crate::volume::YEAR;

/// What partitions at the limit of their size cost more, as a part of their storage.
const LARGE_PARTITION_SHARE: f64 = 0.05;
/// The share of the limit up to which partitions are not large.
const COMFORTABLE_SHARE: f64 = 0.5;

/// The standing cost of a table, per second.
pub(crate) fn table_cost(context: Context<'_>, table: &PlannedTable) -> f64 {
    volume_cost(context, &table.volume) + index_cost(context, table)
}

/// The standing cost of a table's indexes: their files, and an entry for each row.
fn index_cost(context: Context<'_>, table: &PlannedTable) -> f64 {
    if table.indexes.is_empty() {
        return 0.0;
    }
    let prices = &context.options.search.prices;
    let copies = f64::from(context.concept.copies().max(1));
    let volume = &table.volume;
    let rows = volume.partitions * volume.rows_after(days(volume)).mean;
    let bytes = rows * indexes::bytes_per_row(context, table) * copies;
    table.indexes.iter().map(|_| prices.table).sum::<f64>() + prices.stored_byte * bytes
}

/// The same for the table that remembers the oldest buckets of another.
pub(crate) fn bucket_table_cost(context: Context<'_>, volume: &Volume) -> f64 {
    volume_cost(context, volume)
}

fn volume_cost(context: Context<'_>, volume: &Volume) -> f64 {
    let prices = &context.options.search.prices;
    let copies = f64::from(context.concept.copies().max(1));
    let hot = heat::hot_uses(volume.hottest_writes, context.options.limits.hot_writes);
    let stored = prices.stored_byte * bytes(volume) * copies;
    prices.table + stored * (1.0 + size_surcharge(context, volume)) + prices.hot * hot
}

/// What bytes in large partitions cost beside their storage, as a part of it: compaction, repair
/// and the move to another node take a partition as a whole. Up to half the limit it is nothing, so
/// that no read visits more partitions than it needs for the sake of it.
///
/// By rows, since the cost of a table has to be a sum over its columns.
fn size_surcharge(context: Context<'_>, volume: &Volume) -> f64 {
    let share = volume.rows_after(days(volume)).p999 / context.options.limits.partition_rows;
    let above = ((share - COMFORTABLE_SHARE) / (1.0 - COMFORTABLE_SHARE)).clamp(0.0, 1.0);
    LARGE_PARTITION_SHARE * above * above
}

/// Bytes of one replica of a table; those after a year if it is still empty.
fn bytes(volume: &Volume) -> f64 {
    volume.table_bytes_after(days(volume))
}

/// The day for which a table is priced: today, or in a year if it is still empty.
fn days(volume: &Volume) -> f64 {
    let rows = volume.partitions * volume.rows_after(0.0).mean;
    if rows > 0.0 { 0.0 } else { YEAR }
}
