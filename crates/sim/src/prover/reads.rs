//! The stage of a proof that runs every read with many values.

use model::id::{IdList, ReadId};

use super::case::ProofCheck;
use super::driver::ProofDriver;
use super::sides::SideAnswers;
use crate::generator::{self, ArgumentKind, Arguments};
use crate::record::NotRunReason;
use crate::runner::STATEMENTS_MAX;
use crate::server::Failure;
use crate::subject::{ProofProgress, ProofSubject};

/// Times that a read must be run in each stage, if the stage has as many.
const BINDINGS_REQUIRED: usize = 10;

impl ProofDriver<'_, '_, '_> {
    /// Runs every read a number of times, in turns, until a share of the time is over.
    pub(super) fn check_reads(
        &mut self,
        times: usize,
        share: u32,
    ) -> Result<Option<ProofCheck>, Failure> {
        let required = times.min(BINDINGS_REQUIRED);
        for turn in 0..times {
            for at in self.subject.workload.reads.ids() {
                if self.is_stopped(at) {
                    continue;
                }
                let is_over = if turn < required {
                    self.time.is_over()
                } else {
                    self.time.is_share_over(share)
                };
                if is_over && turn < required {
                    self.stop_read(at, times.min(BINDINGS_REQUIRED));
                }
                if is_over {
                    continue;
                }
                if let Some(question) = self.check_read(at)? {
                    return Ok(Some(question));
                }
            }
            let (done, of) = (turn as u64 + 1, times as u64);
            (self.progress)(ProofProgress { stage: "reading", done, of });
        }
        Ok(None)
    }

    fn is_stopped(&self, at: ReadId) -> bool {
        self.reads.get(at.index()).is_none_or(|read| read.stopped.is_some())
    }

    /// Ends the runs of a read for lack of time.
    fn stop_read(&mut self, at: ReadId, required: usize) {
        if let Some(read) = self.reads.get_mut(at.index()) {
            let runs = read.counts.bindings;
            // Those of an earlier stage count, but do not suffice.
            let required = required.max(runs + 1);
            let limit = self.time.limit();
            read.stopped = Some(NotRunReason::TimeLimit { limit, runs, required });
        }
    }

    /// Runs a read once, with new values.
    fn check_read(&mut self, at: ReadId) -> Result<Option<ProofCheck>, Failure> {
        let ProofSubject { concept, workload, .. } = self.subject;
        let Arguments { values, kind } =
            generator::draw_read_arguments(concept, workload, at, &self.facts, &mut self.random);
        match self.sides.run_read(at, &values, false) {
            Ok(answers) if answers.verdict.agrees => {
                self.proof.bindings += 1;
                self.count_coverage(at, kind, &answers);
                Ok(None)
            }
            Ok(_) => Ok(Some(ProofCheck::Read(at, values))),
            Err(Failure::Refused(error)) => {
                Ok(Some(self.report_error(error, ProofCheck::Read(at, values))))
            }
            Err(Failure::Exhausted) => {
                if let Some(read) = self.reads.get_mut(at.index()) {
                    read.stopped = Some(NotRunReason::WorkLimit { statements: STATEMENTS_MAX });
                }
                Ok(None)
            }
            // The call does not count: a read that is never run makes the proof incomplete.
            Err(Failure::Unrepresentable(_)) => Ok(None),
            Err(gone @ Failure::Gone(_)) => Err(gone),
        }
    }

    /// Counts what a read exercised.
    fn count_coverage(&mut self, at: ReadId, kind: ArgumentKind, answers: &SideAnswers) {
        let is_absent = kind == ArgumentKind::Absent;
        let coverage = &mut self.proof.coverage;
        coverage.empty += usize::from(answers.expected.is_empty());
        coverage.absent_keys += usize::from(is_absent);
        coverage.hot_keys += usize::from(kind == ArgumentKind::Hot);
        coverage.range_edges += usize::from(kind == ArgumentKind::Edge);
        coverage.ties += usize::from(answers.verdict.ties);
        coverage.ties_cut += usize::from(answers.verdict.cut);
        let trace = &answers.trace;
        if trace.is_counted {
            let steps = coverage.steps.get_or_insert_default();
            steps.borders_crossed += usize::from(trace.borders > 0);
            steps.merges += usize::from(trace.merges > 0);
            steps.lookups += trace.lookups;
            if let Some(reading) = self.readings.get_mut(at.index()) {
                reading.add(trace);
            }
        }
        if let Some(read) = self.reads.get_mut(at.index()) {
            read.counts.bindings += 1;
            read.counts.absent += usize::from(is_absent);
        }
    }
}
