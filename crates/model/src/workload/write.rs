//! Writes of the workload.

use cql::Span;

use super::{Condition, Parameter, Returning, Value};
use crate::concept::Figure;
use crate::id::{AttributeId, EntityId, ReadId, ReferenceId, WriteId};

/// A write of the application: to one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Its name.
    pub name: String,
    /// Times per second.
    pub rate: Figure<f64>,
    /// The reads of the workflow that lead here.
    pub after: Vec<ReadId>,
    /// `@consistency`, in CQL's spelling.
    pub consistency: String,
    /// `@strict`: an absent key must fail, an existing one must not be overwritten.
    pub strict: bool,
    /// The entity.
    pub entity: EntityId,
    /// What is done.
    pub kind: WriteKind,
    /// RETURNING, where its rows are used.
    pub returning: Option<Returning>,
    /// Its parameters, in the order of the text (each `:name` and `$1` once).
    pub parameters: Vec<Parameter>,
    /// The SQL, as the file has it; the macros of sqlc are expanded.
    pub sql: String,
    /// Its name in the file.
    pub span: Span,
    /// What it is a part of, where no statement of the file names it but another write implies it.
    pub derived: Option<DerivedPart>,
    /// The derived writes that it runs, in their order.
    pub implies: Vec<WriteId>,
}

/// What a derived write is: a write that other writes consist of or imply. It has its own
/// parameters, of which the write that runs it makes the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DerivedPart {
    /// The rows of an entity that refer to a row that is deleted, or whose key changes, are deleted
    /// or changed.
    Referring {
        /// The entity whose rows refer.
        entity: EntityId,
        /// Its reference.
        reference: ReferenceId,
        /// The key changes; else the row is deleted.
        follows: bool,
    },
    /// A row whose key changes, and with it rows that refer to it, is inserted under the new key.
    MovedHere,
    /// It is deleted under the old key, once no row refers to it.
    MovedAway,
    /// The key is set to what it is: only the other columns change.
    NotMoved,
    /// An INSERT with ON CONFLICT finds no row.
    NewRow,
    /// An INSERT with ON CONFLICT finds a row.
    ExistingRow,
    /// One of the rows of an INSERT, counted from 0.
    Row(usize),
}

/// What a write does.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteKind {
    /// INSERT: attributes and their values.
    Insert(Vec<(AttributeId, Value)>),
    /// UPDATE: what is set, and where. Columns of the conditions have source 0.
    Update(Vec<Assignment>, Vec<Condition>),
    /// DELETE.
    Delete(Vec<Condition>),
    /// `INSERT ... ON CONFLICT`, where it is not the same as an INSERT: it consists of derived
    /// writes, one of which is run.
    Upsert(Upsert),
    /// INSERT of several rows, each an INSERT or an upsert: it consists of derived writes.
    Rows(Vec<Self>),
}

/// `INSERT ... ON CONFLICT`
#[derive(Clone, Debug, PartialEq)]
pub struct Upsert {
    /// Attributes and their values, of a new row.
    pub values: Vec<(AttributeId, Value)>,
    /// The keys by which a row may exist already: one of them, or all where the statement names
    /// none.
    pub keys: Vec<Vec<AttributeId>>,
    /// `DO UPDATE`: what is set in an existing row, and where; `None`: `DO NOTHING`.
    pub update: Option<(Vec<Assignment>, Vec<Condition>)>,
}

impl Write {
    /// Whether a statement of the file names it.
    pub const fn is_stated(&self) -> bool {
        self.derived.is_none()
    }

    /// The rows that it adds each time it runs, at most.
    pub fn row_rate(&self) -> f64 {
        match &self.kind {
            WriteKind::Insert(_) | WriteKind::Upsert(_) => 1.0,
            WriteKind::Rows(rows) => f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX)),
            WriteKind::Update(..) | WriteKind::Delete(_) => 0.0,
        }
    }
}

/// One assignment of an UPDATE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The attribute.
    pub attribute: AttributeId,
    /// What it becomes.
    pub value: AssignmentValue,
}

/// What an attribute becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignmentValue {
    /// `= value`
    Set(Value),
    /// `= NULL`
    Null,
    /// `= COALESCE(value, itself)`: null leaves it as it is.
    SetUnlessNull(Value),
    /// `= itself + value`
    Add(Value),
    /// `= itself - value`
    Subtract(Value),
    /// `array_append(itself, value)` or `itself || value`: adds an element.
    Append(Value),
    /// `array_remove(itself, value)`: removes the element.
    Remove(Value),
}
