//! A place in the texts of a project.

use cql::Span;

/// A place in one of the texts of a project.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Location {
    /// The position of the text in the project.
    pub text: usize,
    /// Where in it.
    pub span: Span,
}
