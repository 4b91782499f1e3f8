//! Terms: values as written in statements.

pub use crate::value::ConstantKind;

use crate::name::{Name, QualifiedName};
use crate::span::Span;
use crate::type_name::{NativeName, TypeName};

/// A value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
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

/// A literal with the text that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Which kind of literal.
    pub kind: ConstantKind,
    /// Strings: the content without quotes. Everything else: the text as written, except that `NaN`, `Infinity` and
    /// `-Infinity` are spelt so and booleans are lower case.
    pub text: Box<str>,
}

/// A bind marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The name in `:name`.
    pub name: Option<Name>,
    /// Its position among all markers of the statement (a batch counts as one statement).
    pub index: u32,
    /// The placeholder that it stands for, as written (lenient mode): a template puts a value there.
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
    /// The sign.
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
