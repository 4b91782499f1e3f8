//! Indexes: CREATE, DROP.

use crate::name::{Name, QualifiedName};
use crate::property::Property;

/// `CREATE [CUSTOM] INDEX [IF NOT EXISTS] [i] ON t (...) [USING '...'] [WITH ...]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateIndex {
    /// `CUSTOM`
    pub custom: bool,
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The index, if it is named.
    pub name: Option<Name>,
    /// The name of the table.
    pub table: QualifiedName,
    /// What is indexed.
    pub targets: Vec<IndexTarget>,
    /// `USING 'class'`
    pub class: Option<Box<str>>,
    /// The properties of the WITH clause.
    pub properties: Vec<Property>,
}

/// `c`, `values(c)`, `keys(c)`, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexTarget {
    /// The name of the column.
    pub column: Name,
    /// Which part of it.
    pub kind: IndexTargetKind,
}

/// What of a column is indexed, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexTargetKind {
    /// `c`
    Simple,
    /// `values(c)`
    Values,
    /// `keys(c)`
    Keys,
    /// `entries(c)`
    Entries,
    /// `full(c)`
    Full,
}

/// `DROP INDEX [IF EXISTS] i`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropIndex {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the index.
    pub name: QualifiedName,
}
