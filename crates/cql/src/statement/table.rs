//! Tables: CREATE, ALTER, DROP, TRUNCATE.

use crate::name::{Name, QualifiedName};
use crate::property::Property;
use crate::span::Span;
use crate::term::Term;
use crate::type_name::TypeName;

/// `CREATE TABLE [IF NOT EXISTS] t (...) WITH ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateTable {
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the table.
    pub name: QualifiedName,
    /// The columns, in the order written.
    pub columns: Vec<ColumnDefinition>,
    /// Every `PRIMARY KEY (...)` clause (a valid table has exactly one, here or inline).
    pub primary_keys: Vec<PrimaryKey>,
    /// The properties of the WITH clause.
    pub options: TableOptions,
    /// `CREATE TABLE t LIKE other`, newer than 5.0; then there are no columns.
    pub like: Option<QualifiedName>,
}

/// `name type [STATIC] [MASKED WITH ...] [PRIMARY KEY]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDefinition {
    /// The name of the column.
    pub name: Name,
    /// The type of its values.
    pub type_name: TypeName,
    /// `STATIC`
    pub is_static: bool,
    /// `MASKED WITH`
    pub mask: Option<Box<Mask>>,
    /// `PRIMARY KEY` after the column.
    pub primary_key: bool,
    /// Its position in the source.
    pub span: Span,
}

/// `MASKED WITH DEFAULT` or `MASKED WITH f(args)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The function; `None` for DEFAULT.
    pub function: Option<QualifiedName>,
    /// Its arguments after the column itself.
    pub arguments: Vec<Term>,
    /// Its position in the source.
    pub span: Span,
}

/// `PRIMARY KEY ((a, b), c)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimaryKey {
    /// The partition key.
    pub partition: Vec<Name>,
    /// The clustering columns.
    pub clustering: Vec<Name>,
    /// Its position in the source.
    pub span: Span,
}

/// The WITH clause of a table or view.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TableOptions {
    /// `name = value`
    pub properties: Vec<Property>,
    /// `COMPACT STORAGE`, and its position.
    pub compact_storage: Option<Span>,
    /// `CLUSTERING ORDER BY (...)`, all of them in order.
    pub clustering_order: Vec<ClusteringOrder>,
}

/// `column ASC|DESC`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusteringOrder {
    /// The name of the column.
    pub column: Name,
    /// `DESC`
    pub descending: bool,
}

/// `ALTER TABLE [IF EXISTS] t ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlterTable {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the table.
    pub name: QualifiedName,
    /// The change.
    pub change: TableChange,
}

/// The forms of ALTER TABLE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableChange {
    /// `ALTER c TYPE t`
    AlterType(Name, TypeName),
    /// `ALTER [IF EXISTS] c MASKED WITH ...`, or `DROP MASKED` (no mask).
    Mask {
        /// `IF EXISTS`
        if_exists: bool,
        /// The name of the column.
        column: Name,
        /// The new mask.
        mask: Option<Mask>,
    },
    /// `ADD [IF NOT EXISTS] c type, ...`
    Add {
        /// `IF NOT EXISTS`
        if_not_exists: bool,
        /// The columns.
        columns: Vec<ColumnDefinition>,
    },
    /// `DROP [IF EXISTS] c, ... [USING TIMESTAMP n]`
    Drop {
        /// `IF EXISTS`
        if_exists: bool,
        /// The columns.
        columns: Vec<Name>,
        /// `USING TIMESTAMP`, the integer as written.
        timestamp: Option<Box<str>>,
    },
    /// `RENAME [IF EXISTS] a TO b AND ...`
    Rename {
        /// `IF EXISTS`
        if_exists: bool,
        /// Old and new names.
        columns: Vec<(Name, Name)>,
    },
    /// `DROP COMPACT STORAGE`
    DropCompactStorage,
    /// `WITH ...`
    With(Vec<Property>),
}

/// `DROP TABLE [IF EXISTS] t`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropTable {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the table.
    pub name: QualifiedName,
}

/// `TRUNCATE [TABLE] t`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truncate {
    /// The name of the table.
    pub table: QualifiedName,
}
