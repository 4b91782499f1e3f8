//! Single runs of the writes of a design, to load its tables the way an application does.

use model::id::WriteId;

use crate::dataset::Datum;
use crate::runner::PlanRunner;
use crate::server::{Failure, Server};
use crate::statement_runner::{RunContext, RunTrace, StatementRunner};
use crate::subject::ProofSubject;

/// Runs a write at this time, with these values of its parameters, by its plan.
pub fn run_write(
    subject: ProofSubject<'_>,
    write: WriteId,
    values: &[Datum],
    now_micros: i64,
    server: &mut dyn Server,
) -> Result<(), Failure> {
    let context = RunContext { now_micros, server, trace: &mut RunTrace::default() };
    PlanRunner::new(subject).run_write(write, values, context).map(|_| ())
}
