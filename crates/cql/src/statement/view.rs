//! Materialized views: CREATE, ALTER, DROP.

use crate::name::QualifiedName;
use crate::property::Property;
use crate::relation::Relation;
use crate::statement::select::Selector;
use crate::statement::table::{PrimaryKey, TableOptions};

/// `CREATE MATERIALIZED VIEW [IF NOT EXISTS] v AS SELECT ... PRIMARY KEY (...) WITH ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateView {
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the view.
    pub name: QualifiedName,
    /// The selected columns; empty for `*`.
    pub selectors: Vec<Selector>,
    /// The base table.
    pub table: QualifiedName,
    /// The relations of the WHERE clause.
    pub relations: Vec<Relation>,
    /// PRIMARY KEY.
    pub primary_key: PrimaryKey,
    /// The properties of the WITH clause.
    pub options: TableOptions,
}

/// `ALTER MATERIALIZED VIEW [IF EXISTS] v WITH ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlterView {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the view.
    pub name: QualifiedName,
    /// The properties of the WITH clause.
    pub properties: Vec<Property>,
}

/// `DROP MATERIALIZED VIEW [IF EXISTS] v`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropView {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the view.
    pub name: QualifiedName,
}
