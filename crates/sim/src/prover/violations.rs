//! The stage of a proof that runs the writes with values that violate their constraints.
//!
//! What the relational database refuses, the design must refuse, unless a precondition of the write
//! excludes that very constraint. A constraint for which no values are found is recorded.

use model::concept::Constraint;
use model::id::{IdList, WriteId};
use model::plan::Precondition;

use super::case::ProofCheck;
use super::driver::ProofDriver;
use crate::dataset::Datum;
use crate::generator::{self, Random};
use crate::server::Failure;
use crate::statement_runner::RunTrace;
use crate::subject::ProofSubject;

/// The share of the time after which no more violations are tried, in percent.
const TIME_SHARE: u32 = 85;

impl ProofDriver<'_, '_, '_> {
    /// Runs every write with values that violate each of its constraints: neither side may change.
    pub(super) fn run_violations(&mut self) -> Result<Option<ProofCheck>, Failure> {
        let ProofSubject { concept, workload, design, .. } = self.subject;
        let mut random = Random::new(self.settings.seed ^ 0x0071_01a7);
        for at in workload.list_stated_writes().ids() {
            let is_stopped = self.writes.get(at.index()).is_none_or(|it| it.stopped.is_some());
            let Some(write) = workload.writes.member(at).filter(|_| !is_stopped) else { continue };
            let preconditions = design.list_preconditions(at);
            for constraint in generator::list_constraints(concept, write) {
                if preconditions.iter().any(|it| it.has_constraint(constraint)) {
                    continue;
                }
                let place = (at, constraint);
                if let Some(check) = self.run_violation(place, &preconditions, &mut random)? {
                    return Ok(Some(check));
                }
            }
        }
        Ok(None)
    }

    /// Runs a write with values that violate one constraint, or records that there are none.
    fn run_violation(
        &mut self,
        (at, constraint): (WriteId, Constraint),
        preconditions: &[&Precondition],
        random: &mut Random,
    ) -> Result<Option<ProofCheck>, Failure> {
        let ProofSubject { concept, workload, .. } = self.subject;
        let mut drawn = Vec::new();
        if !self.time.is_share_over(TIME_SHARE) {
            let wanted = (constraint, preconditions);
            drawn = generator::draw_violations(concept, workload, at, wanted, &self.facts, random);
        }
        let mut runs = 0;
        for values in drawn {
            if !self.sides.is_refused(at, &values)? {
                continue;
            }
            runs += 1;
            if let Some(check) = self.run_refused(at, values)? {
                return Ok(Some(check));
            }
        }
        self.proof.coverage.violations += runs;
        if let Some(progress) = self.writes.get_mut(at.index()) {
            progress.counts.violations += runs;
            progress.untried.extend((runs == 0).then(|| constraint.describe(concept)));
        }
        Ok(None)
    }

    /// Runs a write that the relational database refuses on the designed tables.
    fn run_refused(
        &mut self,
        at: WriteId,
        values: Vec<Datum>,
    ) -> Result<Option<ProofCheck>, Failure> {
        let expected = self.sides.write_facts(at, &values)?;
        let done = self.sides.write_tables(at, &values, &mut RunTrace::default());
        self.written.push((at, values, expected.effect.is_change()));
        match done {
            Ok(got) if self.sides.is_same_return(at, &expected, &got) => Ok(None),
            Ok(_) | Err(Failure::Exhausted) => Ok(Some(ProofCheck::Copies)),
            Err(Failure::Refused(error) | Failure::Unrepresentable(error)) => {
                Ok(Some(self.report_error(error, ProofCheck::Copies)))
            }
            Err(gone @ Failure::Gone(_)) => Err(gone),
        }
    }
}
