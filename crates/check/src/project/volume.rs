//! Volumes: what comments declare (`@rows`, `@each`, `@retain`, `@bytes`, ...) and what follows from it.

use cql::StatementKind;
use model::catalog::Table;
use model::concept::{Concept, DAY, Entity, FanOut, Origin, Skew, Stated};
use model::schema_file;
use model::size::{self, Field, Layout, Written};

use super::Project;

/// Seconds that growth is looked at where nothing ends it.
const FIVE_YEARS: f64 = 5.0 * 365.0 * DAY;
/// How long ago rows were written, for the bytes of their timestamps.
const AGE_MICROS: f64 = DAY * 1e6;

/// What is known of the volumes of a table: what is declared, or follows from it. `None` is not known.
#[derive(Clone, Debug, Default)]
pub struct Volume {
    /// Rows today.
    pub rows: Option<f64>,
    /// New rows per day.
    pub grows: Option<f64>,
    /// Seconds that rows live: declared, or the table's own TTL.
    pub retain: Option<f64>,
    /// Partitions today.
    pub partitions: Option<f64>,
    /// Rows of a partition, as declared.
    pub each: Option<FanOut>,
    /// Columns, in the order of the table: average bytes, elements, distinct values.
    pub columns: Vec<ColumnVolume>,
    /// Bytes of a row on disk, from declared sizes or those that its types usually have.
    pub row_bytes: f64,
    /// Bytes of a partition beside its rows.
    pub fixed_bytes: f64,
}

/// The volumes of a column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnVolume {
    /// Average bytes of a value, or of an element.
    pub bytes: Stated<f64>,
    /// Elements of a collection; 1 of anything else.
    pub items: Stated<f64>,
    /// Distinct values; an assumed figure is not known.
    pub distinct: Stated<f64>,
    /// Popularity of the values.
    pub skew: Skew,
}

/// Rows of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionRows {
    /// On average.
    pub mean: f64,
    /// Of the largest that is declared: the 99.9th percentile, or the most.
    pub large: f64,
}

impl Volume {
    /// Distinct values of the column at this position of the table, where declared.
    pub fn distinct(&self, column: usize) -> Option<f64> {
        let stated = self.columns.get(column)?.distinct;
        (stated.origin != Origin::Assumed).then_some(stated.value)
    }

    /// Elements of the collection at this position, where declared.
    pub fn items(&self, column: usize) -> Option<f64> {
        let stated = self.columns.get(column)?.items;
        (stated.origin != Origin::Assumed).then_some(stated.value)
    }

    /// Average bytes of the column at this position, where declared.
    pub fn bytes(&self, column: usize) -> Option<f64> {
        let stated = self.columns.get(column)?.bytes;
        (stated.origin != Origin::Assumed).then_some(stated.value)
    }

    /// Rows of a partition so many seconds from its start, or when it stopped growing; `None` where nothing is declared.
    pub fn partition_rows_after(&self, seconds: f64) -> Option<PartitionRows> {
        let lived = self.retain.map_or(seconds, |retain| retain.min(seconds));
        if let Some(each) = self.each {
            let parents = self.partitions.unwrap_or(1e6);
            let times = each.per.map_or(1.0, |per| lived / per);
            return Some(PartitionRows {
                mean: each.mean * times,
                large: each.p999(parents) * times,
            });
        }
        let (rows, partitions) = (self.rows?, self.partitions?);
        let mean = rows / partitions.max(1.0);
        Some(PartitionRows { mean, large: mean })
    }

    /// Rows of a partition after its retention, or after five years.
    pub fn partition_rows(&self) -> Option<PartitionRows> {
        self.partition_rows_after(FIVE_YEARS)
    }

    /// Bytes of a partition of so many rows.
    pub fn partition_bytes(&self, rows: f64) -> f64 {
        self.fixed_bytes + rows * self.row_bytes
    }
}

/// Reads what comments declare, and tells every table.
pub(super) fn attach(project: &mut Project<'_>) {
    let mut volumes: Vec<Volume> = project.tables.iter().map(|facts| usual(&facts.table)).collect();
    let mut complaints = Vec::new();
    for (at, text) in project.texts.iter().enumerate() {
        let creates = |kind: &StatementKind| matches!(kind, StatementKind::CreateTable(_));
        let says = |span: cql::Span| span.text(text.text).contains('@');
        if !text.parsed.comments.iter().any(|comment| says(comment.span))
            || !text.parsed.statements.iter().any(|statement| creates(&statement.kind))
        {
            continue;
        }
        match schema_file::read(text.text, &text.parsed, &project.catalog) {
            Ok(file) => {
                for (position, facts) in project.tables.iter().enumerate() {
                    if facts.place.text == at
                        && let Some(volume) = declared(&file.concept, &facts.table)
                    {
                        volumes[position] = volume;
                    }
                }
            }
            Err(wrong) => complaints.extend(wrong.into_iter().map(|one| (at, one))),
        }
    }
    for (facts, volume) in project.tables.iter_mut().zip(volumes) {
        facts.volume = volume;
    }
    project.complaints = complaints;
}

/// A table of which nothing is declared: its rows have the bytes that their types usually have.
fn usual(table: &Table) -> Volume {
    let mut volume = Volume { retain: time_to_live(table), ..Volume::default() };
    let fields = |columns: &[model::catalog::Column]| -> Vec<Field> {
        columns.iter().map(|column| usual_field(&column.ty)).collect()
    };
    let layout = layout(table, &volume, &fields);
    volume.row_bytes = size::row(&layout);
    volume.fixed_bytes = size::partition_overhead(&layout);
    volume
}

fn time_to_live(table: &Table) -> Option<f64> {
    let seconds = table.params.default_time_to_live;
    (seconds > 0).then(|| f64::from(seconds))
}

fn usual_field(ty: &cql::types::Type) -> Field {
    let (bytes, items) = schema_file::usual(ty);
    Field::new(ty.clone(), bytes, items)
}

fn layout(
    table: &Table,
    volume: &Volume,
    fields: &dyn Fn(&[model::catalog::Column]) -> Vec<Field>,
) -> Layout {
    Layout {
        partition_key: fields(table.partition_key()),
        clustering: fields(table.clustering()),
        statics: fields(table.statics()),
        regulars: fields(table.regulars()),
        written: if table.is_counter() { Written::Update } else { Written::Insert },
        expires: volume.retain,
        age_micros: AGE_MICROS,
        counter_shards: 3.0,
    }
}

/// What a file declares of a table.
fn declared(concept: &Concept, table: &Table) -> Option<Volume> {
    let entity = concept.entities.get(concept.entity_named(&table.name)?)?;
    let known = |stated: Stated<f64>| (stated.origin != Origin::Assumed).then_some(stated.value);
    let each = entity.references.first().map(|reference| reference.fan_out);
    let parent = entity.references.first().and_then(|one| concept.entities.get(one.target));
    let mut volume = Volume {
        rows: known(entity.rows),
        grows: known(entity.grows),
        retain: entity.retain.or_else(|| time_to_live(table)),
        each: each.filter(|each| each.origin != Origin::Assumed),
        partitions: parent.and_then(|parent| known(parent.rows)),
        columns: columns(entity),
        ..Volume::default()
    };
    if volume.partitions.is_none() {
        let key = 0..table.partition_key().len();
        let distinct: Option<Vec<f64>> = key.map(|at| volume.distinct(at)).collect();
        volume.partitions = distinct.map(|values| values.iter().product());
    }
    let mut at = 0;
    let mut next = |column: &model::catalog::Column| {
        let attribute = entity.attributes.get(at);
        at += 1;
        match attribute {
            Some(known) => Field::new(column.ty.clone(), known.bytes.value, known.items.value),
            None => usual_field(&column.ty),
        }
    };
    let all: Vec<Field> = table.columns().iter().map(&mut next).collect();
    let position = |column: &model::catalog::Column| table.column_index(&column.name);
    let fields = |columns: &[model::catalog::Column]| -> Vec<Field> {
        columns.iter().filter_map(|column| all.get(position(column)?).cloned()).collect()
    };
    let layout = layout(table, &volume, &fields);
    volume.row_bytes = size::row(&layout);
    volume.fixed_bytes = size::partition_overhead(&layout);
    Some(volume)
}

fn columns(entity: &Entity) -> Vec<ColumnVolume> {
    let attributes = entity.attributes.iter();
    let volume = |attribute: &model::concept::Attribute| ColumnVolume {
        bytes: attribute.bytes,
        items: attribute.items,
        distinct: attribute.distinct,
        skew: attribute.skew,
    };
    attributes.map(volume).collect()
}
