//! The sizes of tables by token range, which nodes estimate every five minutes.

use std::collections::BTreeMap;

use super::rows::{SystemRow, SystemRows};
use super::statistics_tables::table_name;
use super::{RowReader, SystemQuery};
use crate::snapshot::{Node, RangeEstimates, TableName};

/// The rows of one answer.
const ROWS_MAX: usize = 10_000;

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system.size_estimates",
        cql: "SELECT * FROM system.size_estimates LIMIT 10000",
        is_per_node: true,
        read: RowReader::Node(read_size_estimates),
    },
    // Since 4.0; it also has the ranges within the data center.
    SystemQuery {
        table: "system.table_estimates",
        cql: "SELECT * FROM system.table_estimates LIMIT 10000",
        is_per_node: true,
        read: RowReader::Node(read_table_estimates),
    },
];

/// The ranges of which a node has the first copy of all data centers.
fn read_size_estimates(rows: &SystemRows, node: &mut Node) {
    keep(sum_up(rows, false, |_| true), node);
}

/// The ranges of which a node has the first copy of its data center.
fn read_table_estimates(rows: &SystemRows, node: &mut Node) {
    keep(
        sum_up(rows, true, |row| row.text("range_type").as_deref() == Some("local_primary")),
        node,
    );
}

/// Adds up the ranges of each table. The rows of a table follow one another: where the LIMIT cut
/// them, the last table is incomplete and left out.
fn sum_up(
    rows: &SystemRows,
    is_local: bool,
    is_wanted: impl Fn(SystemRow<'_>) -> bool,
) -> BTreeMap<TableName, RangeEstimates> {
    let mut tables: BTreeMap<TableName, RangeEstimates> = BTreeMap::new();
    let mut last = None;
    for row in rows.iter() {
        let (Some(name), Some(count), Some(mean)) =
            (table_name(row), row.count("partitions_count"), row.count("mean_partition_size"))
        else {
            continue;
        };
        if is_wanted(row) {
            let sum = tables.entry(name.clone()).or_default();
            sum.is_local = is_local;
            sum.ranges += 1;
            sum.empty += u64::from(count == 0);
            sum.partitions = sum.partitions.saturating_add(count);
            sum.bytes = sum.bytes.saturating_add(count.saturating_mul(mean));
        }
        last = Some(name);
    }
    if rows.rows.len() >= ROWS_MAX
        && let Some(last) = last
    {
        tables.remove(&last);
    }
    tables
}

fn keep(tables: BTreeMap<TableName, RangeEstimates>, node: &mut Node) {
    for (name, estimates) in tables {
        let table = node.tables.entry(name).or_default();
        table.mean_partition_bytes = estimates.bytes.checked_div(estimates.partitions);
        table.ranges = Some(estimates);
    }
}
