//! [`Layout`]: the part of a table's schema that storage needs, the order of its rows and the types
//! of its columns.

use std::cmp::Ordering;

use cql::types::{NativeType, Type};

/// The number by which cells refer to a column. Numbers are assigned in the order in which columns
/// are added to a table and are never reused.
pub type ColumnId = u32;

/// The layout of a table.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Types of the clustering columns, and whether each is in descending order.
    pub clustering: Vec<(Type, bool)>,
    /// Types of the other columns by [`ColumnId`], dropped ones included.
    pub columns: Vec<Type>,
    /// How long tombstones are kept, in seconds.
    pub gc_grace_seconds: i32,
    /// Dropped columns with the time of the drop in microseconds: cells written up to then are
    /// purged. A column that was added again keeps its later cells.
    pub dropped_columns: Vec<(ColumnId, i64)>,
}

impl Layout {
    /// Compares the paths of two cells of a multi-cell column.
    pub(crate) fn compare_paths(&self, column: ColumnId, a: &[u8], b: &[u8]) -> Ordering {
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
