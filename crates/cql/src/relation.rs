//! Relations of WHERE clauses and conditions of IF clauses.

use crate::name::{Name, QualifiedName};
use crate::span::Span;
use crate::term::{Marker, Term};

/// One relation of a WHERE clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The form and operands.
    pub kind: RelationKind,
    /// Its position in the source.
    pub span: Span,
}

/// The forms of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// `column op value`
    Column(Name, Operator, Term),
    /// `column [NOT] IN (...)`; NOT IN is newer than 5.0.
    In {
        /// The name of the column.
        column: Name,
        /// Whether it is NOT IN.
        negated: bool,
        /// The values.
        values: InValues,
    },
    /// `column IS NOT NULL`
    IsNotNull(Name),
    /// `column[key] op value`
    Element(Name, Box<Term>, Operator, Term),
    /// `token(a, b) op value`
    Token(Vec<Name>, Operator, Term),
    /// `(a, b) op value`, where the value is a tuple literal or a marker.
    Tuple(Vec<Name>, Operator, Term),
    /// `(a, b) IN (...)`
    TupleIn(Vec<Name>, InValues),
    /// `column BETWEEN low AND high`; newer than 5.0.
    Between(Name, Box<(Term, Term)>),
    /// `expr(index, value)`
    CustomIndex(QualifiedName, Term),
}

impl RelationKind {
    /// The columns that it restricts; none if it names an index.
    pub fn columns(&self) -> &[Name] {
        match self {
            Self::Column(column, ..)
            | Self::In { column, .. }
            | Self::IsNotNull(column)
            | Self::Element(column, ..)
            | Self::Between(column, _) => std::slice::from_ref(column),
            Self::Token(columns, ..) | Self::Tuple(columns, ..) | Self::TupleIn(columns, _) => {
                columns
            }
            Self::CustomIndex(..) => &[],
        }
    }
}

/// The right side of IN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InValues {
    /// `IN ?`
    Marker(Marker, Span),
    /// `IN (a, b)`
    List(Vec<Term>),
}

/// Comparison operators, as the server names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `=`
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Lte,
    /// `>`
    Gt,
    /// `>=`
    Gte,
    /// `!=`
    Neq,
    /// `CONTAINS`
    Contains,
    /// `CONTAINS KEY`
    ContainsKey,
    /// `LIKE`
    Like,
}

impl Operator {
    /// The operator in CQL, and as the server prints it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Eq => "=",
            Self::Lt => "<",
            Self::Lte => "<=",
            Self::Gt => ">",
            Self::Gte => ">=",
            Self::Neq => "!=",
            Self::Contains => "CONTAINS",
            Self::ContainsKey => "CONTAINS KEY",
            Self::Like => "LIKE",
        }
    }
}

/// One condition of `IF a = 1 AND b[2] IN (...)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The name of the column.
    pub column: Name,
    /// The part of the column that is compared.
    pub part: ColumnPart,
    /// The comparison.
    pub predicate: ConditionPredicate,
    /// Its position in the source.
    pub span: Span,
}

/// The part of a column in a condition or DELETE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnPart {
    /// `column`
    Whole,
    /// `column[key]`
    Element(Term),
    /// `column.field`
    Field(Name),
}

/// The comparison of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionPredicate {
    /// `op value`
    Compare(Operator, Term),
    /// `IN ...`
    In(InValues),
}

/// The IF clause of an UPDATE or DELETE.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Conditions {
    /// No IF clause.
    #[default]
    None,
    /// `IF EXISTS`
    Exists,
    /// `IF a = 1 AND ...`
    All(Vec<Condition>),
}
