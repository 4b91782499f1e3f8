//! [`Term`]: values in statements.

pub use crate::value::ConstantKind;

use crate::name::{Name, QualifiedName};
use crate::span::Span;
use crate::type_name::{NativeName, TypeName};

/// A value in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The form and operands.
    pub kind: TermKind,
    /// Its position in the source.
    pub span: Span,
}

/// The forms of a written value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A literal.
    Constant(Constant),
    /// `null`
    Null,
    /// `?` or `:name`
    Marker(Marker),
    /// `[a, b]`: a list or a vector.
    List(Vec<Term>),
    /// `{a, b}`; also `{}`, which may be an empty map.
    Set(Vec<Term>),
    /// `{a: b}`
    Map(Vec<(Term, Term)>),
    /// `{field: value}` with identifiers as keys: a user type.
    UserType(Vec<(Name, Term)>),
    /// `(a, b)`; also `(a)`.
    Tuple(Vec<Term>),
    /// `f(a, b)`
    Call(QualifiedName, Vec<Term>),
    /// `(type) value`
    TypeHint(Box<(TypeName, Term)>),
    /// `CAST(value AS type)`
    Cast(Box<Term>, NativeName),
    /// `-value`
    Negate(Box<Term>),
    /// `a + b`
    Arithmetic(ArithmeticOperator, Box<(Term, Term)>),
    /// A template placeholder in an option (lenient mode): any value.
    Placeholder(Box<str>),
}

/// A literal with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The kind of literal.
    pub kind: ConstantKind,
    /// For strings, the content without quotes; for everything else the text as written, except
    /// that `NaN`, `Infinity` and `-Infinity` are normalised and booleans are lower case.
    pub text: Box<str>,
}

/// A bind marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The name in `:name`.
    pub name: Option<Name>,
    /// Its index among all markers of the statement (a batch counts as one statement).
    pub index: u32,
    /// The placeholder that it represents (lenient mode).
    pub placeholder: Option<Box<str>>,
}

/// `+ - * / %`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl ArithmeticOperator {
    /// The operator sign.
    pub const fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
            Self::Modulo => '%',
        }
    }
}
