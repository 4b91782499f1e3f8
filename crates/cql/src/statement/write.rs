//! INSERT, UPDATE, DELETE and BATCH.

use crate::name::{Name, QualifiedName};
use crate::relation::{ColumnPart, Conditions, Relation};
use crate::span::Span;
use crate::term::Term;

/// `USING TIMESTAMP t AND TTL n`
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct UsingClause {
    /// The parts, in order.
    pub parts: Vec<UsingPart>,
}

/// A part of USING: an integer or a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsingPart {
    /// `TIMESTAMP t`
    Timestamp(Term),
    /// `TTL n`
    Ttl(Term),
}

impl UsingClause {
    /// The timestamp; the last one applies.
    pub fn timestamp(&self) -> Option<&Term> {
        self.parts.iter().rev().find_map(|part| match part {
            UsingPart::Timestamp(term) => Some(term),
            UsingPart::Ttl(_) => None,
        })
    }

    /// The TTL; the last one applies.
    pub fn ttl(&self) -> Option<&Term> {
        self.parts.iter().rev().find_map(|part| match part {
            UsingPart::Ttl(term) => Some(term),
            UsingPart::Timestamp(_) => None,
        })
    }
}

/// An INSERT statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insert {
    /// The name of the table.
    pub table: QualifiedName,
    /// The inserted values.
    pub values: InsertValues,
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// `USING ...`
    pub using: UsingClause,
}

/// The two forms of INSERT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InsertValues {
    /// `(a, b) VALUES (1, 2)`
    Columns {
        /// The columns.
        columns: Vec<Name>,
        /// Their values.
        values: Vec<Term>,
    },
    /// `JSON '...' [DEFAULT UNSET]`
    Json {
        /// A string literal or a marker.
        value: Term,
        /// `DEFAULT UNSET`: columns that the document does not name stay unchanged.
        default_unset: bool,
    },
}

/// An UPDATE statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The name of the table.
    pub table: QualifiedName,
    /// `USING ...`
    pub using: UsingClause,
    /// The assignments of the SET clause.
    pub assignments: Vec<Assignment>,
    /// The relations of the WHERE clause.
    pub relations: Vec<Relation>,
    /// The IF clause.
    pub conditions: Conditions,
}

/// One assignment of SET.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the column.
    pub column: Name,
    /// The operation on the column.
    pub operation: AssignmentOperation,
    /// Its position in the source.
    pub span: Span,
}

/// An operation of SET on a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignmentOperation {
    /// `c = value`
    Set(Term),
    /// `c[key] = value`
    SetElement(Term, Term),
    /// `c.field = value`
    SetField(Name, Term),
    /// `c = c + value`, `c += value`
    Add(Term),
    /// `c = c - value`, `c -= value`
    Subtract(Term),
    /// `c = value + c`
    Prepend(Term),
}

/// A DELETE statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// What is deleted; empty for whole rows.
    pub targets: Vec<DeleteTarget>,
    /// The name of the table.
    pub table: QualifiedName,
    /// `USING TIMESTAMP`; never a TTL.
    pub using: UsingClause,
    /// The relations of the WHERE clause.
    pub relations: Vec<Relation>,
    /// The IF clause.
    pub conditions: Conditions,
}

/// A column or part of one in DELETE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteTarget {
    /// The name of the column.
    pub column: Name,
    /// The part of the column.
    pub part: ColumnPart,
    /// Its position in the source.
    pub span: Span,
}

/// A BATCH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Logged, unlogged or counter.
    pub kind: BatchKind,
    /// `USING ...`
    pub using: UsingClause,
    /// The statements; each has its own span.
    pub statements: Vec<BatchStatement>,
}

/// The kinds of batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchKind {
    /// `BEGIN BATCH`
    Logged,
    /// `BEGIN UNLOGGED BATCH`
    Unlogged,
    /// `BEGIN COUNTER BATCH`
    Counter,
}

/// One statement of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchStatement {
    /// The kind of statement.
    pub kind: WriteKind,
    /// Its position in the source.
    pub span: Span,
}

/// The statements that a batch may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteKind {
    /// INSERT
    Insert(Insert),
    /// UPDATE
    Update(Update),
    /// DELETE
    Delete(Delete),
}
