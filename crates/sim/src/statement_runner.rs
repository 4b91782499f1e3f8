//! The seam between a proof and what runs the statements of the design: the interpreter of its
//! plans ([`crate::PlanRunner`]), or code that was generated from them.

use std::fmt;

use model::id::{ReadId, WriteId};

use crate::dataset::{Datum, Row};
use crate::server::{Failure, Server};
use crate::subject::ProofSubject;

/// When and where a statement is run, and what is recorded about it.
pub struct RunContext<'r> {
    /// The current time of the proof: microseconds since 1970.
    pub now_micros: i64,
    /// The server with the designed tables. A runner with a connection of its own ignores it.
    pub server: &'r mut dyn Server,
    /// The record of the run, which only the interpreter of plans fills in.
    pub trace: &'r mut RunTrace,
}

/// The statements sent by a run, and counts of what it exercised.
#[derive(Clone, Debug, Default)]
pub struct RunTrace {
    /// Whether statements are recorded.
    pub(crate) keeps: bool,
    /// Whether the runner fills in the counts: generated code does not tell what it does.
    pub(crate) is_counted: bool,
    /// The statements, in the order sent, with their values in place of their markers.
    pub(crate) statements: Vec<String>,
    /// Partitions read.
    pub(crate) partitions: u64,
    /// Rows read.
    pub(crate) rows: u64,
    /// Walks that continued to a second bucket.
    pub(crate) borders: usize,
    /// Merges of at least two streams with rows.
    pub(crate) merges: usize,
    /// Lookups for a row.
    pub(crate) lookups: usize,
}

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It was applied.
    Applied,
    /// A condition did not hold: nothing was changed, or it was undone.
    Refused,
    /// A value is not allowed, or a key is taken: nothing was changed, or it was undone. SQL refuses
    /// the whole statement, also where a part of it or a reference violates the constraint.
    Violation,
    /// A condition did not hold after statements that cannot be undone were applied.
    Interrupted,
}

impl fmt::Display for WriteOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Applied => "applied",
            Self::Refused => "refused",
            Self::Violation => "violation",
            Self::Interrupted => "interrupted",
        })
    }
}

/// What a write did on the designed tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRun {
    /// The outcome.
    pub outcome: WriteOutcome,
    /// The rows that it returned, each value in the bytes of its type.
    pub rows: Vec<Row>,
}

/// Runs the reads and writes of a design.
pub trait StatementRunner {
    /// The result of a read: of each row its outputs, in the bytes of their types.
    fn run_read(
        &mut self,
        read: ReadId,
        values: &[Datum],
        context: RunContext<'_>,
    ) -> Result<Vec<Row>, Failure>;

    /// Runs a write that the model file states.
    fn run_write(
        &mut self,
        write: WriteId,
        values: &[Datum],
        context: RunContext<'_>,
    ) -> Result<WriteRun, Failure>;
}

/// Makes the runner of a proof. It is called once, with the subject as it is proven: a copy of the
/// design whose figures may be scaled down. Time that it takes counts towards the limit of a proof,
/// unless the clock of the caller is started by it.
pub type RunnerFactory<'f> =
    dyn for<'a> Fn(ProofSubject<'a>) -> Result<Box<dyn StatementRunner + 'a>, Failure> + 'f;
