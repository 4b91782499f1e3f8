//! The parser: a hand-written recursive descent that never fails.
//!
//! A statement is parsed with at most a few tokens of lookahead, so the work is linear. Nesting and
//! the height of trees are bounded ([`cursor::NESTING_LIMIT`], [`cursor::HEIGHT_LIMIT`]), so
//! neither parsing nor traversing nor dropping a tree can exhaust the stack. A statement that
//! cannot be parsed becomes `Invalid` with one error, and parsing continues after its semicolon, or
//! at a line that starts another statement (`statements`).
//!
//! Where the server's parser reports an error and continues, throws, or fails with an exception,
//! this one records the same ([`cursor::Parser`]); `advice` explains unexpected tokens. The other
//! files parse the statements and clauses of their names.

mod advice;
mod cursor;
mod describe;
mod function;
mod jmx;
mod names;
mod permission;
mod properties;
mod relations;
mod role;
mod schema;
mod select;
mod selectables;
mod statements;
mod table;
mod terms;
mod types;
mod write;

use crate::lexer::Comment;
use crate::parse_options::ParseOptions;
use crate::span::Span;
use crate::statement::Statement;
use crate::syntax_error::{SyntaxAdvice, SyntaxError, SyntaxReason};
use cursor::Parser;

/// A parsed text.
#[derive(Clone, Debug, Default)]
pub struct ParsedSource {
    /// Its statements, in order.
    pub statements: Vec<Statement>,
    /// Its comments, in order.
    pub comments: Vec<Comment>,
    /// The syntax errors.
    pub errors: Vec<SyntaxError>,
}

/// Parses a text of any number of statements.
pub fn parse(source: &str) -> ParsedSource {
    parse_with(source, &ParseOptions::default())
}

/// Parses a text with options.
pub fn parse_with(source: &str, options: &ParseOptions) -> ParsedSource {
    if u32::try_from(source.len()).is_err() {
        let error = SyntaxError::new(SyntaxReason::TextTooLarge, Span::default());
        let error = error.with_advice(SyntaxAdvice::SplitText);
        return ParsedSource { errors: vec![error], ..ParsedSource::default() };
    }
    Parser::new(source, *options).run()
}
