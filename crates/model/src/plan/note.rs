//! Notes about a design.

use cql::Span;

use super::Topic;
use crate::id::{EntityId, ReadId, TableId, WriteId};

/// A note about a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its kind.
    pub kind: NoteKind,
    /// Its subject.
    pub about: NoteSubject,
    /// The facts, from which its text is rendered.
    pub topic: Topic,
    /// The place in the model file, where there is one.
    pub span: Option<Span>,
}

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// The request is not met: a queue, a key under which rows collide, an infeasible bound.
    Refusal,
    /// It works but is likely to cause problems.
    Warning,
    /// An alternative, with its cost.
    Alternative,
    /// The design relies on this, and the file does not state it.
    Assumption,
}

/// The subject of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteSubject {
    /// The design as a whole.
    Design,
    /// An entity.
    Entity(EntityId),
    /// A read.
    Read(ReadId),
    /// A write.
    Write(WriteId),
    /// A table of the design.
    Table(TableId),
}
