//! Bytes of a table's partitions: what its columns are made of.

use model::concept::Concept;
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};
use model::schema_file;
use schema::size::{CellState, ColumnLayout, PartitionLayout, RowOrigin};

use super::rows::attribute;

/// Rows of one file were written about a day apart: files are merged, and small ones soon.
const AGE_MICROS: f64 = 86_400e6;
/// Bytes of a number that counts.
const LONG: f64 = 8.0;

/// What a partition of the table is made of.
pub(crate) fn layout(
    concept: &Concept,
    table: &PlannedTable,
    expires: Option<f64>,
) -> PartitionLayout {
    layout_of(concept, table, expires, |_| true)
}

/// What a partition with some of the table's columns is made of.
pub(crate) fn layout_of(
    concept: &Concept,
    table: &PlannedTable,
    expires: Option<f64>,
    had: impl Fn(&PlannedColumn) -> bool,
) -> PartitionLayout {
    let fields = |wanted: fn(ColumnRole) -> bool| -> Vec<ColumnLayout> {
        let columns = table.columns.iter().filter(|column| wanted(column.role) && had(column));
        columns.map(|column| field(concept, table, column)).collect()
    };
    PartitionLayout {
        partition_key: fields(|role| role == ColumnRole::Partition),
        clustering: fields(|role| matches!(role, ColumnRole::Clustering(_))),
        statics: fields(|role| role == ColumnRole::Static),
        regulars: fields(|role| matches!(role, ColumnRole::Regular | ColumnRole::Counter)),
        written: if table.is_counter() { RowOrigin::Update } else { RowOrigin::Insert },
        expires,
        age_micros: AGE_MICROS,
        counter_shards: f64::from(concept.copies().max(1)),
    }
}

/// What a column of the table is made of.
pub(crate) fn field(
    concept: &Concept,
    table: &PlannedTable,
    column: &PlannedColumn,
) -> ColumnLayout {
    let (bytes, items) = match &column.derivation {
        Derivation::Attribute(of) | Derivation::Coalesced(of, _) => attribute(concept, table, *of)
            .map_or((LONG, 1.0), |found| (found.bytes.value, found.items.value)),
        Derivation::Element(of) => {
            (attribute(concept, table, *of).map_or(LONG, |found| found.bytes.value), 1.0)
        }
        #[expect(clippy::cast_precision_loss, reason = "a few characters")]
        Derivation::Prefix(_, length) => (*length as f64, 1.0),
        // Made by the design: what their types say.
        _ => schema_file::usual_sizes(&column.ty),
    };
    ColumnLayout { ty: column.ty.clone(), bytes, items, stored: CellState::Value }
}
