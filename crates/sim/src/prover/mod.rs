//! The proof: reads and writes on both databases, compared.
//!
//! The tables are first filled from their own definitions (`load`), so that all of them have rows,
//! whatever writes there are. Then every read is run, writes are run in random order through the
//! plans, all copies are compared with the contents that the definitions derive from the facts
//! (`copies`), and every read is run again. `driver` runs the stages (`reads`, `writes`,
//! `violations`) on both `sides`, within a time limit and on a copy whose figures are scaled down (`scale`); a disagreement is a `case`, which `shrinker` reduces.

pub(crate) mod case;
pub(crate) mod copies;
mod driver;
mod load;
mod presumption;
mod reads;
mod scale;
mod shrinker;
pub(crate) mod sides;
#[cfg(test)]
mod tests;
mod violations;
mod writes;

use crate::proof::Proof;
use crate::runner::PlanRunner;
use crate::server::{Failure, Server};
use crate::statement_runner::RunnerFactory;
use crate::subject::{ProofProgress, ProofSettings, ProofSubject};
use crate::time_limit::TimeLimit;

use scale::ScaledDesign;
use shrinker::{ShrunkCase, shrink};
use sides::DesignedSide;

/// Interprets the plans of a design.
const INTERPRETER: &RunnerFactory<'static> = &|subject| Ok(Box::new(PlanRunner::new(subject)));

/// Proves a design on an empty server, or refutes it with a minimal counterexample.
pub fn prove(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<Proof, Failure> {
    prove_within(subject, settings, TimeLimit::none(), server, progress)
}

/// The same within a time limit: what is not reached by then makes the proof incomplete.
pub fn prove_within(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    time: TimeLimit<'_>,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<Proof, Failure> {
    prove_with_runner(subject, settings, time, server, INTERPRETER, progress)
}

/// The same where the statements are run by the runner that `factory` makes, such as code that was
/// generated from the design. The server is still filled and compared directly, so the runner must
/// be connected to it, also after it was cleared to run a smaller example.
pub fn prove_with_runner(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    time: TimeLimit<'_>,
    server: &mut dyn Server,
    factory: &RunnerFactory<'_>,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<Proof, Failure> {
    let scaled = ScaledDesign::new(subject);
    let original = subject;
    let subject = scaled.subject(subject);
    let mut runner = factory(subject)?;
    let mut designed = DesignedSide { server, runner: &mut *runner };
    let (mut proof, found) = driver::run(subject, &settings, time, designed.reborrow(), progress)?;
    if let Some(case) = found {
        match shrink(subject, &settings, time.renew(), case, designed, progress)? {
            ShrunkCase::Smallest(disagreement) => proof.disagreement = Some(*disagreement),
            ShrunkCase::Unrepeated(fault) => proof.fault = Some(fault),
        }
    }
    drop(runner);
    scaled.report(original, &mut proof);
    Ok(proof)
}

/// Tries to refute a design on an empty server, and returns whether it did; no counterexample is
/// made.
pub fn refute(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Result<bool, Failure> {
    let scaled = ScaledDesign::new(subject);
    let (subject, none) = (scaled.subject(subject), TimeLimit::none());
    let designed = DesignedSide { server, runner: &mut PlanRunner::new(subject) };
    let (_, found) = driver::run(subject, &settings, none, designed, &mut |_| {})?;
    Ok(found.is_some())
}

/// Fills an empty server with the facts of a design and runs its writes through their plans, without
/// scaling anything down. Returns the rows of the facts and the writes that were run.
pub fn populate(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Result<(u64, usize), Failure> {
    let settings = ProofSettings { bindings: 0, ..settings };
    let designed = DesignedSide { server, runner: &mut PlanRunner::new(subject) };
    let (proof, found) = driver::run(subject, &settings, TimeLimit::none(), designed, &mut |_| {})?;
    match found {
        None => Ok((proof.rows, proof.written)),
        Some(_) => Err(Failure::Refused("the plans and the relational database differ".to_owned())),
    }
}
