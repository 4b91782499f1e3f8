//! Named statements, and the mapping from nodes of the syntax tree to places in the file.

use cql::Span;
use sqlparser::ast::{Ident, ObjectName, Spanned, Statement};

use super::token;
use crate::directive::{Directive, DirectiveTarget};

/// A statement with a `-- name: X :one` line.
#[derive(Clone, Debug)]
pub(super) struct NamedStatement {
    /// Its name.
    pub name: String,
    /// The place of the name.
    pub name_span: Span,
    /// What it returns.
    pub cardinality: Cardinality,
    /// The directives above it.
    pub directives: Vec<Directive>,
    /// The statement.
    pub statement: Statement,
    /// The number of different parameters in it.
    pub placeholders: usize,
    /// Its text, as the file has it but for the macros of sqlc, without the semicolon.
    pub text: String,
    /// The place of the text.
    pub span: Span,
}

impl NamedStatement {
    /// What its directives are written on.
    pub(super) fn directive_target(&self) -> DirectiveTarget {
        match self.statement {
            Statement::Query(_) => DirectiveTarget::Query,
            _ => DirectiveTarget::Write,
        }
    }
}

/// What a named statement returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// `:one`
    One,
    /// `:many`
    Many,
    /// `:exec`
    Exec,
}

/// Places in the file.
///
/// The tokens that statements are parsed from carry byte offsets of the file (as columns of one
/// long line), so that a node of the tree is found in the file without counting lines and
/// characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceMap<'a> {
    text: &'a str,
}

impl<'a> SourceMap<'a> {
    /// The places of this file.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The place of a node; `whole` for the few nodes of which the parser keeps none.
    pub(super) fn node_span(&self, node: &impl Spanned, whole: Span) -> Span {
        self.span(node.span()).unwrap_or(whole)
    }

    /// The place of a span of the parser; `None` for its empty span.
    pub(super) fn span(&self, span: sqlparser::tokenizer::Span) -> Option<Span> {
        token::byte_span(span).filter(|span| span.end as usize <= self.text.len())
    }

    /// The text of a place.
    pub(super) fn text(&self, span: Span) -> &'a str {
        span.text(self.text)
    }
}

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SqlName {
    /// The name; in lower case unless it is quoted, as SQL has it.
    pub text: String,
    /// Its place in the file.
    pub span: Span,
}

impl SqlName {
    /// The name that the parser read.
    pub(super) fn new(ident: &Ident) -> Self {
        let text = match ident.quote_style {
            Some(_) => ident.value.clone(),
            None => ident.value.to_lowercase(),
        };
        Self { text, span: token::byte_span(ident.span).unwrap_or_default() }
    }

    /// The last part of a name: the table of `public.users`.
    pub(super) fn from_object_name(name: &ObjectName) -> Option<Self> {
        Some(Self::new(name.0.last()?.as_ident()?))
    }
}
