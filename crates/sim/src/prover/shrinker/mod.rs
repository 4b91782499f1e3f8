//! Reduces a disagreement to a minimal one: fewer facts and fewer writes, run again from scratch
//! each time. The search removes chunks of halving size (as in delta debugging, ddmin), within a
//! budget.

mod integrity;

pub(crate) use self::integrity::has_integrity;

use crate::dataset::{Dataset, Row};
use crate::proof::{Disagreement, UnrepeatedDisagreement};
use crate::prover::case::{self, CaseOutcome, ProofCase};
use crate::prover::sides::DesignedSide;
use crate::server::Failure;
use crate::subject::{ProofProgress, ProofSettings, ProofSubject};
use crate::time_limit::TimeLimit;
use model::id::IdList;

/// The budget of rows and writes to run again: this factor times those of the case, plus the
/// minimum.
const RERUN_FACTOR: u64 = 20;
const RERUNS_MIN: u64 = 300_000;
/// The cost of each attempt besides its rows.
const TRY_COST: u64 = 50;

/// The search for a smaller case.
struct ShrinkSearch<'a, 's> {
    subject: ProofSubject<'a>,
    settings: &'s ProofSettings,
    time: TimeLimit<'s>,
    designed: DesignedSide<'s>,
    progress: &'s mut dyn FnMut(ProofProgress),
    /// The smallest case so far, and its disagreement.
    best: ProofCase,
    disagreement: Disagreement,
    /// The remaining budget.
    left: u64,
    budget: u64,
}

/// What became of a case when it was run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShrunkCase {
    /// The disagreement of the smallest case that shows it.
    Smallest(Box<Disagreement>),
    /// It occurred in the course of the proof, but does not from scratch: a fault of the proof.
    Unrepeated(UnrepeatedDisagreement),
}

/// Reduces a case, as far as budget and time allow.
pub(crate) fn shrink(
    subject: ProofSubject<'_>,
    settings: &ProofSettings,
    time: TimeLimit<'_>,
    case: ProofCase,
    mut designed: DesignedSide<'_>,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<ShrunkCase, Failure> {
    let disagreement = match case::run(subject, settings, &case, designed.reborrow())? {
        CaseOutcome::Disagreement(disagreement) => *disagreement,
        CaseOutcome::Agreement | CaseOutcome::Invalid => {
            return Ok(ShrunkCase::Unrepeated(describe_unrepeated(subject, settings, &case)));
        }
    };
    let rows: usize = case.data.rows.iter().map(Vec::len).sum();
    let budget = RERUNS_MIN + RERUN_FACTOR * (rows + case.writes.len()) as u64;
    let mut search = ShrinkSearch {
        subject,
        settings,
        time,
        designed: designed.reborrow(),
        progress,
        best: case,
        disagreement,
        left: budget,
        budget,
    };
    search.reduce_writes()?;
    search.reduce_facts()?;
    search.reduce_writes()?;
    Ok(ShrunkCase::Smallest(Box::new(search.disagreement)))
}

/// The description of a disagreement that could not be reproduced.
fn describe_unrepeated(
    subject: ProofSubject<'_>,
    settings: &ProofSettings,
    case: &ProofCase,
) -> UnrepeatedDisagreement {
    let read = match &case.question {
        case::ProofCheck::Read(at, _) => {
            subject.workload.reads.member(*at).map(|read| read.name.clone())
        }
        case::ProofCheck::Copies => None,
    };
    let error = case.error.clone();
    UnrepeatedDisagreement { read, seed: settings.seed, writes: case.writes.len(), error }
}

impl ShrinkSearch<'_, '_> {
    /// Accepts a case if it shows the same disagreement.
    fn try_case(&mut self, case: ProofCase) -> Result<bool, Failure> {
        let rows: usize = case.data.rows.iter().map(Vec::len).sum();
        let cost = (rows + case.writes.len()) as u64 + TRY_COST;
        let Some(left) = self.left.checked_sub(cost).filter(|_| !self.time.is_over()) else {
            return Ok(false);
        };
        self.left = left;
        let done = self.budget - left;
        (self.progress)(ProofProgress { stage: "shrinking", done, of: self.budget });
        if !has_integrity(self.subject.concept, &case.data.rows) {
            return Ok(false);
        }
        match case::run(self.subject, self.settings, &case, self.designed.reborrow())? {
            CaseOutcome::Disagreement(disagreement) if self.is_same(&disagreement) => {
                self.best = case;
                self.disagreement = *disagreement;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn is_same(&self, disagreement: &Disagreement) -> bool {
        let is_refusal = |disagreement: &Disagreement| disagreement.refused.is_some();
        is_refusal(disagreement) == is_refusal(&self.disagreement)
            && disagreement.table == self.disagreement.table
            && (disagreement.table.is_some() || disagreement.name == self.disagreement.name)
    }

    fn reduce_writes(&mut self) -> Result<(), Failure> {
        let mut chunk = self.best.writes.len();
        while chunk > 0 {
            let mut at = 0;
            while at < self.best.writes.len() {
                let mut case = self.best.clone();
                let end = (at + chunk).min(case.writes.len());
                case.writes.drain(at..end);
                if !self.try_case(case)? {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
        Ok(())
    }

    fn reduce_facts(&mut self) -> Result<(), Failure> {
        let mut chunk = self.best.data.rows.iter().map(Vec::len).sum::<usize>();
        while chunk > 0 {
            let mut at = 0;
            while at < self.best.data.rows.iter().map(Vec::len).sum() {
                let data = remove_rows(&self.best.data, at, chunk);
                let data = integrity::drop_dangling(self.subject.concept, data);
                if !self.try_case(ProofCase { data, ..self.best.clone() })? {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
        Ok(())
    }
}

/// Facts without some of their rows, counted over all entities.
fn remove_rows(data: &Dataset, from: usize, count: usize) -> Dataset {
    let mut position = 0;
    let mut keep = |_: &&Row| {
        position += 1;
        position <= from || position > from + count
    };
    let rows = data.rows.iter().map(|rows| rows.iter().filter(&mut keep).cloned().collect());
    Dataset { rows: rows.collect() }
}
