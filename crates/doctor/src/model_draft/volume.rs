//! Volumes, from what nodes measured.

use schema::catalog::{Keyspace, Table};

use super::entity::{Entity, Member};
use super::open_point::OpenPoint;
use crate::snapshot::{Snapshot, TableMeasurements, TableName};

/// The bytes of a row and of a cell beside their values, about.
const ROW_OVERHEAD: f64 = 8.0;
const CELL_OVERHEAD: f64 = 3.0;

/// The volume of an entity; what was not measured is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EntityVolume {
    /// Its rows.
    pub(super) rows: Option<f64>,
    /// Partitions of its base table.
    pub(super) partitions: Option<f64>,
    /// Rows of a partition: mean, p50, p99, max.
    pub(super) partition_rows: PartitionRows,
    /// The bytes of a value of a column whose length varies.
    pub(super) value_bytes: Option<f64>,
    /// New rows per second.
    pub(super) grows: Option<f64>,
    /// Seconds that rows live.
    pub(super) retain: Option<i32>,
}

/// The rows of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PartitionRows {
    /// The mean.
    pub(super) mean: Option<f64>,
    /// The 50th and 99th percentile and the maximum.
    pub(super) percentiles: [Option<f64>; 3],
}

/// The replicas of a cluster whose figures are there.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplicaShare {
    /// Copies of each row.
    pub(super) copies: u64,
    /// Nodes with figures.
    measured: usize,
    /// What the sum over these nodes is multiplied by to have each row once.
    factor: f64,
}

/// The copies that a keyspace keeps.
pub(super) fn count_copies(keyspace: &Keyspace) -> u64 {
    let numbers = keyspace.replication.options.values();
    let copies = numbers.filter_map(|text| text.split('/').next()?.parse::<u64>().ok());
    copies.fold(0_u64, u64::saturating_add).max(1)
}

/// Measures an entity, and adds remarks on how.
pub(super) fn measure(
    snapshot: &Snapshot,
    keyspace: &Keyspace,
    entity: &mut Entity<'_>,
) -> EntityVolume {
    let base = entity.base().clone();
    let figures = TableFigures::new(snapshot, keyspace, base.table);
    let mut volume = EntityVolume { retain: find_retention(entity), ..EntityVolume::default() };
    let rates = (figures.reads_per_second, figures.writes_per_second);
    if rates.0.is_some() || rates.1.is_some() {
        entity.points.push(OpenPoint::LocalRates { reads: rates.0, writes: rates.1 });
    }
    volume.partitions = figures.partitions;
    let Some(partitions) = volume.partitions.filter(|partitions| *partitions > 0.0) else {
        entity.points.push(OpenPoint::VolumeUnknown);
        return volume;
    };
    volume.partition_rows = figures.rows(&base);
    let rows = volume.partition_rows;
    entity.points.push(OpenPoint::Measured {
        table: base.table.name.to_string(),
        partitions,
        rows: if base.table.clustering().is_empty() { [None; 3] } else { rows.percentiles },
        bytes: figures.bytes,
    });
    let share = figures.share;
    if share.measured > 0 && share.copies > 1 && (share.measured as u64) < share.copies {
        let (nodes, copies) = (share.measured, share.copies);
        entity.points.push(OpenPoint::RowsOfOneNode { nodes, copies });
    }
    let Some(mean) = rows.mean.or(rows.percentiles[0]) else {
        entity.points.push(OpenPoint::PartitionRowsUnknown { partitions });
        return volume;
    };
    volume.rows = Some((partitions * mean).max(1.0));
    volume.value_bytes = figures.value_bytes(&base, rows);
    let open = base.table.regulars().iter().filter(|it| it.ty.value_length_if_fixed().is_none());
    if volume.value_bytes.is_some() && open.count() > 1 {
        entity.points.push(OpenPoint::BytesSpread);
    }
    volume.grows = figures.writes_per_second.map(|rate| rate / figures.share.copies_measured());
    volume
}

impl ReplicaShare {
    /// The replicas among the measured nodes that a write reaches, on average.
    #[expect(clippy::cast_precision_loss, reason = "a number of nodes fits")]
    fn copies_measured(self) -> f64 {
        // Each row once: rows = sum * factor, so writes are counted 1 / factor times.
        if self.factor > 0.0 { 1.0 / self.factor } else { self.copies as f64 }
    }
}

/// The TTL of the tables, if they agree.
fn find_retention(entity: &mut Entity<'_>) -> Option<i32> {
    let seconds = entity.base().table.params.default_time_to_live;
    let tables = entity.members.iter().map(|member| member.table).filter(|table| !table.is_view);
    let other = tables.into_iter().find(|table| table.params.default_time_to_live != seconds);
    if let Some(other) = other {
        let (table, seconds) = (other.name.to_string(), other.params.default_time_to_live);
        entity.points.push(OpenPoint::RetentionDiffers { table, seconds });
        return None;
    }
    (seconds > 0).then_some(seconds)
}

/// The figures of a table over all nodes.
struct TableFigures {
    share: ReplicaShare,
    partitions: Option<f64>,
    bytes: [Option<f64>; 3],
    mean_bytes: Option<f64>,
    cells: [Option<f64>; 3],
    reads_per_second: Option<f64>,
    writes_per_second: Option<f64>,
}

impl TableFigures {
    #[expect(clippy::cast_precision_loss, reason = "figures of tables need no more digits")]
    fn new(snapshot: &Snapshot, keyspace: &Keyspace, table: &Table) -> Self {
        let name = TableName::new(&table.keyspace, &table.name);
        let measured: Vec<(&str, &TableMeasurements)> = snapshot.measurements(&name).collect();
        let copies = count_copies(keyspace);
        let estimate = snapshot.estimate_partitions(&name);
        let has_count =
            |it: &TableMeasurements| it.partitions.or(it.ranges.map(|it| it.partitions));
        let counted = measured.iter().filter(|(_, it)| has_count(it).is_some()).count();
        // Every node holds copies / nodes of all rows.
        let nodes = snapshot.nodes.len().max(1) as f64;
        let held = (copies as f64).min(nodes) / nodes * counted as f64;
        let factor = if held > 0.0 { 1.0 / held } else { 0.0 };
        let partitions: Option<f64> =
            sum(measured.iter().map(|(_, it)| it.partitions.map(|n| n as f64)));
        let most = |pick: &dyn Fn(&TableMeasurements) -> Option<f64>| {
            measured.iter().filter_map(|(_, it)| pick(it)).reduce(f64::max)
        };
        let bytes = |at: usize| {
            most(&move |it: &TableMeasurements| percentile(it.partition_bytes.as_ref(), at))
        };
        let cells = |at: usize| {
            most(&move |it: &TableMeasurements| percentile(it.partition_cells.as_ref(), at))
        };
        let mean = |it: &TableMeasurements| {
            let measured = it.partition_bytes.as_ref().and_then(|bytes| bytes.mean);
            measured.or_else(|| it.mean_partition_bytes.map(|bytes| bytes as f64))
        };
        let per_second = |pick: fn(&TableMeasurements) -> Option<u64>| {
            sum(measured.iter().map(|(node, it)| {
                let uptime = snapshot.nodes.get(*node)?.uptime_seconds.filter(|it| *it > 0)?;
                Some(pick(it)? as f64 / uptime as f64)
            }))
        };
        let largest = most(&|it| it.largest_partition_bytes().map(|bytes| bytes as f64));
        Self {
            share: ReplicaShare { copies, measured: counted, factor },
            // Estimates of token ranges have each partition once.
            partitions: estimate
                .map(|count| count as f64)
                .or_else(|| partitions.map(|sum| (sum * factor).round())),
            bytes: [bytes(0), bytes(1), largest],
            mean_bytes: most(&mean),
            cells: [cells(0), cells(1), cells(2)],
            reads_per_second: per_second(|it| it.reads),
            writes_per_second: per_second(|it| it.writes),
        }
    }

    /// The rows of a partition: one without clustering columns, else by the cells of a row.
    fn rows(&self, member: &Member<'_>) -> PartitionRows {
        if member.table.clustering().is_empty() {
            return PartitionRows { mean: Some(1.0), percentiles: [Some(1.0); 3] };
        }
        let Some(cells) = cells_per_row(member.table) else { return PartitionRows::default() };
        let rows = self.cells.map(|count| count.map(|count| (count / cells).max(1.0)));
        let bytes_per_row = match (self.bytes[0], rows[0]) {
            (Some(bytes), Some(rows)) if bytes > 0.0 => Some(bytes / rows),
            _ => None,
        };
        let mean = match (self.mean_bytes, bytes_per_row) {
            (Some(bytes), Some(row)) if row > 0.0 => Some((bytes / row).max(1.0)),
            _ => None,
        };
        PartitionRows { mean, percentiles: rows }
    }

    /// The bytes of one value of varying length, if the others are of fixed length.
    #[expect(clippy::cast_precision_loss, reason = "a number of columns fits")]
    fn value_bytes(&self, member: &Member<'_>, rows: PartitionRows) -> Option<f64> {
        let row = self.bytes[0]? / rows.percentiles[0].filter(|rows| *rows >= 1.0)?;
        let lengths = member.table.regulars().iter().chain(member.table.clustering());
        let lengths: Vec<Option<usize>> =
            lengths.map(|column| column.ty.value_length_if_fixed()).collect();
        if member
            .table
            .regulars()
            .iter()
            .any(|column| column.ty.parts().len() > 1 || column.is_multi_cell())
        {
            return None;
        }
        let open = lengths.iter().filter(|length| length.is_none()).count();
        let fixed: f64 = lengths.iter().flatten().map(|length| *length as f64).sum();
        let beside = ROW_OVERHEAD + fixed + CELL_OVERHEAD * member.table.regulars().len() as f64;
        let left = (row - beside) / open as f64;
        (open > 0 && left >= 1.0).then_some(left)
    }
}

/// The cells of a row, if each column has one.
#[expect(clippy::cast_precision_loss, reason = "a number of columns fits")]
fn cells_per_row(table: &Table) -> Option<f64> {
    let regulars = table.regulars();
    let is_counted =
        !regulars.is_empty() && !regulars.iter().any(schema::catalog::Column::is_multi_cell);
    is_counted.then_some(regulars.len() as f64)
}

/// The 50th percentile, the 99th or the maximum.
fn percentile(figures: Option<&crate::snapshot::Percentiles>, at: usize) -> Option<f64> {
    let figures = figures?;
    match at {
        0 => figures.p50,
        1 => figures.p99,
        _ => figures.max,
    }
}

/// The sum of the figures that are there.
fn sum(figures: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    figures.flatten().fold(None, |sum, figure| Some(sum.unwrap_or(0.0) + figure))
}
