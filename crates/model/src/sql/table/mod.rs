//! Tables as the file writes them, statement by statement; [`super::entity`] makes entities of them.

mod alter_table;
mod column;
mod create_table;
mod domain;
mod index;
mod item;

pub(super) use alter_table::read_alter;
pub(super) use create_table::read_create;
pub(super) use domain::read_domain;
pub(super) use index::read_unique_index;

use std::collections::HashMap;

use cql::{Diagnostic, Span, spelling};

use super::source::SqlName;
use super::types::SqlType;
use crate::diagnostics::error;
use crate::directive::Directive;
use crate::id::{AttributeId, EntityId, members};

// A table becomes the entity, and a column the attribute, of the same position.
members! {
    TableDeclaration: EntityId;
    ColumnDeclaration: AttributeId;
}

/// All tables of the file, so far as it was read.
#[derive(Debug, Default)]
pub(super) struct TableDeclarations {
    /// In the order of the file.
    pub list: Vec<TableDeclaration>,
    /// Their positions by name.
    pub positions: HashMap<String, EntityId>,
}

/// A table.
#[derive(Debug)]
pub(super) struct TableDeclaration {
    /// Its name.
    pub name: SqlName,
    /// Its columns.
    pub columns: Vec<ColumnDeclaration>,
    /// The positions of the columns by name.
    pub positions: HashMap<String, AttributeId>,
    /// What is said to be unique.
    pub keys: Vec<KeyDeclaration>,
    /// What refers to other tables.
    pub references: Vec<ReferenceDeclaration>,
    /// The directives above it.
    pub directives: Vec<Directive>,
    /// It is a partition of another one: the same entity.
    pub partition: bool,
}

/// A column.
#[derive(Debug)]
pub(super) struct ColumnDeclaration {
    /// Its name.
    pub name: SqlName,
    /// Its type; nothing where it is unknown, which was reported.
    pub ty: Option<SqlType>,
    /// `NOT NULL`
    pub not_null: bool,
    /// The directives at the end of its line.
    pub directives: Vec<Directive>,
}

/// `PRIMARY KEY` or `UNIQUE`.
#[derive(Debug)]
pub(super) struct KeyDeclaration {
    /// `PRIMARY KEY`
    pub primary: bool,
    /// The columns.
    pub columns: Vec<SqlName>,
    /// Where it stands.
    pub span: Span,
}

/// `REFERENCES`
#[derive(Debug)]
pub(super) struct ReferenceDeclaration {
    /// The columns that refer.
    pub columns: Vec<SqlName>,
    /// The table referred to.
    pub target: SqlName,
    /// The columns referred to; none for the primary key.
    pub target_columns: Vec<SqlName>,
    /// The directives at the end of the line of a table's constraint.
    pub directives: Vec<Directive>,
    /// Where it stands.
    pub span: Span,
}

impl TableDeclarations {
    /// The table of that name, or an error that says which was meant.
    pub(super) fn find_table(&self, name: &SqlName) -> Result<EntityId, Diagnostic> {
        self.positions.get(&name.text).copied().ok_or_else(|| {
            let names =
                self.list.iter().take(NAMES_COMPARED_MAX).map(|table| table.name.text.as_str());
            let help = match spelling::find_nearest(&name.text, names) {
                Some(nearest) => format!("write {nearest}"),
                None => format!("add CREATE TABLE {}, or remove this reference to it", name.text),
            };
            error("MF207", name.span, format!("table {} does not exist", name.text), help)
        })
    }
}

impl TableDeclaration {
    /// A table without anything.
    fn new(name: SqlName) -> Self {
        Self {
            name,
            columns: Vec::new(),
            positions: HashMap::new(),
            keys: Vec::new(),
            references: Vec::new(),
            directives: Vec::new(),
            partition: false,
        }
    }

    /// The position of the column of that name, or an error that says which was meant.
    pub(super) fn find_column(&self, name: &SqlName) -> Result<AttributeId, Diagnostic> {
        self.positions.get(&name.text).copied().ok_or_else(|| {
            let names = self
                .columns
                .iter()
                .take(NAMES_COMPARED_MAX)
                .map(|column| column.name.text.as_str());
            let help = match spelling::find_nearest(&name.text, names) {
                Some(nearest) => format!("write {nearest}"),
                None => format!("add the column to CREATE TABLE {}", self.name.text),
            };
            let message = format!("table {} has no column {}", self.name.text, name.text);
            error("MF206", name.span, message, help)
        })
    }
}

/// More names are not looked through for a similar one.
const NAMES_COMPARED_MAX: usize = 500;
