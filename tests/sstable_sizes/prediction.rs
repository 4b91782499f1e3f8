//! The bytes that the size formulas, and `helenus estimate`, expect of a table.

use cql::types::Type;
use design::Options;
use model::schema_file;
use model::workload::Workload;
use schema::size::{self, CellState, ColumnLayout, PartitionLayout, RowOrigin, WriteAge};

use super::load::is_added;
use super::shape::{Change, KEYSPACE, Shape, ShapeColumn, WriteForm};

/// How a row came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RowKind {
    has_gap: bool,
    is_changed: bool,
}

/// The bytes of all partitions after all writes, of which the last came so many seconds of the
/// node's clock after the first.
pub(super) fn predict_bytes(shape: &Shape, seconds: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few years at most")]
    let span = WriteAge { micros: shape.span_micros as f64, seconds };
    let rows = (0..shape.total_rows())
        .map(|at| RowKind { has_gap: shape.has_gap(at), is_changed: shape.is_changed(at) });
    let mut kinds: Vec<RowKind> = rows.collect();
    kinds.sort_unstable();
    let layouts: Vec<_> = kinds
        .chunk_by(PartialEq::eq)
        .map(|same| (same.len(), layout(shape, same[0], span)))
        .collect();
    let beside_tombstones = layouts.iter().any(|(_, layout)| has_tombstones(layout));
    let layouts: Vec<_> = layouts
        .into_iter()
        .map(|(count, layout)| (count, PartitionLayout { beside_tombstones, ..layout }))
        .collect();
    let rows: f64 = layouts.iter().map(|(rows, layout)| count(*rows) * size::row(layout)).sum();
    rows + count(shape.partitions) * size::partition_overhead(&layouts[0].1)
}

fn has_tombstones(layout: &PartitionLayout) -> bool {
    layout.written == RowOrigin::Delete
        || layout.regulars.iter().chain(&layout.statics).any(|field| {
            let is_assigned = field.ty.is_multi_cell() && field.stored != CellState::Added;
            field.stored == CellState::Null || is_assigned && field.stored != CellState::Unset
        })
}

fn layout(shape: &Shape, kind: RowKind, span: WriteAge) -> PartitionLayout {
    let is_deleted = kind.is_changed && matches!(shape.change, Change::Delete);
    let fields = |columns: &[ShapeColumn]| columns.iter().map(field).collect::<Vec<_>>();
    let regulars = shape.regulars.iter().enumerate();
    PartitionLayout {
        partition_key: fields(&shape.key),
        clustering: fields(&shape.clustering),
        statics: fields(&shape.statics),
        regulars: regulars.map(|(at, column)| regular(shape, kind, at, column)).collect(),
        written: match shape.form {
            _ if is_deleted => RowOrigin::Delete,
            WriteForm::Insert => RowOrigin::Insert,
            WriteForm::Update | WriteForm::Append => RowOrigin::Update,
        },
        expires: shape.ttl.map(f64::from),
        beside_tombstones: false,
        span,
        counter_shards: 1.0,
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}

fn field(column: &ShapeColumn) -> ColumnLayout {
    ColumnLayout::new(column.ty.clone(), count(column.bytes), count(column.items))
}

/// A regular column in a row of this kind.
fn regular(shape: &Shape, kind: RowKind, at: usize, column: &ShapeColumn) -> ColumnLayout {
    let mut found = field(column);
    if is_added(shape, column) {
        found.stored = CellState::Added;
    }
    if let Some(gap) = shape.gap.as_ref().filter(|gap| kind.has_gap && gap.columns.contains(&at)) {
        found.stored = if gap.is_null { CellState::Null } else { CellState::Unset };
    }
    match &shape.change {
        Change::Overwrite(columns) if kind.is_changed && columns.contains(&at) => {
            found.stored = CellState::Overwritten;
        }
        Change::Add(of, items) if kind.is_changed && *of == at => {
            found.added = count(*items);
        }
        _ => {}
    }
    found
}

/// The bytes that `helenus estimate` expects from the text of the table; nothing where the text
/// cannot state how rows are written.
pub(super) fn estimate_text(shape: &Shape, table: &str) -> Option<f64> {
    let all = || shape.statics.iter().chain(&shape.regulars);
    let is_dated = shape.ttl.is_some() || all().any(|column| column.ty.is_multi_cell());
    let is_plain = shape.form == WriteForm::Insert
        && shape.gap.is_none()
        && matches!(shape.change, Change::Nothing)
        && !all().any(|column| matches!(column.ty, Type::User(..)));
    // The node's clock gives the times of deletions, and it does not follow our timestamps.
    if !is_plain || is_dated && shape.span_micros > 60_000_000 {
        return None;
    }
    let text = shape.create_table(table);
    let parsed = cql::parse(&text);
    let mut session = schema::Session::with_system_tables();
    session.assume_keyspace(KEYSPACE).expect("a name");
    for statement in &parsed.statements {
        session.run(statement).unwrap_or_else(|e| panic!("{e:?}: {text}"));
    }
    let file = schema_file::read(&text, &parsed, &session.catalog).expect("a schema");
    #[expect(clippy::cast_precision_loss, reason = "a few years at most")]
    let days = shape.span_micros as f64 / 86_400e6;
    let options = Options { file_span_days: Some(days), ..Options::default() };
    let workload = Workload::default();
    let estimates =
        design::estimate::estimate_tables(&file.concept, &workload, &options, &file.tables);
    let volume = &estimates[0].table.volume;
    Some(volume.table_bytes_after(0.0))
}
