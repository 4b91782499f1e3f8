//! Writes of the workload.

use cql::Span;

use super::{Condition, Parameter, Value};
use crate::concept::Figure;
use crate::id::{AttributeId, EntityId, ReadId};

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
    /// Its parameters, in the order of the text (each `:name` and `$1` once).
    pub parameters: Vec<Parameter>,
    /// The SQL, as the file has it.
    pub sql: String,
    /// Its name in the file.
    pub span: Span,
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
    /// `= itself + value`
    Add(Value),
    /// `= itself - value`
    Subtract(Value),
    /// `array_append(itself, value)` or `itself || value`: adds an element.
    Append(Value),
    /// `array_remove(itself, value)`: removes the element.
    Remove(Value),
}
