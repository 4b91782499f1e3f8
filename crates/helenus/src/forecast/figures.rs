//! [`TableFigures`]: how large a table is, from comments, a model file or a cluster.

use std::collections::BTreeMap;

use design::Options;
use design::estimate::{self, Estimate};
use model::concept::{Concept, Origin};
use model::id::IdList;
use model::plan::{Derivation, PlannedTable, Quantiles};
use model::workload::Workload;

/// Where figures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureSource {
    /// Comments in the schema.
    Comments,
    /// A model file.
    Model,
    /// The statistics of a cluster.
    Cluster,
}

/// A figure in the middle and near the end of its distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

/// How large a table is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableFigures {
    pub(crate) source: FigureSource,
    /// Its partitions.
    pub(crate) partitions: f64,
    /// All of its rows.
    pub(crate) rows: f64,
    /// Rows of a partition.
    pub(crate) partition_rows: Spread,
    /// Bytes of a partition.
    pub(crate) partition_bytes: Spread,
    /// Bytes of a row.
    pub(crate) row_bytes: f64,
    /// Tombstones of a partition, where deletes are known.
    pub(crate) tombstones: Option<Spread>,
    /// Distinct values of columns that state them.
    pub(crate) distinct: BTreeMap<String, f64>,
    /// The nodes of the cluster.
    pub(crate) nodes: u32,
    /// The copies of each row.
    pub(crate) copies: u32,
}

/// The figures of tables by name.
pub(crate) type FiguresByTable = BTreeMap<String, TableFigures>;

impl Spread {
    /// The same figure for every partition.
    pub(crate) fn even(value: f64) -> Self {
        Self { p50: value, p99: value }
    }

    pub(crate) fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self { p50: change(self.p50), p99: change(self.p99) }
    }
}

impl From<Quantiles> for Spread {
    fn from(quantiles: Quantiles) -> Self {
        Self { p50: quantiles.p50, p99: quantiles.p99 }
    }
}

/// The figures of tables that state their volume; tables that do not are left out.
pub(crate) fn from_tables(
    concept: &Concept,
    workload: &Workload,
    tables: &[PlannedTable],
    source: FigureSource,
) -> FiguresByTable {
    let estimates = estimate::estimate_tables(concept, workload, &Options::default(), tables);
    let stated = estimates.iter().filter(|estimate| has_stated_volume(concept, &estimate.table));
    stated
        .map(|estimate| (estimate.table.name.clone(), figures(concept, workload, estimate, source)))
        .collect()
}

/// The sizes that follow from the definition of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowSizes {
    /// Bytes of a row.
    pub(crate) row: f64,
    /// Bytes of a partition without rows.
    pub(crate) fixed: f64,
    /// The copies of each row.
    pub(crate) copies: u32,
}

/// The sizes of every table, by the types of the columns where nothing is stated.
pub(crate) fn row_sizes(concept: &Concept, tables: &[PlannedTable]) -> BTreeMap<String, RowSizes> {
    let workload = Workload::default();
    let estimates = estimate::estimate_tables(concept, &workload, &Options::default(), tables);
    let sizes = estimates.iter().map(|estimate| {
        let volume = &estimate.table.volume;
        let copies = concept.copies().max(1);
        let sizes = RowSizes { row: volume.row_bytes, fixed: volume.fixed_bytes, copies };
        (estimate.table.name.clone(), sizes)
    });
    sizes.collect()
}

/// Whether the rows of a table are stated, or follow from what is.
fn has_stated_volume(concept: &Concept, table: &PlannedTable) -> bool {
    let sources = table.holds.sources.iter();
    let mut entities = sources.filter_map(|source| concept.entities.member(source.entity));
    entities.any(|entity| entity.rows.origin != Origin::Assumed)
}

fn figures(
    concept: &Concept,
    workload: &Workload,
    estimate: &Estimate,
    source: FigureSource,
) -> TableFigures {
    let volume = &estimate.table.volume;
    let rows = volume.rows_after(0.0);
    let share = |rows_of: f64| if rows.mean > 0.0 { rows_of / rows.mean } else { 1.0 };
    let most = estimate.tombstones.count_protected(f64::INFINITY);
    let has_writes = !workload.writes.is_empty();
    TableFigures {
        source,
        partitions: volume.partitions,
        rows: volume.partitions * rows.mean,
        partition_rows: rows.into(),
        partition_bytes: volume.bytes_after(0.0).into(),
        row_bytes: volume.row_bytes,
        tombstones: has_writes.then(|| Spread::from(rows).map(|rows_of| most * share(rows_of))),
        distinct: distinct_values(concept, &estimate.table),
        nodes: concept.nodes,
        copies: concept.copies().max(1),
    }
}

/// The distinct values of columns, where the model or a comment states them.
fn distinct_values(concept: &Concept, table: &PlannedTable) -> BTreeMap<String, f64> {
    let stated = table.columns.iter().filter_map(|column| {
        let Derivation::Attribute(of) = &column.derivation else { return None };
        let source = table.holds.sources.member(of.source)?;
        let attribute = concept.entities.member(source.entity)?.attributes.member(of.attribute)?;
        let is_stated = attribute.distinct.origin != Origin::Assumed;
        is_stated.then(|| (column.name.clone(), attribute.distinct.value))
    });
    stated.collect()
}
