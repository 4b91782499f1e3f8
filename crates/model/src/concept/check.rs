//! What a table demands of its rows: CHECK and UNIQUE constraints, and generated columns.

use crate::expression::Expression;
use crate::id::AttributeId;

/// A constraint on the rows of a table: it is not false for any row.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What declares it.
    pub kind: CheckKind,
    /// Its condition, or the whole clause, as the file has it.
    pub sql: String,
    /// The condition; `None` where it cannot be evaluated: then nothing but the text is known.
    pub expression: Option<Expression<AttributeId>>,
}

/// What declares a constraint on rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// CHECK, or what a type demands of its values.
    Condition,
    /// Another clause, of which only the text is known: EXCLUDE, or UNIQUE over expressions.
    Clause,
}

impl Check {
    /// The constraint as SQL declares it.
    pub fn describe(&self) -> String {
        match self.kind {
            CheckKind::Condition => format!("CHECK ({})", self.sql),
            CheckKind::Clause => self.sql.clone(),
        }
    }
}

/// UNIQUE over columns of which one may be null, or over some of the rows only. What is unique and
/// never null is a key.
#[derive(Clone, Debug, PartialEq)]
pub struct UniqueConstraint {
    /// The attributes. Rows with a null among them are not compared.
    pub attributes: Vec<AttributeId>,
    /// The condition of a partial index: only rows that meet it are compared.
    pub condition: Option<Check>,
}

/// The expression of a generated column.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// As the file has it.
    pub sql: String,
    /// The expression; `None` where it is not supported: no statement may use the column.
    pub expression: Option<Expression<AttributeId>>,
}
