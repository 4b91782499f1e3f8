//! [`Selectable`]: the expressions that a SELECT may select.

use crate::name::{Name, QualifiedName};
use crate::span::Span;
use crate::term::{ArithmeticOperator, Term};
use crate::type_name::{NativeName, TypeName};

/// One selected expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selectable {
    /// The form and operands.
    pub kind: SelectableKind,
    /// Its position in the source.
    pub span: Span,
}

/// The forms of a selected expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectableKind {
    /// A column.
    Column(Name),
    /// A constant, `null` or a marker.
    Term(Term),
    /// `COUNT(*)`
    CountRows,
    /// `WRITETIME(x)`, `MAXWRITETIME(x)`, `TTL(x)`; x is a column with element, slice or field
    /// selections.
    CellInfo(CellInfo, Box<Selectable>),
    /// `CAST(x AS type)`
    Cast(Box<Selectable>, NativeName),
    /// `f(x, y)`
    Call(QualifiedName, Vec<Selectable>),
    /// `(type) x`
    TypeHint(Box<(TypeName, Selectable)>),
    /// `(x, y)`: a tuple, or parentheses around a single expression.
    Tuple(Vec<Selectable>),
    /// `[x, y]`
    List(Vec<Selectable>),
    /// `{x, y}` and `{}`
    Set(Vec<Selectable>),
    /// `{x: y}`: a map, or a user type when the keys are plain names.
    Map(Vec<(Selectable, Selectable)>),
    /// `-x`
    Negate(Box<Selectable>),
    /// `x + y`
    Arithmetic(ArithmeticOperator, Box<(Selectable, Selectable)>),
    /// `x.field`
    Field(Box<Selectable>, Name),
    /// `x[key]`
    Element(Box<Selectable>, Box<Term>),
    /// `x[from..to]`
    Slice(Box<Selectable>, Option<Box<Term>>, Option<Box<Term>>),
}

/// The metadata of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellInfo {
    /// `WRITETIME`
    WriteTime,
    /// `MAXWRITETIME`
    MaxWriteTime,
    /// `TTL`
    Ttl,
}
