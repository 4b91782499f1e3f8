//! Columns.

use cql::types::Type;

/// A column of a table or view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub ty: Type,
    /// Its role.
    pub kind: ColumnKind,
    /// Its position among the columns of its kind that have one (partition key, clustering), else 0.
    pub position: usize,
    /// A clustering column stored in descending order.
    pub descending: bool,
    /// Its dynamic data mask.
    pub mask: Option<Box<ColumnMask>>,
}

/// The roles of columns, in the order in which `SELECT *` gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ColumnKind {
    /// Part of the partition key.
    Partition,
    /// A clustering column.
    Clustering,
    /// One value per partition.
    Static,
    /// One value per row.
    Regular,
}

/// A mask: a function of the column and constant arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMask {
    /// The keyspace of the function; `system` for native ones.
    pub keyspace: Box<str>,
    /// The function.
    pub function: Box<str>,
    /// The arguments after the column: types and bytes, none for null.
    pub arguments: Vec<(Type, Option<Box<[u8]>>)>,
}

impl Column {
    /// Part of the primary key.
    pub fn is_primary_key(&self) -> bool {
        matches!(self.kind, ColumnKind::Partition | ColumnKind::Clustering)
    }

    /// A collection or user type with a cell per element.
    pub fn is_multi_cell(&self) -> bool {
        self.ty.is_multi_cell()
    }
}
