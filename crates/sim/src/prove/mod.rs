//! The proof: reads and writes on both sides, compared.
//!
//! The tables are first filled from their own definitions (`load`), so that all of them have rows, whatever writes there are.
//! Then every read is asked, writes are done in random order through the plans, all copies are compared with what the
//! definitions make of the facts after them (`copies`), and every read is asked again.

pub(crate) mod case;
pub(crate) mod copies;
mod driver;
mod load;
pub(crate) mod sides;
#[cfg(test)]
mod tests;

use model::concept::Concept;
use model::plan::Design;
use model::workload::Workload;

use crate::proof::Proof;
use crate::server::{Failure, Server};
use crate::shrink::shrink;

/// What is to be proven.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The data.
    pub concept: &'a Concept,
    /// The reads and writes.
    pub workload: &'a Workload,
    /// The design.
    pub design: &'a Design,
    /// Its types and tables as CQL, in the order they are created, unqualified. The server is in an empty keyspace.
    pub schema: &'a [String],
}

/// How it is to be proven.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
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
pub struct Progress {
    /// What is being done.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// Of how much.
    pub of: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, rows: 2_000, bindings: 100, writes: 500, now_micros: 1_767_225_600_000_000 }
    }
}

/// Proves a design on an empty server, or finds where it is wrong; the example is then made as small as it can be.
pub fn prove(
    subject: Subject<'_>,
    settings: Settings,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(Progress),
) -> Result<Proof, Failure> {
    let (mut proof, found) = driver::run(subject, &settings, server, progress)?;
    if let Some(case) = found {
        proof.disagreement = Some(shrink(subject, &settings, case, server, progress)?);
    }
    Ok(proof)
}

/// Whether a design is found to be wrong on an empty server; the example is not made smaller.
pub fn is_refuted(
    subject: Subject<'_>,
    settings: Settings,
    server: &mut dyn Server,
) -> Result<bool, Failure> {
    let (_, found) = driver::run(subject, &settings, server, &mut |_| {})?;
    Ok(found.is_some())
}
