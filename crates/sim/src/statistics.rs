//! Predicted against measured figures of tables and reads.
//!
//! The prediction for a table comes from its volume, scaled to the generated data: where the number
//! of partitions grows with the facts (one for each user, or day), their size is kept; where they
//! are few (a constant, a status), all generated rows share the stated number of them. Bytes are
//! measured with the same computation as predicted, from the actual values. The prediction for a
//! read is that of its plan for the stated volumes.

use std::collections::{BTreeMap, BTreeSet};

use cql::types::Type;
use model::id::{IdList, TableId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};
use schema::size::{ColumnLayout, PartitionLayout, RowOrigin, WriteAge};

use crate::contents::TableContents;
use crate::dataset::Datum;
use crate::proof::{Coverage, FigureMeasure, Proof, ReadMeasure, TableMeasure};
use crate::statement_runner::RunTrace;
use crate::subject::ProofSubject;
use crate::value::TypedValue;

/// The figures of the runs of a read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadStatistics {
    partitions: FigureStatistics,
    rows: FigureStatistics,
}

/// A figure over many runs.
#[derive(Clone, Copy, Debug, Default)]
struct FigureStatistics {
    count: f64,
    sum: f64,
    max: f64,
}

impl FigureStatistics {
    fn add(&mut self, figure: f64) {
        self.count += 1.0;
        self.sum += figure;
        self.max = self.max.max(figure);
    }

    fn to_measure(self, predicted: f64) -> FigureMeasure {
        FigureMeasure { predicted, mean: self.sum / self.count.max(1.0), max: self.max }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows at hand are far below 2^52")]
const fn to_float(count: u64) -> f64 {
    count as f64
}

impl ReadStatistics {
    /// Adds a run that was counted.
    pub(crate) fn add(&mut self, trace: &RunTrace) {
        self.partitions.add(to_float(trace.partitions));
        self.rows.add(to_float(trace.rows));
    }

    /// Whether there is anything to report.
    fn has_runs(&self) -> bool {
        self.partitions.count > 0.0
    }
}

/// The measures of all reads of a proof.
pub(crate) fn measure_reads(
    proof: &mut Proof,
    subject: ProofSubject<'_>,
    readings: &[ReadStatistics],
) {
    let plans = subject.design.reads.enumerate_ids().zip(readings);
    proof.measured = plans
        .filter(|((_, plan), reading)| !plan.steps.is_empty() && reading.has_runs())
        .map(|((read, plan), reading)| ReadMeasure {
            read,
            partitions: reading.partitions.to_measure(plan.partitions),
            rows: reading.rows.to_measure(plan.rows),
        })
        .collect();
}

/// The measure of a table, from its contents.
pub(crate) fn measure_table(
    proof: &mut Proof,
    subject: ProofSubject<'_>,
    at: TableId,
    contents: &TableContents,
) {
    let Some(table) = subject.design.tables.member(at) else { return };
    cover_splits(&mut proof.coverage, table, contents);
    // A table without rows (of counters without updates) has nothing to measure.
    if !contents.is_empty() {
        proof.tables.push(build_measure(subject, at, table, contents));
    }
}

#[expect(clippy::iter_over_hash_type, reason = "in the same order in every run")]
fn build_measure(
    subject: ProofSubject<'_>,
    at: TableId,
    table: &PlannedTable,
    contents: &TableContents,
) -> TableMeasure {
    let keys = table.partition_key().count();
    let mut partitions: BTreeMap<&[Datum], (u64, f64)> = BTreeMap::new();
    for (key, values) in contents {
        let partition = key.get(..keys).unwrap_or_default();
        let layout = row_layout(subject, table, key, values);
        let (rows, bytes) = partitions
            .entry(partition)
            .or_insert_with(|| (0, schema::size::partition_overhead(&layout)));
        *rows += 1;
        *bytes += schema::size::row(&layout);
    }
    let (mut rows, mut bytes) = (FigureStatistics::default(), FigureStatistics::default());
    for (count, size) in partitions.values() {
        rows.add(to_float(*count));
        bytes.add(*size);
    }
    let volume = &table.volume;
    let predicted = predict_rows(table, to_float(contents.len() as u64));
    TableMeasure {
        table: at,
        rows: rows.to_measure(predicted),
        bytes: bytes.to_measure(volume.fixed_bytes + predicted * volume.row_bytes),
    }
}

/// The predicted rows of a partition, for a number of generated rows.
fn predict_rows(table: &PlannedTable, rows: f64) -> f64 {
    let volume = &table.volume;
    let stated = volume.partitions * volume.today.mean;
    if stated <= 0.0 || rows <= 0.0 {
        return volume.today.mean;
    }
    let partitions_at_hand = volume.partitions * rows / stated;
    if partitions_at_hand >= 1.0 {
        volume.today.mean
    } else {
        rows / volume.partitions.clamp(1.0, rows.max(1.0))
    }
}

/// The layout of a row, from its values.
fn row_layout(
    subject: ProofSubject<'_>,
    table: &PlannedTable,
    key: &[Datum],
    values: &[Datum],
) -> PartitionLayout {
    let keys = table.columns.iter().filter(|column| column.is_key()).zip(key);
    let others = table.columns.iter().filter(|column| !column.is_key()).zip(values);
    let all: Vec<_> = keys.chain(others).collect();
    let fields = |wanted: fn(ColumnRole) -> bool| -> Vec<ColumnLayout> {
        let columns = all.iter().filter(|(column, value)| wanted(column.role) && value.is_some());
        columns.map(|(column, value)| build_field(column, value)).collect()
    };
    PartitionLayout {
        partition_key: fields(|role| role == ColumnRole::Partition),
        clustering: fields(|role| matches!(role, ColumnRole::Clustering(_))),
        statics: fields(|role| role == ColumnRole::Static),
        regulars: fields(|role| matches!(role, ColumnRole::Regular | ColumnRole::Counter)),
        written: if table.is_counter() { RowOrigin::Update } else { RowOrigin::Insert },
        expires: table.options.default_time_to_live.map(f64::from),
        beside_tombstones: false,
        span: WriteAge::from_seconds(table.volume.file_span.seconds()),
        counter_shards: f64::from(subject.concept.copies().max(1)),
    }
}

fn build_field(column: &PlannedColumn, value: &Datum) -> ColumnLayout {
    let typed = TypedValue::new(column.ty.clone(), value.clone());
    let elements = typed.elements();
    let (bytes, items) = if elements.is_empty() {
        (content_bytes(&typed), 1.0)
    } else {
        let items = to_float(elements.len() as u64);
        (elements.iter().map(content_bytes).sum::<f64>() / items, items)
    };
    ColumnLayout::new(column.ty.clone(), bytes, items)
}

/// The bytes of a value without the lengths in front of the fields of a user type.
fn content_bytes(value: &TypedValue) -> f64 {
    let length = value.bytes.as_ref().map_or(0, Vec::len);
    let framing = match &value.ty {
        Type::Tuple(_) | Type::User(..) => 4 * value.ty.parts().len(),
        _ => 0,
    };
    to_float(length.saturating_sub(framing) as u64)
}

/// The fewest buckets and shards with rows.
fn cover_splits(coverage: &mut Coverage, table: &PlannedTable, contents: &TableContents) {
    let distinct = |wanted: fn(&Derivation) -> bool| {
        let keys = table.columns.iter().filter(|column| column.is_key());
        let at = keys.enumerate().find(|(_, column)| wanted(&column.derivation))?.0;
        let values: BTreeSet<_> = contents.keys().filter_map(|key| key.get(at)).collect();
        Some(values.len())
    };
    let least = |before: Option<usize>, found: Option<usize>| match (before, found) {
        (Some(before), Some(found)) => Some(before.min(found)),
        (before, found) => before.or(found),
    };
    let buckets = distinct(|made| matches!(made, Derivation::Bucket(..)));
    let shards = distinct(|made| matches!(made, Derivation::Shard { .. }));
    coverage.buckets_least = least(coverage.buckets_least, buckets);
    coverage.shards_least = least(coverage.shards_least, shards);
}
