//! [`Column`].

use cql::types::Type;

/// A column of a table or view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name of the column.
    pub name: Box<str>,
    /// The type of its values.
    pub ty: Type,
    /// Its kind.
    pub kind: ColumnKind,
    /// Its position among the columns of the partition key or the clustering columns, otherwise 0.
    pub position: usize,
    /// Whether it is a clustering column in descending order.
    pub descending: bool,
    /// Its dynamic data mask.
    pub mask: Option<Box<ColumnMask>>,
}

/// The kinds of columns, in the order of `SELECT *`.
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
    /// The name of the function.
    pub function: Box<str>,
    /// The arguments after the column: types and bytes, `None` for null.
    pub arguments: Vec<(Type, Option<Box<[u8]>>)>,
}

impl Column {
    /// Whether it is part of the primary key.
    pub fn is_primary_key(&self) -> bool {
        matches!(self.kind, ColumnKind::Partition | ColumnKind::Clustering)
    }

    /// Whether it is a collection or user type with a cell per element.
    pub fn is_multi_cell(&self) -> bool {
        self.ty.is_multi_cell()
    }
}
