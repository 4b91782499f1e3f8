//! The record of a proof: what the relational database was given and what it answered, so that
//! another database can be asked the same.

use cql::types::Type;
use model::id::{ReadId, WriteId};

use crate::dataset::{Datum, Row};

/// What a proof did in the relational database, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofTranscript {
    /// The facts at the beginning: the rows of each entity.
    pub facts: Vec<Vec<Row>>,
    /// The reads and writes.
    pub steps: Vec<TranscriptStep>,
    /// The rows of each entity at the end.
    pub contents: Vec<Vec<Row>>,
    /// The types of what each read returns.
    pub outputs: Vec<Vec<Type>>,
    /// The types of what each write returns; none where it returns nothing.
    pub returned: Vec<Vec<Type>>,
}

/// A read or a write of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptStep {
    /// A write.
    Write {
        /// Its position in the workload.
        write: WriteId,
        /// The values of its parameters, in the bytes of their types.
        values: Vec<Datum>,
        /// What it did.
        effect: WriteEffect,
        /// The rows that it returned, in no order.
        rows: Vec<Row>,
    },
    /// A read.
    Read {
        /// Its position in the workload.
        read: ReadId,
        /// The values of its parameters, in the bytes of their types.
        values: Vec<Datum>,
        /// The limit of its answer: 1 for `:one`.
        limit: Option<usize>,
        /// The rows without the limit, up to the end of the tie that it falls into.
        rows: Vec<TranscriptRow>,
    },
}

/// A row of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptRow {
    /// Equal for rows that are equal in the ORDER BY, and greater for later ones.
    pub rank: usize,
    /// Its outputs.
    pub values: Row,
}

/// What a write did in the relational database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteEffect {
    /// It affected this many rows.
    Rows(u64),
    /// It was refused because it violates a constraint.
    Violation,
}

impl WriteEffect {
    /// Whether it changed anything.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Rows(rows) if rows > 0)
    }
}
