//! [`View`]: materialized views.

use std::sync::Arc;

use cql::relation::Relation;

use super::Table;

/// A materialized view.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its table: columns, key and options.
    pub table: Arc<Table>,
    /// The name of the base table.
    pub base_table: Box<str>,
    /// Whether it was created with `SELECT *`.
    pub include_all: bool,
    /// Its WHERE clause.
    pub relations: Vec<Relation>,
}
