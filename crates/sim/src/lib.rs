//! The future: generated data and writes on designed tables, beside a relational database that has
//! the same facts.
//!
//! [`prove`] fills a relational model (`generate`), keeps it in a relational database
//! (`relational`) and in the designed tables of a [`Server`]: filled from their definitions
//! (`contents`), then changed through the design's own write paths (`run`). Every read is asked of
//! both, and the answers must agree (`compare`); where they do not, the example is made as small as
//! it can be (`prove::shrink`).

mod comparer;
mod contents;
mod dataset;
mod generator;
mod memory_server;
mod mutant;
mod proof;
mod prover;
mod relational;
mod runner;
mod server;
mod statistics;
mod subject;
mod value;

pub use memory_server::MemoryServer;
pub use mutant::{Mutant, build_mutants};
pub use proof::{Coverage, Disagreement, FigureMeasure, Proof, ReadMeasure, TableMeasure};
pub use prover::{prove, refute};
pub use server::{Answer, Failure, Server, ServerStatement};
pub use subject::{ProofProgress, ProofSettings, ProofSubject};
