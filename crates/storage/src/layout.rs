//! What storage must know of a table: how its rows are ordered and which of its columns have several cells.

use std::cmp::Ordering;

use cql::types::{NativeType, Type};

/// A column, as cells name it. Numbers are given once, in the order in which columns come to a table, and never again: a
/// column that is dropped and added anew has a new number, and its old cells belong to nobody.
pub type ColumnId = u32;

/// The layout of a table.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Types of the clustering columns, and whether each is kept in descending order.
    pub clustering: Vec<(Type, bool)>,
    /// Types of the other columns by [`ColumnId`], dropped ones included.
    pub columns: Vec<Type>,
    /// Seconds for which deletions are kept.
    pub gc_grace_seconds: i32,
    /// Columns that were dropped: what was written to them up to this time (microseconds) is not there. A column that
    /// came back has its later cells.
    pub dropped_columns: Vec<(ColumnId, i64)>,
}

impl Layout {
    /// The order of two cells of a column, by their paths.
    pub fn compare_paths(&self, column: ColumnId, a: &[u8], b: &[u8]) -> Ordering {
        match self.column_type(column) {
            Some(Type::List(..)) => cql::value::compare(&NativeType::Timeuuid.into(), a, b),
            Some(Type::Set(element, _)) => cql::value::compare(element, a, b),
            Some(Type::Map(entry, _)) => cql::value::compare(&entry.0, a, b),
            _ => a.cmp(b),
        }
    }

    /// Whether a column is a counter.
    pub fn is_counter(&self, column: ColumnId) -> bool {
        self.column_type(column).is_some_and(Type::is_counter)
    }

    /// The type of a column.
    pub fn column_type(&self, column: ColumnId) -> Option<&Type> {
        self.columns.get(usize::try_from(column).ok()?)
    }
}
