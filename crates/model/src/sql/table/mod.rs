//! Table declarations as the file writes them, statement by statement; [`super::entity`] turns them
//! into entities.
//!
//! `create_table` and `alter_table` read statements, `item` splits and parses what is between their
//! commas, `column` adds columns and constraints, `clause` those of which only the text is kept,
//! `index` and `domain` read unique indexes and domains.

mod alter_table;
mod clause;
mod column;
mod create_table;
mod domain;
mod index;
mod item;

pub(super) use alter_table::read_alter;
pub(super) use clause::ClauseDeclaration;
pub(super) use create_table::{parse_name, read_create};
pub(super) use domain::read_domain;
pub(super) use index::read_unique_index;
pub(super) use item::{
    has_prefix, is_keyword, split_items, split_parentheses, token_span, tokens_span,
};

use std::collections::HashMap;

use cql::{Diagnostic, Span, spelling};
use sqlparser::ast::Expr;

use super::source::SqlName;
use super::types::SqlType;
use crate::concept::ReferenceAction;
use crate::diagnostics::error;
use crate::directive::Directive;
use crate::id::{AttributeId, EntityId, members};

// A table becomes the entity, and a column the attribute, of the same position.
members! {
    TableDeclaration: EntityId;
    ColumnDeclaration: AttributeId;
}

/// All tables of the file that are read so far.
#[derive(Clone, Debug, Default)]
pub(super) struct TableDeclarations {
    /// In the order of the file.
    pub list: Vec<TableDeclaration>,
    /// Their positions by name.
    pub positions: HashMap<String, EntityId>,
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct TableDeclaration {
    /// Its name.
    pub name: SqlName,
    /// Its columns.
    pub columns: Vec<ColumnDeclaration>,
    /// The positions of the columns by name.
    pub positions: HashMap<String, AttributeId>,
    /// Its primary key and unique constraints.
    pub keys: Vec<KeyDeclaration>,
    /// Its unique indexes over expressions.
    pub expression_keys: Vec<ExpressionKey>,
    /// Its CHECK constraints; those of a domain speak of VALUE, the column at this position.
    pub checks: Vec<(Box<Expr>, Option<AttributeId>)>,
    /// Its constraints of which only the text is known.
    pub clauses: Vec<ClauseDeclaration>,
    /// Its foreign keys.
    pub references: Vec<ReferenceDeclaration>,
    /// The directives above it.
    pub directives: Vec<Directive>,
    /// Whether it is a partition of another table, which is ignored.
    pub partition: bool,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct ColumnDeclaration {
    /// Its name.
    pub name: SqlName,
    /// Its type; `None` for an unknown type, which was reported.
    pub ty: Option<SqlType>,
    /// `NOT NULL`
    pub not_null: bool,
    /// `DEFAULT`, or what numbers it.
    pub default: Option<DefaultDeclaration>,
    /// `GENERATED ALWAYS AS (expression)`
    pub generated: Option<Box<Expr>>,
    /// Whether no statement names it: it stands for an expression of an index.
    pub hidden: bool,
    /// The directives at the end of its line.
    pub directives: Vec<Directive>,
}

/// What gives a column its value where an INSERT does not.
#[derive(Clone, Debug)]
pub(super) enum DefaultDeclaration {
    /// `DEFAULT expression`
    Expression(Box<Expr>),
    /// A serial or identity column.
    Sequence {
        /// `GENERATED ALWAYS AS IDENTITY`
        always: bool,
    },
}

/// `PRIMARY KEY` or `UNIQUE`.
#[derive(Clone, Debug)]
pub(super) struct KeyDeclaration {
    /// The name of its constraint, where it has one.
    pub name: Option<SqlName>,
    /// `PRIMARY KEY`
    pub primary: bool,
    /// The columns.
    pub columns: Vec<SqlName>,
    /// The condition of a partial index.
    pub condition: Option<Box<Expr>>,
    /// `NULLS NOT DISTINCT`
    pub nulls_equal: bool,
    /// Its place in the file.
    pub span: Span,
}

/// `CREATE UNIQUE INDEX` over expressions.
#[derive(Clone, Debug)]
pub(super) struct ExpressionKey {
    /// Its columns and expressions.
    pub parts: Vec<Expr>,
    /// The condition of a partial index.
    pub condition: Option<Box<Expr>>,
    /// `NULLS NOT DISTINCT`
    pub nulls_equal: bool,
    /// What is stated where no client can compute an expression.
    pub clause: ClauseDeclaration,
    /// Its place in the file.
    pub span: Span,
}

/// `REFERENCES`
#[derive(Clone, Debug)]
pub(super) struct ReferenceDeclaration {
    /// The columns that refer.
    pub columns: Vec<SqlName>,
    /// The table referred to.
    pub target: SqlName,
    /// The columns referred to; none for the primary key.
    pub target_columns: Vec<SqlName>,
    /// `ON DELETE`
    pub on_delete: ReferenceAction,
    /// `ON UPDATE`
    pub on_update: ReferenceAction,
    /// `MATCH FULL`
    pub match_full: bool,
    /// The directives at the end of the line of a table's constraint.
    pub directives: Vec<Directive>,
    /// Its place in the file.
    pub span: Span,
}

impl TableDeclarations {
    /// The table of that name, or an error that suggests a similar name.
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

impl KeyDeclaration {
    /// A key over all rows.
    const fn new(name: Option<SqlName>, primary: bool, columns: Vec<SqlName>, span: Span) -> Self {
        Self { name, primary, columns, condition: None, nulls_equal: false, span }
    }
}

impl TableDeclaration {
    /// A table without columns.
    fn new(name: SqlName) -> Self {
        Self {
            name,
            columns: Vec::new(),
            positions: HashMap::new(),
            keys: Vec::new(),
            expression_keys: Vec::new(),
            checks: Vec::new(),
            clauses: Vec::new(),
            references: Vec::new(),
            directives: Vec::new(),
            partition: false,
        }
    }

    /// The column of that name, or an error that suggests a similar name.
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

/// The search for a similar name compares no more names than this.
const NAMES_COMPARED_MAX: usize = 500;
