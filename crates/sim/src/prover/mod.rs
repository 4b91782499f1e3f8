//! The proof: reads and writes on both sides, compared.
//!
//! The tables are first filled from their own definitions (`load`), so that all of them have rows,
//! whatever writes there are. Then every read is asked, writes are done in random order through the
//! plans, all copies are compared with what the definitions make of the facts after them
//! (`copies`), and every read is asked again.

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

/// Proves a design on an empty server, or finds where it is wrong; the example is then made as
/// small as it can be.
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

/// Whether a design is found to be wrong on an empty server; the example is not made smaller.
pub fn refute(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Result<bool, Failure> {
    let (_, found) = driver::run(subject, &settings, server, &mut |_| {})?;
    Ok(found.is_some())
}
