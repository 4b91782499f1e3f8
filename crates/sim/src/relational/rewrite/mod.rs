//! The file's own SQL, as `SQLite` runs it.
//!
//! What runs is written from the tree of the statement's text and not from what was made of it elsewhere, so that a
//! misreading there shows as a wrong answer. Columns are looked up by name; constants and parameters take the form in which
//! the column that they meet is stored.

mod condition;
mod constant;
mod expression;
mod scope;
mod select;
mod write;

use cql::types::Type;
use model::concept::Concept;
use sqlparser::ast::Statement;

use self::scope::Scope;

/// A statement for `SQLite`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rewritten {
    /// Its text, with `?1`, `?2`, ...
    pub(super) sql: String,
    /// What each of them is, in order.
    pub(super) uses: Vec<Use>,
    /// The types of what it returns.
    pub(super) outputs: Vec<Type>,
}

/// What stands in the place of a `?1`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Use {
    pub(super) given: Given,
    pub(super) form: Form,
}

/// A parameter or a constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    /// The parameter at this position of the statement's list.
    Parameter(usize),
    /// A constant, in the bytes of its type.
    Constant(Vec<u8>),
}

/// The form in which it is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// As a column of this type is stored.
    Value(Type),
    /// As an element of an array is stored.
    Element(Type),
    /// A list, of whose elements each is wanted as a column of this type is stored.
    List(Type),
}

/// Rewrites a statement. Where it is `ranked`, a query has no LIMIT and returns behind its outputs what it is ordered by.
pub(super) fn rewrite(concept: &Concept, sql: &str, ranked: bool) -> Result<Rewritten, String> {
    let statement = model::sql::statement(sql).map_err(|diagnostic| diagnostic.message)?;
    let mut rewriter = Rewriter {
        concept,
        scope: Scope::default(),
        parameters: Vec::new(),
        ranked,
        done: Rewritten::default(),
    };
    match &statement {
        Statement::Query(query) => rewriter.query(query)?,
        Statement::Insert(insert) => rewriter.insert(insert)?,
        Statement::Update(update) => rewriter.update(update)?,
        Statement::Delete(delete) => rewriter.delete(delete)?,
        other => return Err(unknown(other)),
    }
    Ok(rewriter.done)
}

/// A statement on its way, written from left to right, so that its parameters are met in the order of the text.
struct Rewriter<'a> {
    concept: &'a Concept,
    scope: Scope,
    /// The parameters so far: their names, each `?` for itself.
    parameters: Vec<String>,
    ranked: bool,
    done: Rewritten,
}

impl Rewriter<'_> {
    fn push(&mut self, text: &str) {
        self.done.sql.push_str(text);
    }

    /// Writes the marker of a use.
    fn mark(&mut self, given: Given, form: Form) {
        self.done.uses.push(Use { given, form });
        let number = self.done.uses.len();
        self.push(&format!("?{number}"));
    }

    /// The position of a parameter among those of the statement.
    fn parameter(&mut self, placeholder: &str) -> usize {
        let known = |name: &String| placeholder != "?" && name == placeholder;
        let position = self.parameters.iter().position(known);
        position.unwrap_or_else(|| {
            self.parameters.push(placeholder.to_owned());
            self.parameters.len() - 1
        })
    }
}

/// What is said of a part that is not understood.
fn unknown(part: &impl std::fmt::Display) -> String {
    format!("the relational side does not understand {part}")
}
