//! Sizes of tables over time: what `helenus estimate` reports on a design or a schema.

mod collections;
mod limits;
mod series;
#[cfg(test)]
mod tests;
mod tombstones;

use model::concept::{Concept, DAY, Origin};
use model::id::IdList;
use model::plan::{Bucket, Derivation, PlannedTable, Quantiles, Volume};
use model::workload::{Column, Workload};
use schema::size::PartitionLayout;

pub use collections::{CollectionCrossing, CollectionPoint, CollectionSeries};
pub use limits::{LimitCrossing, crossings};
pub use series::{SizePoint, TableSeries, design_series, read_scans, table_series};
pub use tombstones::{
    ReadScan, TombstoneGrowth, TombstonePoint, TombstoneSeries, TombstoneThreshold,
    interpolate_read_ms,
};

use crate::partition_split::{columns, is_over_limit};
use crate::{Context, Options, volume};

/// Days of a year.
pub const YEAR: f64 = volume::YEAR;

/// Partitions of less are not worth a split: a read of one costs as much as a read of the rows in it.
const TINY_BYTES: f64 = 10e3;

/// A table with its estimates.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The table; its volume is set.
    pub table: PlannedTable,
    /// The layout of a partition at the horizon.
    pub layout: PartitionLayout,
    /// Days that rows live, where they expire.
    pub retain_days: Option<f64>,
    /// Days over which growth is considered: the retention, or the planning years.
    pub horizon_days: f64,
    /// Whether partitions exceed the limits within them.
    pub exceeds: bool,
    /// Whether its rows or those of its partitions are stated, or follow from what is.
    pub is_stated: bool,
    /// The tombstones of a partition.
    pub tombstones: TombstoneGrowth,
    /// The time attribute that buckets would be derived from, and its name.
    pub time: Option<(Column, String)>,
}

/// One way to split a table.
#[derive(Clone, Debug)]
pub struct SplitAlternative {
    /// Its bucket.
    pub bucket: Option<Bucket>,
    /// Its shards; 1 for none.
    pub shards: u32,
    /// The volume of its partitions.
    pub volume: Volume,
    /// Whether they exceed the limits.
    pub exceeds: bool,
    /// Whether its buckets or shards make partitions so small that reads gather rows from many.
    pub is_tiny: bool,
    /// Whether the table is split this way.
    pub is_taken: bool,
}

/// The estimates of tables, whose volumes are computed.
pub fn estimate_tables(
    concept: &Concept,
    workload: &Workload,
    options: &Options,
    tables: &[PlannedTable],
) -> Vec<Estimate> {
    let context = Context { concept, workload, options };
    let one = |table: &PlannedTable| {
        let mut table = table.clone();
        table.volume = volume::estimate_volume(context, &table);
        let retain = volume::retention(concept, &table);
        let horizon = volume::horizon(context, &table);
        let lived = retain.map_or(horizon, |seconds| horizon.min(seconds / DAY));
        Estimate {
            layout: volume::layout_after(concept, &table, retain, lived),
            retain_days: retain.map(|seconds| seconds / DAY),
            horizon_days: horizon,
            exceeds: is_over_limit(context, &table, &table.volume),
            is_stated: has_stated_rows(concept, &table),
            tombstones: TombstoneGrowth::new(context, &table),
            time: bucket_time(concept, &table),
            table,
        }
    };
    tables.iter().map(one).collect()
}

/// Whether the rows of a table or of its partitions are stated, or follow from what is.
fn has_stated_rows(concept: &Concept, table: &PlannedTable) -> bool {
    let sources = table.holds.sources.iter();
    let mut entities = sources.filter_map(|source| concept.entities.member(source.entity));
    entities.any(|entity| {
        let mut fan_outs = entity.references.iter().map(|reference| reference.fan_out.origin);
        [entity.rows.origin, entity.grows.origin].iter().any(|it| *it != Origin::Assumed)
            || fan_outs.any(|origin| origin == Origin::Given)
    })
}

/// Ways to split a table: each of the buckets with each of the numbers of shards. Without buckets
/// or shards given, those of the table are kept.
pub fn alternatives(
    concept: &Concept,
    workload: &Workload,
    options: &Options,
    estimate: &Estimate,
    (buckets, shards): (&[Bucket], &[u32]),
) -> Vec<SplitAlternative> {
    let context = Context { concept, workload, options };
    let table = &estimate.table;
    let has = (table.bucket().map(|(_, _, bucket)| bucket), table.shards());
    let mut widths: Vec<Option<Bucket>> = vec![has.0];
    if !buckets.is_empty() && estimate.time.is_some() {
        widths.extend(std::iter::once(None).chain(buckets.iter().copied().map(Some)));
        let mut seen = Vec::new();
        widths.retain(|width| {
            !seen.contains(width) && {
                seen.push(*width);
                true
            }
        });
    }
    let mut counts = if shards.is_empty() { vec![has.1] } else { shards.to_vec() };
    counts.sort_unstable();
    counts.dedup();
    let mut ways = Vec::new();
    for bucket in widths {
        for shards in &counts {
            let Some(split) = resplit(context, estimate, bucket, *shards) else { continue };
            let volume = volume::estimate_volume(context, &split);
            ways.push(SplitAlternative {
                bucket,
                shards: *shards,
                exceeds: is_over_limit(context, &split, &volume),
                is_tiny: is_tiny(&split, &volume, options.limits.years * YEAR),
                volume,
                is_taken: (bucket, *shards) == has,
            });
        }
    }
    ways
}

/// Whether a split makes partitions of less than [`TINY_BYTES`].
fn is_tiny(table: &PlannedTable, volume: &Volume, days: f64) -> bool {
    let is_split = table.bucket().is_some() || table.shards() > 1;
    is_split && volume.bytes_after(days).p999 < TINY_BYTES
}

/// The table split in another way; `None` when nothing of its key could be hashed.
fn resplit(
    context: Context<'_>,
    estimate: &Estimate,
    bucket: Option<Bucket>,
    shards: u32,
) -> Option<PlannedTable> {
    let mut table = estimate.table.clone();
    if bucket != table.bucket().map(|(_, _, bucket)| bucket) {
        table.columns.retain(|column| !matches!(column.derivation, Derivation::Bucket(..)));
        if let Some(bucket) = bucket {
            let (of, _) = estimate.time.as_ref()?;
            table = columns::with_bucket(context, &table, *of, bucket);
        }
    }
    if shards != table.shards() {
        table.columns.retain(|column| !matches!(column.derivation, Derivation::Shard { .. }));
        if shards > 1 {
            let hashed = columns::shard_columns(context, &table);
            if hashed.is_empty() {
                return None;
            }
            table = columns::with_shards(&table, hashed, shards);
        }
    }
    Some(table)
}

/// The attribute that buckets are, or would be, derived from: the first clustering column of time.
fn bucket_time(concept: &Concept, table: &PlannedTable) -> Option<(Column, String)> {
    let clustered = table.clustering().filter_map(|column| match column.derivation {
        Derivation::Attribute(of) => Some(of),
        _ => None,
    });
    let bucketed = table.bucket().map(|(_, of, _)| of);
    let mut of = bucketed.into_iter().chain(clustered);
    of.find_map(|of| {
        let attribute = volume::attribute(concept, table, of)?;
        volume::is_time(&attribute.ty).then(|| (of, attribute.name.clone()))
    })
}

impl Estimate {
    /// Rows and bytes of a partition after so many days.
    pub fn size_after(&self, days: f64) -> (Quantiles, Quantiles) {
        (self.table.volume.rows_after(days), self.table.volume.bytes_after(days))
    }
}
