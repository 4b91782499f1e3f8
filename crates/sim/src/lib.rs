//! The proof of a design: generated data and writes on the designed tables, compared with a
//! relational database that has the same facts.
//!
//! [`prove`] generates facts (`generator`) and stores them in a relational database (`relational`)
//! and in the designed tables of a [`Server`]: filled from their definitions (`contents`), then
//! changed through the write plans of the design by a [`StatementRunner`]: their interpreter
//! (`runner`), or code that was generated from them. Every read is run on both, and the
//! results must agree (`comparer`); a counterexample is reduced to a minimal one
//! (`prover::shrinker`). `mutant` makes wrong designs, to test that the proof refutes them.
//! [`RowDerivation`] derives the rows of a table for others that compare stored tables.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod comparer;
mod contents;
mod dataset;
mod generator;
mod memory_server;
mod mutant;
mod proof;
mod prover;
mod record;
mod relational;
mod row_derivation;
mod runner;
mod server;
mod statement_runner;
mod statistics;
mod subject;
mod time_limit;
mod transcript;
mod value;
mod write_run;

pub use dataset::{Datum, Row};
pub use memory_server::MemoryServer;
pub use mutant::{Mutant, build_mutants};
pub use proof::{
    Coverage, Disagreement, FigureMeasure, Proof, ProofOutcome, ReadMeasure, ScaledFigure,
    StepCoverage, TableMeasure, UnrepeatedDisagreement,
};
pub use prover::{populate, prove, prove_with_runner, prove_within, refute};
pub use record::{DrawObstacle, NotRunReason, RunCounts, StatementRecord, StatementRun};
pub use row_derivation::{
    DerivedRow, RowDerivation, convert_value, end_timestamp, is_end_beyond, normalise_value,
    to_whole_number,
};
pub use runner::PlanRunner;
pub use server::{Answer, Failure, Server, ServerStatement};
pub use statement_runner::{
    RunContext, RunTrace, RunnerFactory, StatementRunner, WriteOutcome, WriteRun,
};
pub use subject::{ProofProgress, ProofSettings, ProofSubject};
pub use time_limit::TimeLimit;
pub use transcript::{ProofTranscript, TranscriptRow, TranscriptStep, WriteEffect};
pub use write_run::run_write;
