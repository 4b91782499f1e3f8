//! Predicted against measured.
//!
//! What a table is predicted to be comes from its volume, for the data at hand: where its partitions are as many as the facts
//! (those of a user, of a day), a scale keeps their size; where they are few (a constant, a status), all rows at hand share as
//! many of them as there are stated. Bytes are measured by the same computation as they are predicted with, of the values that
//! are there. What a read is predicted to take is what its plan says of the stated volumes.

use std::collections::{BTreeMap, BTreeSet};

use model::id::{Numbered, TableId};
use model::plan::{Derivation, PlannedColumn, PlannedTable, Role};
use schema::size::{Field, Layout, Stored, Written};

use crate::contents::Contents;
use crate::data::Datum;
use crate::proof::{Coverage, Proof, ReadMeasure, Spread, TableMeasure};
use crate::run::Trace;
use crate::subject::Subject;
use crate::value::Typed;

/// What the runs of a read took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    partitions: Figures,
    rows: Figures,
}

/// A figure over many runs.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    count: f64,
    sum: f64,
    max: f64,
}

impl Figures {
    fn add(&mut self, figure: f64) {
        self.count += 1.0;
        self.sum += figure;
        self.max = self.max.max(figure);
    }

    fn spread(self, predicted: f64) -> Spread {
        Spread { predicted, mean: self.sum / self.count.max(1.0), max: self.max }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows at hand are far below 2^52")]
const fn float(count: u64) -> f64 {
    count as f64
}

impl Reading {
    /// Adds a run.
    pub(crate) fn add(&mut self, trace: &Trace) {
        self.partitions.add(float(trace.partitions));
        self.rows.add(float(trace.rows));
    }
}

/// The reads of a proof.
pub(crate) fn reads(proof: &mut Proof, subject: Subject<'_>, readings: &[Reading]) {
    let plans = subject.design.reads.numbered().zip(readings);
    proof.measured = plans
        .filter(|((_, plan), _)| !plan.steps.is_empty())
        .map(|((read, plan), reading)| ReadMeasure {
            read,
            partitions: reading.partitions.spread(plan.partitions),
            rows: reading.rows.spread(plan.rows),
        })
        .collect();
}

/// A table of a proof, from what it holds.
pub(crate) fn table(proof: &mut Proof, subject: Subject<'_>, at: TableId, contents: &Contents) {
    let Some(table) = subject.design.tables.at(at) else { return };
    split(&mut proof.coverage, table, contents);
    // Of a table without rows there is nothing to say: no counter was counted yet.
    if !contents.is_empty() {
        proof.tables.push(measure(subject, at, table, contents));
    }
}

#[expect(clippy::iter_over_hash_type, reason = "in the same order in every run")]
fn measure(
    subject: Subject<'_>,
    at: TableId,
    table: &PlannedTable,
    contents: &Contents,
) -> TableMeasure {
    let keys = table.partition_key().count();
    let mut partitions: BTreeMap<&[Datum], (u64, f64)> = BTreeMap::new();
    for (key, values) in contents {
        let partition = key.get(..keys).unwrap_or_default();
        let layout = layout(subject, table, key, values);
        let (rows, bytes) = partitions
            .entry(partition)
            .or_insert_with(|| (0, schema::size::partition_overhead(&layout)));
        *rows += 1;
        *bytes += schema::size::row(&layout);
    }
    let (mut rows, mut bytes) = (Figures::default(), Figures::default());
    for (count, size) in partitions.values() {
        rows.add(float(*count));
        bytes.add(*size);
    }
    let volume = &table.volume;
    let predicted = predicted_rows(table, float(contents.len() as u64));
    TableMeasure {
        table: at,
        rows: rows.spread(predicted),
        bytes: bytes.spread(volume.fixed_bytes + predicted * volume.row_bytes),
    }
}

/// Rows of a partition, for so many rows at hand.
fn predicted_rows(table: &PlannedTable, rows: f64) -> f64 {
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

/// What a row is made of, from its values.
fn layout(subject: Subject<'_>, table: &PlannedTable, key: &[Datum], values: &[Datum]) -> Layout {
    let keys = table.columns.iter().filter(|column| column.is_key()).zip(key);
    let others = table.columns.iter().filter(|column| !column.is_key()).zip(values);
    let all: Vec<_> = keys.chain(others).collect();
    let fields = |wanted: fn(Role) -> bool| -> Vec<Field> {
        let columns = all.iter().filter(|(column, value)| wanted(column.role) && value.is_some());
        columns.map(|(column, value)| field(column, value)).collect()
    };
    Layout {
        partition_key: fields(|role| role == Role::Partition),
        clustering: fields(|role| matches!(role, Role::Clustering(_))),
        statics: fields(|role| role == Role::Static),
        regulars: fields(|role| matches!(role, Role::Regular | Role::Counter)),
        written: if table.is_counter() { Written::Update } else { Written::Insert },
        expires: table.options.default_time_to_live.map(f64::from),
        age_micros: model::concept::DAY * 1e6,
        counter_shards: f64::from(subject.concept.copies().max(1)),
    }
}

fn field(column: &PlannedColumn, value: &Datum) -> Field {
    let typed = Typed::new(column.ty.clone(), value.clone());
    let elements = typed.elements();
    let length = |value: &Datum| float(value.as_ref().map_or(0, Vec::len) as u64);
    let (bytes, items) = if elements.is_empty() {
        (length(value), 1.0)
    } else {
        let items = float(elements.len() as u64);
        (elements.iter().map(|element| length(&element.bytes)).sum::<f64>() / items, items)
    };
    Field { ty: column.ty.clone(), bytes, items, stored: Stored::Value }
}

/// The fewest buckets and shards with rows.
fn split(coverage: &mut Coverage, table: &PlannedTable, contents: &Contents) {
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
