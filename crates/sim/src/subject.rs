//! What is to be proven, and how.

use model::concept::Concept;
use model::plan::Design;
use model::workload::Workload;

/// What is to be proven.
#[derive(Clone, Copy, Debug)]
pub struct ProofSubject<'a> {
    /// The data.
    pub concept: &'a Concept,
    /// The reads and writes.
    pub workload: &'a Workload,
    /// The design.
    pub design: &'a Design,
    /// Its types and tables as CQL, in the order they are created, unqualified. The server is in an
    /// empty keyspace.
    pub schema: &'a [String],
}

/// How it is to be proven.
#[derive(Clone, Copy, Debug)]
pub struct ProofSettings {
    /// The same seed makes the same data and the same questions.
    pub seed: u64,
    /// Rows of the relational side, about.
    pub rows: u64,
    /// Times that each read is run, at least.
    pub bindings: usize,
    /// Times that writes are run, in all.
    pub writes: usize,
    /// The time at which it takes place: microseconds since 1970.
    pub now_micros: i64,
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub struct ProofProgress {
    /// What is being done.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// Of how much.
    pub of: u64,
}

impl Default for ProofSettings {
    fn default() -> Self {
        Self { seed: 1, rows: 2_000, bindings: 100, writes: 500, now_micros: 1_767_225_600_000_000 }
    }
}
