//! The model file: SQL tables and queries with volumes in comments, read into a concept and a
//! workload.
//!
//! Reading never stops at the first error: every error is reported, with its place and what to
//! write instead. The flow:
//!
//! 1. `scan` splits the text into raw statements and comments; `kind` classifies a statement by its
//!    first words; `comments` and `name_line` read what is written above and inside it, `named_directive`
//!    what is written elsewhere about a table, column or query by its name.
//!    `dialect` finds out which SQL it is; `mysql` rewrites `MySQL`'s as `PostgreSQL`'s.
//! 2. `file` dispatches each statement: `token` tokenizes and parses, `table` collects the
//!    declarations of tables, `types` those of types, `type_change` their changes, `trigger` what triggers add to writes. `head` has the directives of the whole file.
//!    Everything read so far, with its errors, is a `draft`; with the statements, it is the
//!    `model_syntax`, which can be resolved again with further directives.
//!    `measured_volume` adds volumes that were measured to those that the files state.
//! 3. `entity` turns the table declarations into entities.
//! 4. `query` resolves the named statements against the entities; `default_workload` stands in for
//!    a file without queries.
//! 5. `volume` completes the figures that the file does not give; `cardinality` questions `:one`, `comparison`
//!    warns about values that the database compares differently.
//!
//! `starting_model` writes such a file from a dump.
//!
//! `literal` and `client_value` read constants and functions, `source` maps nodes of sqlparser's tree to places in the file.

mod cardinality;
mod client_value;
mod comments;
mod comparison;
mod default_workload;
mod dialect;
mod draft;
mod entity;
mod expression;
mod file;
mod head;
mod interval;
mod kind;
mod literal;
mod measured_volume;
mod model_syntax;
mod mysql;
mod name_line;
mod named_directive;
mod query;
mod scan;
mod source;
mod sqlc;
mod starting_model;
mod table;
#[cfg(test)]
mod tests;
mod token;
mod trigger;
mod type_change;
mod types;
pub(crate) mod volume;

pub use model_syntax::ModelSyntax;
pub use name_line::{NameLine, read as read_name_line};
pub use query::{REFUSALS, Refusal};
pub use source::Cardinality;
pub use starting_model::{
    DataFilter, RemovedData, SAMPLE_MODEL, StartingModel, write_starting_model,
};
pub use types::type_names;

use cql::types::Type;
use cql::{Diagnostic, Span};
use sqlparser::parser::Parser;

use crate::assumption::Assumption;
use crate::concept::{ClientValue, Concept};
use crate::diagnostics::error;
use crate::measurement::Measurements;
use crate::workload::Workload;

/// A model file, read and resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// What is stored.
    pub concept: Concept,
    /// Its reads and writes.
    pub workload: Workload,
    /// Figures that the file does not give, with the place where it could.
    pub assumptions: Vec<Assumption>,
    /// Warnings about what is accepted.
    pub warnings: Vec<Diagnostic>,
}

/// Further errors are counted but not shown.
const ERRORS_SHOWN_MAX: usize = 100;

/// Reads a model file; `name` (the file's, without its ending) names the keyspace where the file
/// does not.
///
/// Everything that is wrong is reported.
pub fn read(text: &str, name: &str) -> Result<ModelFile, Vec<Diagnostic>> {
    read_files(text, &[0], name, &Measurements::default())
}

/// Reads a model that is written in several files, such as a dump, its queries and its volumes.
///
/// Their texts follow one another in `text`, each from one of the offsets `starts` on. What they do
/// not state of the volumes is taken from `measured`.
pub fn read_files(
    text: &str,
    starts: &[usize],
    name: &str,
    measured: &Measurements,
) -> Result<ModelFile, Vec<Diagnostic>> {
    ModelSyntax::parse(text, starts, name, measured)?.resolve()
}

/// The statement of a text, in the language of model files.
///
/// For callers that need the original query again, such as the proof.
pub fn parse_statement(sql: &str) -> Result<sqlparser::ast::Statement, Diagnostic> {
    let scan = scan::scan(sql);
    let Some(piece) = scan.pieces.first() else {
        let help = "write SELECT, INSERT, UPDATE or DELETE";
        return Err(error("MF003", Span::new(0, 0), "the text contains no statement", help));
    };
    token::parse(token::tokenize(sql, piece.span, &piece.within)?, piece.span)
}

/// The value that the client makes in place of an expression that is compared with or written to a
/// column of a type; `None` where it makes none.
pub fn find_client_value(expression: &sqlparser::ast::Expr, ty: &Type) -> Option<ClientValue> {
    client_value::assign_client_value(client_value::find_client_value(expression)?, ty)
}

/// The expression of a text, in the language of model files.
pub fn parse_expression(sql: &str) -> Result<sqlparser::ast::Expr, Diagnostic> {
    let span = Span::new(0, u32::try_from(sql.len()).unwrap_or(u32::MAX));
    token::parse_all(token::tokenize(sql, span, &[])?, span, Parser::parse_expr)
}

/// The errors in the order of the file, and how many more there are.
fn limit_errors(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    let more = errors.len().saturating_sub(ERRORS_SHOWN_MAX);
    if more > 0 {
        errors.truncate(ERRORS_SHOWN_MAX);
        let last = errors.last().map_or(Span::default(), |last| last.span);
        let message = format!("{more} more errors are not shown");
        errors.push(error("MF005", last, message, "fix the errors above first"));
    }
    errors
}
