//! The text of a model file as statements with their comments, and the places of what they hold.

use cql::Span;
use sqlparser::ast::{Spanned, Statement};

use crate::directive::Directive;

/// A statement with a `-- name: X :one` line.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// What it returns.
    pub cardinality: Cardinality,
    /// The directives above it.
    pub directives: Vec<Directive>,
    /// The statement.
    pub statement: Statement,
    /// Its text, as the file has it, without the semicolon.
    pub text: String,
    /// Where the text stands.
    pub span: Span,
}

/// What a named statement returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cardinality {
    /// `:one`
    One,
    /// `:many`
    Many,
    /// `:exec`
    Exec,
}

/// Places in the file.
///
/// The tokens that statements are parsed from carry byte offsets of the file (as columns of one long line), so that a node
/// of the tree is found in the file without counting lines and characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
}

impl<'a> Places<'a> {
    /// The places of this file.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The place of a node; `whole` for the few nodes of which the parser keeps none.
    pub(super) fn of(&self, node: &impl Spanned, whole: Span) -> Span {
        self.span(node.span()).unwrap_or(whole)
    }

    /// The place that the parser calls so; nothing for its empty span.
    pub(super) fn span(&self, span: sqlparser::tokenizer::Span) -> Option<Span> {
        let offset = |column: u64| u32::try_from(column.checked_sub(1)?).ok();
        let (start, end) = (offset(span.start.column)?, offset(span.end.column)?);
        (start <= end && end as usize <= self.text.len()).then_some(Span::new(start, end))
    }

    /// The text of a place.
    pub(super) fn text(&self, span: Span) -> &'a str {
        span.text(self.text)
    }
}
