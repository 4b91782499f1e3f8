//! [`TableSeries`]: a table over time, as data. Tables of figures and charts show the same series.

use model::concept::Concept;
use model::id::{IdList, TableId};
use model::plan::{Design, Quantiles};
use model::workload::Workload;

use super::collections::{CollectionSeries, collection_series};
use super::tombstones::{ReadScan, TombstoneSeries, tombstone_series};
use super::{Estimate, estimate_tables};
use crate::Options;
use crate::capacity::{RingBalance, ring_balance};

/// A table over time.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSeries {
    /// The name of the table.
    pub table: String,
    /// Whether its rows are stated, or follow from what is; otherwise all figures are assumptions.
    pub is_stated: bool,
    /// Its size on each date, in their order.
    pub sizes: Vec<SizePoint>,
    /// Its collections that grow or are large.
    pub collections: Vec<CollectionSeries>,
    /// Its tombstones by day, where rows are deleted or expire.
    pub tombstones: Option<TombstoneSeries>,
}

/// The size of a table on one date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizePoint {
    /// Days from today.
    pub days: f64,
    /// Its partitions.
    pub partitions: f64,
    /// Rows of a partition.
    pub rows: Quantiles,
    /// Bytes of a partition.
    pub bytes: Quantiles,
    /// Rows of the table.
    pub table_rows: f64,
    /// Bytes of the table on all nodes: with all copies, before compression.
    pub disk_bytes: f64,
    /// Bytes of the table on a node, on average.
    pub node_bytes: f64,
    /// Bytes of the table on the fullest node.
    pub fullest_node_bytes: f64,
}

/// The series of the tables of a design, in their order, on these dates (days from today).
pub fn design_series(
    concept: &Concept,
    workload: &Workload,
    options: &Options,
    design: &Design,
    dates: &[f64],
) -> Vec<TableSeries> {
    let estimates = estimate_tables(concept, workload, options, &design.tables);
    let series = design.tables.ids().zip(&estimates).map(|(table, estimate)| {
        let balance = ring_balance(concept, &estimate.table);
        let scans = read_scans(workload, design, table, estimate);
        table_series(concept, estimate, balance.as_ref(), &scans, dates)
    });
    series.collect()
}

/// The series of one table, with the balance of its partitions over the ring and the reads of it.
pub fn table_series(
    concept: &Concept,
    estimate: &Estimate,
    balance: Option<&RingBalance>,
    reads: &[ReadScan],
    dates: &[f64],
) -> TableSeries {
    TableSeries {
        table: estimate.table.name.clone(),
        is_stated: estimate.is_stated,
        sizes: dates.iter().map(|days| size_point(concept, estimate, balance, *days)).collect(),
        collections: collection_series(concept, estimate, dates),
        tombstones: tombstone_series(estimate, reads),
    }
}

/// What the reads of a table scan in it, by the efforts of their plans.
pub fn read_scans(
    workload: &Workload,
    design: &Design,
    table: TableId,
    estimate: &Estimate,
) -> Vec<ReadScan> {
    let plans = workload.reads.ids().filter_map(|at| {
        let plan = design.reads.member(at)?;
        // Of a plan with several steps, it is not known where the tombstones are.
        let only = plan.steps.iter().all(|step| step.table == table);
        (only && !plan.steps.is_empty()).then_some((&workload.reads[at], plan))
    });
    let grace = estimate.tombstones.grace_days;
    let scans = plans.map(|(read, plan)| ReadScan {
        name: read.name.clone(),
        rows: plan.effort.rows,
        tombstones_per_day: if grace > 0.0 { plan.effort.tombstones / grace } else { 0.0 },
    });
    scans.filter(|scan| scan.tombstones_per_day > 0.0).collect()
}

fn size_point(
    concept: &Concept,
    estimate: &Estimate,
    balance: Option<&RingBalance>,
    days: f64,
) -> SizePoint {
    let volume = &estimate.table.volume;
    let (rows, bytes) = estimate.size_after(days);
    let partitions = volume.partitions_after(days);
    let disk_bytes = volume.table_bytes_after(days) * f64::from(concept.copies());
    let node_bytes = disk_bytes / f64::from(concept.nodes.max(1));
    SizePoint {
        days,
        partitions,
        rows,
        bytes,
        table_rows: partitions * rows.mean,
        disk_bytes,
        node_bytes,
        fullest_node_bytes: node_bytes * balance.map_or(1.0, |balance| balance.fullest),
    }
}
