//! Identifiers and qualified names.

use crate::span::Span;

/// An identifier. Unquoted ones are folded to lower case by the parser, so `text` is the name as
/// Cassandra stores it, and two names are equal if they denote the same object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name, without quotes.
    pub text: Box<str>,
    /// Its position in the source.
    pub span: Span,
}

/// `[keyspace.]name` of a table, view, index, type or function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QualifiedName {
    /// The keyspace, if it was written.
    pub keyspace: Option<Name>,
    /// The name of the object.
    pub name: Name,
}

impl QualifiedName {
    /// The position of the qualified name.
    pub fn span(&self) -> Span {
        self.keyspace
            .as_ref()
            .map_or(self.name.span, |keyspace| keyspace.span.union(self.name.span))
    }
}
