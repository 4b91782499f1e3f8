//! The subject and the settings of a proof.

use model::concept::Concept;
use model::plan::Design;
use model::workload::Workload;

/// The design to prove, with its concept and workload.
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

/// The settings of a proof.
#[derive(Clone, Copy, Debug)]
pub struct ProofSettings {
    /// The seed: the same one gives the same data and the same values.
    pub seed: u64,
    /// The approximate number of rows of the relational database.
    pub rows: u64,
    /// Times that each read is run, at least.
    pub bindings: usize,
    /// Times that writes are run, in total, at least.
    pub writes: usize,
    /// Times that writes are run for each write of the workload, on average, at least.
    pub runs_each: usize,
    /// The simulated current time: microseconds since 1970.
    pub now_micros: i64,
    /// Whether the proof keeps a transcript of what it did in the relational database.
    pub keeps_transcript: bool,
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug)]
pub struct ProofProgress {
    /// The current stage.
    pub stage: &'static str,
    /// The completed units of the stage.
    pub done: u64,
    /// All units of the stage.
    pub of: u64,
}

impl ProofSettings {
    /// Few rows and runs: where each run is a call of another process.
    pub const fn with_few_runs() -> Self {
        Self { rows: 400, bindings: 24, writes: 60, runs_each: 8, ..Self::STANDARD }
    }

    /// The usual size, which takes about a second in memory.
    const STANDARD: Self = Self {
        seed: 1,
        rows: 2_000,
        bindings: 100,
        writes: 500,
        runs_each: 20,
        now_micros: 1_767_225_600_000_000,
        keeps_transcript: false,
    };
}

impl Default for ProofSettings {
    fn default() -> Self {
        Self::STANDARD
    }
}
