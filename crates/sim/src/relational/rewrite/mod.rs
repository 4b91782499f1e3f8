//! Rewrites the SQL of the model file for `SQLite`.
//!
//! The statement is written from its own syntax tree, not from the resolved workload, so that an
//! error in the resolution shows as a disagreement. Columns are looked up by name; constants and
//! parameters take the stored form of the column that they are compared with or written to.

mod client_value;
mod condition;
mod constant;
mod expression;
mod result_columns;
mod scope;
mod select;
mod write;

use cql::types::Type;
use model::concept::Concept;
use model::workload::Parameter;
use sqlparser::ast::Statement;

pub(super) use self::constant::constant_bytes;

pub(super) use self::scope::{fold_name, last_part};

use self::client_value::ClientParameters;
use self::scope::StatementScope;

/// A statement for `SQLite`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SqliteStatement {
    /// Its text, with `?1`, `?2`, ...
    pub(super) sql: String,
    /// The slots, in order.
    pub(super) uses: Vec<BindSlot>,
    /// The types of what it returns.
    pub(super) outputs: Vec<Type>,
}

/// The value of a `?1`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BindSlot {
    pub(super) given: SlotSource,
    pub(super) form: SlotForm,
}

/// A parameter or a constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlotSource {
    /// The parameter at this position of the statement's list.
    Parameter(usize),
    /// A constant, in the bytes of its type.
    Constant(Vec<u8>),
}

/// The form of the value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlotForm {
    /// The stored form of a column of this type.
    Value(Type),
    /// The stored form of an array element.
    Element(Type),
    /// A list whose elements have the stored form of a column of this type.
    List(Type),
}

/// Rewrites a statement. A `ranked` query has no LIMIT and returns its ORDER BY values after its
/// outputs.
pub(super) fn rewrite(
    concept: &Concept,
    sql: &str,
    parameters: &[Parameter],
    ranked: bool,
) -> Result<SqliteStatement, String> {
    let statement = model::sql::parse_statement(sql).map_err(|diagnostic| diagnostic.message)?;
    let mut rewriter = Rewriter {
        concept,
        scope: StatementScope::default(),
        parameters: Vec::new(),
        client: ClientParameters::new(parameters),
        ranked,
        done: SqliteStatement::default(),
    };
    match &statement {
        Statement::Query(query) => rewriter.write_query(query)?,
        Statement::Insert(insert) => rewriter.write_insert(insert)?,
        Statement::Update(update) => rewriter.write_update(update)?,
        Statement::Delete(delete) => rewriter.write_delete(delete)?,
        other => return Err(refusal_message(other)),
    }
    Ok(rewriter.done)
}

/// The state of a rewrite, from left to right, so that parameters are numbered in the order of the
/// text.
struct Rewriter<'a> {
    concept: &'a Concept,
    scope: StatementScope,
    /// The parameters so far, by name; each `?` is separate.
    parameters: Vec<String>,
    client: ClientParameters,
    ranked: bool,
    done: SqliteStatement,
}

impl Rewriter<'_> {
    fn push(&mut self, text: &str) {
        self.done.sql.push_str(text);
    }

    /// Writes the marker of a slot.
    fn write_marker(&mut self, given: SlotSource, form: SlotForm) {
        self.done.uses.push(BindSlot { given, form });
        let number = self.done.uses.len();
        self.push(&format!("?{number}"));
    }

    /// The position of a parameter among those of the statement.
    fn parameter_position(&mut self, placeholder: &str) -> usize {
        let known = |name: &String| placeholder != "?" && name == placeholder;
        let position = self.parameters.iter().position(known);
        position.unwrap_or_else(|| {
            self.parameters.push(placeholder.to_owned());
            self.parameters.len() - 1
        })
    }
}

/// The error about an unsupported part.
fn refusal_message(part: &impl std::fmt::Display) -> String {
    format!("{part} is not supported by the relational database")
}
