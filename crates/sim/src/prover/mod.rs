//! The proof: reads and writes on both databases, compared.
//!
//! The tables are first filled from their own definitions (`load`), so that all of them have rows,
//! whatever writes there are. Then every read is run, writes are run in random order through the
//! plans, all copies are compared with the contents that the definitions derive from the facts
//! (`copies`), and every read is run again. `driver` runs the stages on both `sides`; a
//! disagreement is a `case`, which `shrinker` reduces.

pub(crate) mod case;
pub(crate) mod copies;
mod driver;
mod load;
mod shrinker;
pub(crate) mod sides;
#[cfg(test)]
mod tests;

use crate::proof::Proof;
use crate::server::{Failure, Server};
use crate::subject::{ProofProgress, ProofSettings, ProofSubject};

use shrinker::shrink;

/// Proves a design on an empty server, or refutes it with a minimal counterexample.
pub fn prove(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<Proof, Failure> {
    let (mut proof, found) = driver::run(subject, &settings, server, progress)?;
    if let Some(case) = found {
        proof.disagreement = Some(shrink(subject, &settings, case, server, progress)?);
    }
    Ok(proof)
}

/// Tries to refute a design on an empty server, and returns whether it did; no counterexample is
/// made.
pub fn refute(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Result<bool, Failure> {
    let (_, found) = driver::run(subject, &settings, server, &mut |_| {})?;
    Ok(found.is_some())
}
