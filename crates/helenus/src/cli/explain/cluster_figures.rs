//! The figures of tables, from the statistics of a cluster that every client can read.

use std::collections::BTreeMap;

use cluster::{Connection, ResultSet};
use cql::value::{self, Value};
use schema::access::AccessPlan;
use schema::catalog::Table;

use super::live::select;
use crate::forecast::{FigureSource, FiguresByTable, RowSizes, Spread, TableFigures};

/// The figures of the tables of plans. A table without statistics is left out: a node computes them
/// every five minutes, from its files.
pub(super) fn read(
    connection: &mut Connection,
    plans: &[&AccessPlan],
    sizes: &BTreeMap<String, RowSizes>,
) -> FiguresByTable {
    let peers = query(connection, "SELECT peer FROM system.peers");
    let nodes = u32::try_from(peers.rows.len() + 1).unwrap_or(u32::MAX);
    let mut figures = FiguresByTable::new();
    for table in plans.iter().flat_map(|plan| tables(plan)) {
        let size = sizes.get(&*table.name);
        if let Some(of) = size.and_then(|size| table_figures(connection, table, *size, nodes)) {
            figures.insert(table.name.to_string(), of);
        }
    }
    figures
}

fn tables(plan: &AccessPlan) -> Vec<&Table> {
    match plan {
        AccessPlan::Read(plan) => vec![&plan.table],
        AccessPlan::Write(plan) => vec![&plan.table],
        AccessPlan::Batch(plan) => plan.tables.iter().map(|table| &**table).collect(),
        AccessPlan::Nothing => Vec::new(),
    }
}

fn table_figures(
    connection: &mut Connection,
    table: &Table,
    sizes: RowSizes,
    nodes: u32,
) -> Option<TableFigures> {
    let quoted = |name: &str| name.replace('\'', "''");
    let filter = format!(
        "WHERE keyspace_name = '{}' AND table_name = '{}'",
        quoted(&table.keyspace),
        quoted(&table.name)
    );
    let query_text =
        format!("SELECT mean_partition_size, partitions_count FROM system.size_estimates {filter}");
    let ranges = query(connection, &query_text);
    let ranges: Vec<(f64, f64)> = ranges
        .rows
        .iter()
        .filter_map(|row| Some((number(&ranges, row, 0)?, number(&ranges, row, 1)?)))
        .collect();
    let partitions: f64 = ranges.iter().map(|(_, count)| count).sum();
    if partitions <= 0.0 {
        return None;
    }
    let mean = ranges.iter().map(|(size, count)| size * count).sum::<f64>() / partitions;
    let largest = query(
        connection,
        &format!("SELECT mebibytes FROM system_views.max_partition_size {filter}"),
    );
    let largest =
        largest.rows.iter().filter_map(|row| number(&largest, row, 0)).fold(0.0, f64::max);
    let bytes = Spread { p50: mean, p99: mean.max(largest * 1_048_576.0) };
    let has_rows = !table.clustering().is_empty();
    let rows_of = |bytes: f64| ((bytes - sizes.fixed) / sizes.row.max(1.0)).max(1.0);
    let rows = bytes.map(|bytes| if has_rows { rows_of(bytes) } else { 1.0 });
    // A node states the ranges that it is the first copy of.
    let partitions = partitions * f64::from(nodes);
    Some(TableFigures {
        source: FigureSource::Cluster,
        partitions,
        rows: partitions * rows.p50,
        partition_rows: rows,
        partition_bytes: bytes,
        row_bytes: sizes.row,
        tombstones: None,
        distinct: BTreeMap::new(),
        nodes,
        copies: sizes.copies,
    })
}

/// The rows of a query; none if the server does not have the table.
fn query(connection: &mut Connection, text: &str) -> ResultSet {
    select(connection, text).unwrap_or_default()
}

fn number(rows: &ResultSet, row: &[Option<Vec<u8>>], at: usize) -> Option<f64> {
    let (_, ty) = rows.columns.get(at)?;
    match value::decode(ty, row.get(at)?.as_deref()?).ok()? {
        Value::Bigint(number) => u32::try_from(number).ok().map(f64::from),
        Value::Int(number) => Some(f64::from(number)),
        Value::Double(number) => Some(number),
        _ => None,
    }
}
