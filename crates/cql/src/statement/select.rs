//! SELECT.

use crate::name::{Name, QualifiedName};
use crate::relation::Relation;
use crate::selectable::Selectable;
use crate::span::Span;
use crate::term::Term;

/// A SELECT statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Select {
    /// `SELECT JSON`
    pub json: bool,
    /// `SELECT DISTINCT`
    pub distinct: bool,
    /// The selected expressions; empty for `*`.
    pub selectors: Vec<Selector>,
    /// The table or view.
    pub table: QualifiedName,
    /// The WHERE clause, relation by relation.
    pub relations: Vec<Relation>,
    /// GROUP BY.
    pub group_by: Vec<Selectable>,
    /// ORDER BY.
    pub order_by: Vec<Ordering>,
    /// PER PARTITION LIMIT: an integer or a marker.
    pub per_partition_limit: Option<Term>,
    /// LIMIT: an integer or a marker.
    pub limit: Option<Term>,
    /// ALLOW FILTERING, and its position.
    pub allow_filtering: Option<Span>,
}

/// `expression [AS alias]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The selected expression.
    pub expression: Selectable,
    /// Its name in the result.
    pub alias: Option<Name>,
}

/// One column of ORDER BY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// The name of the column.
    pub column: Name,
    /// `ANN OF vector`
    pub ann_of: Option<Term>,
    /// `DESC`
    pub descending: bool,
    /// Its position in the source.
    pub span: Span,
}
