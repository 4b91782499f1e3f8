//! The file's own SQL, as `SQLite` runs it.
//!
//! What runs is written from the tree of the statement's text and not from what was made of it
//! elsewhere, so that a misreading there shows as a wrong answer. Columns are looked up by name;
//! constants and parameters take the form in which the column that they meet is stored.

mod condition;
mod constant;
mod expression;
mod scope;
mod select;
mod write;

use cql::types::Type;
use model::concept::Concept;
use sqlparser::ast::Statement;

use self::scope::StatementScope;

/// A statement for `SQLite`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SqliteStatement {
    /// Its text, with `?1`, `?2`, ...
    pub(super) sql: String,
    /// What each of them is, in order.
    pub(super) uses: Vec<BindSlot>,
    /// The types of what it returns.
    pub(super) outputs: Vec<Type>,
}

/// What stands in the place of a `?1`.
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

/// The form in which it is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlotForm {
    /// As a column of this type is stored.
    Value(Type),
    /// As an element of an array is stored.
    Element(Type),
    /// A list, of whose elements each is wanted as a column of this type is stored.
    List(Type),
}

/// Rewrites a statement. Where it is `ranked`, a query has no LIMIT and returns behind its outputs
/// what it is ordered by.
pub(super) fn rewrite(
    concept: &Concept,
    sql: &str,
    ranked: bool,
) -> Result<SqliteStatement, String> {
    let statement = model::sql::parse_statement(sql).map_err(|diagnostic| diagnostic.message)?;
    let mut rewriter = Rewriter {
        concept,
        scope: StatementScope::default(),
        parameters: Vec::new(),
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

/// A statement on its way, written from left to right, so that its parameters are met in the order
/// of the text.
struct Rewriter<'a> {
    concept: &'a Concept,
    scope: StatementScope,
    /// The parameters so far: their names, each `?` for itself.
    parameters: Vec<String>,
    ranked: bool,
    done: SqliteStatement,
}

impl Rewriter<'_> {
    fn push(&mut self, text: &str) {
        self.done.sql.push_str(text);
    }

    /// Writes the marker of a use.
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

/// What is said of a part that is not understood.
fn refusal_message(part: &impl std::fmt::Display) -> String {
    format!("{part} is not supported by the relational database")
}
