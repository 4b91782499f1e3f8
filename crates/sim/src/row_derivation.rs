//! [`RowDerivation`]: the rows of one designed table, derived from rows of entities that the caller
//! joined. It is what the proof fills and compares tables by.

use cql::types::Type;
use model::concept::Concept;
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};

use crate::contents::{JoinRow, RowBuilder, TableContents, normalise};
use crate::dataset::{Datum, Row};
use crate::runner::{newest_wins_timestamp, oldest_wins_timestamp};
use crate::value::{TypedValue, to_integer};

/// Derives the rows of a table by its definition.
#[derive(Debug)]
pub struct RowDerivation<'a> {
    builder: RowBuilder<'a>,
    table: &'a PlannedTable,
}

/// A row of a designed table: the values of its key, then of its other columns, both in the order
/// of the table's columns. They are in the normal form of [`normalise_value`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DerivedRow {
    /// The key.
    pub key: Vec<Datum>,
    /// The other columns.
    pub values: Vec<Datum>,
}

impl<'a> RowDerivation<'a> {
    /// The derivation of a table, one of `tables`.
    pub fn new(concept: &'a Concept, tables: &[PlannedTable], table: &'a PlannedTable) -> Self {
        Self { builder: RowBuilder::new(concept, tables, table), table }
    }

    /// The rows that one joined row makes: none where it does not belong to the table, one for each
    /// element of an array whose elements make rows.
    pub fn derive(&self, joined: &[Row]) -> Vec<DerivedRow> {
        let joined = JoinRow::new(joined);
        if !self.builder.is_member(&joined) {
            return Vec::new();
        }
        let mut contents = TableContents::default();
        for elements in self.builder.element_choices(&joined) {
            self.builder.add_row(&joined, &elements, &mut contents);
        }
        let rows = contents.into_iter().map(|(key, values)| DerivedRow { key, values });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable();
        rows
    }

    /// The key of the row that a joined row makes in a table without elements; `None` where a value
    /// of it is null.
    pub fn derive_key(&self, joined: &[Row]) -> Option<Vec<Datum>> {
        let joined = JoinRow::new(joined);
        let keys = self.table.columns.iter().filter(|column| column.is_key());
        keys.map(|column| self.builder.derive_value(column, &joined, &[]).map(Some)).collect()
    }
}

/// The normal form of a stored value: values that the server does not distinguish become equal, and
/// an absent counter is 0.
pub fn normalise_value(column: &PlannedColumn, value: Datum) -> Datum {
    match (column.role, value) {
        (ColumnRole::Counter, None) => Some(0_i64.to_be_bytes().to_vec()),
        (_, value) => normalise(&column.ty, value),
    }
}

/// A value in another type: whole numbers become wider or narrower, all else stays as it is.
pub fn convert_value(from: &Type, value: Datum, to: &Type) -> Datum {
    TypedValue::new(from.clone(), value).to_type(to)
}

/// A whole number of any width.
pub fn to_whole_number(ty: &Type, value: &Datum) -> Option<i64> {
    to_integer(ty, value.as_deref()?)
}

/// Whether a recorded end of the buckets is as far out as the bucket of a row, or farther.
pub fn is_end_beyond(column: &PlannedColumn, recorded: &Datum, bucket: &Datum) -> bool {
    let typed = |datum: &Datum| TypedValue::new(column.ty.clone(), datum.clone());
    let order = typed(recorded).compare(&typed(bucket));
    let is_beyond = match column.derivation {
        Derivation::Newest(_) => order.is_ge(),
        _ => order.is_le(),
    };
    recorded.is_some() && is_beyond
}

/// The write timestamp of a recorded end of the buckets, by which the outermost one wins.
pub fn end_timestamp(column: &PlannedColumn, bucket: &Datum) -> Option<i64> {
    let bucket = TypedValue::new(column.ty.clone(), bucket.clone());
    let timestamp = match column.derivation {
        Derivation::Newest(_) => newest_wins_timestamp(&bucket),
        _ => oldest_wins_timestamp(&bucket),
    };
    timestamp.to_integer()
}
