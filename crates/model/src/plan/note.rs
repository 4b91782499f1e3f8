//! What is to be said about a design.

use cql::Span;

use super::Topic;
use crate::id::{EntityId, ReadId, TableId, WriteId};

/// Something to be said.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// How it is meant.
    pub kind: NoteKind,
    /// What it speaks of.
    pub about: NoteSubject,
    /// What it says.
    pub topic: Topic,
    /// The place in the model file, where there is one.
    pub span: Option<Span>,
}

/// How a note is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// It is not designed as asked: a queue, a key under which rows collide, a bound that cannot be met.
    Refusal,
    /// It works and is likely to hurt.
    Warning,
    /// There is another way, with its price.
    Alternative,
    /// The design stands on this, and nobody said it.
    Assumption,
}

/// What a note speaks of.
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
