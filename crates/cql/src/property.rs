//! `WITH name = value` properties of schema statements.

use crate::name::Name;
use crate::span::Span;
use crate::term::{Constant, Term};

/// One property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name of the property.
    pub name: Name,
    /// Its value.
    pub value: PropertyValue,
    /// Its position in the source.
    pub span: Span,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyValue {
    /// A literal.
    Constant(Constant),
    /// A bare word that is an unreserved keyword, in lower case.
    Keyword(Box<str>),
    /// `{'a': 'b'}`
    Map(Vec<(Term, Term)>),
    /// A template placeholder (lenient mode).
    Placeholder(Box<str>),
}
