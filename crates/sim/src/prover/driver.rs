//! Runs a proof, up to the first disagreement.

use model::id::{IdList, TableId, WriteId};
use model::plan::{Design, Note, NoteKind, NoteSubject};

use super::case::{ProofCase, ProofCheck};
use super::sides::{DesignedSide, ProofSides};
use crate::contents::TableContents;
use crate::dataset::{Dataset, Datum};
use crate::generator::{self, Facts, Random};
use crate::proof::Proof;
use crate::record::{DrawObstacle, NotRunReason, RunCounts, StatementRecord, StatementRun};
use crate::server::Failure;
use crate::statistics::{self, ReadStatistics};
use crate::subject::{ProofProgress, ProofSettings, ProofSubject};
use crate::time_limit::TimeLimit;

/// Times that a write must have changed rows.
const CHANGES_REQUIRED: usize = 5;
/// Times that a write must have been run with a key that does not exist, where it may be.
const ABSENT_REQUIRED: usize = 2;

/// The state of a proof.
pub(super) struct ProofDriver<'a, 's, 'p> {
    pub(super) subject: ProofSubject<'a>,
    pub(super) settings: &'p ProofSettings,
    pub(super) time: TimeLimit<'p>,
    pub(super) sides: ProofSides<'a, 's>,
    pub(super) data: Dataset,
    pub(super) facts: Facts,
    pub(super) random: Random,
    pub(super) written: Vec<(WriteId, Vec<Datum>, bool)>,
    /// The error with which the disagreement began, where it is one.
    pub(super) error: Option<String>,
    pub(super) readings: Vec<ReadStatistics>,
    pub(super) reads: Vec<StatementProgress>,
    pub(super) writes: Vec<StatementProgress>,
    pub(super) proof: Proof,
    pub(super) progress: &'p mut dyn FnMut(ProofProgress),
}

/// How far a statement of the workload has got.
#[derive(Clone, Debug, Default)]
pub(super) struct StatementProgress {
    pub(super) counts: RunCounts,
    /// Why it is not run any more.
    pub(super) stopped: Option<NotRunReason>,
    /// Why no values were found the last time.
    pub(super) obstacle: Option<DrawObstacle>,
    /// Times in a row that no values were found.
    pub(super) failures: usize,
    /// Whether it is also to be run with keys that do not exist.
    pub(super) tries_absent: bool,
    /// The constraints for which no values that violate them were found.
    pub(super) untried: Vec<String>,
}

impl StatementProgress {
    /// Whether a write was run often enough.
    pub(super) fn is_satisfied(&self) -> bool {
        self.counts.changes >= CHANGES_REQUIRED && !self.has_absent_open()
    }

    /// Whether a key that does not exist is still to be tried.
    pub(super) fn has_absent_open(&self) -> bool {
        self.tries_absent && self.counts.absent < ABSENT_REQUIRED
    }

    /// The record of a read.
    fn read_record(self, name: &str) -> StatementRecord {
        let run = match self.stopped {
            Some(reason) => StatementRun::NotRun(reason),
            None if self.counts.bindings == 0 => StatementRun::NotRun(NotRunReason::Ended),
            None => StatementRun::Run(self.counts),
        };
        StatementRecord { name: name.to_owned(), run, untried: Vec::new() }
    }

    /// The record of a write.
    fn write_record(self, name: &str) -> StatementRecord {
        let RunCounts { bindings, changes, .. } = self.counts;
        let reason = match (self.stopped, self.obstacle) {
            (Some(reason), _) => Some(reason),
            (None, Some(obstacle)) if changes == 0 => Some(NotRunReason::NoValues(obstacle)),
            (None, _) if bindings == 0 => Some(NotRunReason::Ended),
            (None, _) if changes < CHANGES_REQUIRED => {
                Some(NotRunReason::Unchanged { runs: bindings, changes })
            }
            (None, _) if self.tries_absent && self.counts.absent == 0 => {
                Some(NotRunReason::NoAbsentKey)
            }
            (None, _) => None,
        };
        let run = reason.map_or(StatementRun::Run(self.counts), StatementRun::NotRun);
        StatementRecord { name: name.to_owned(), run, untried: self.untried }
    }
}

/// Runs a proof; returns its result and the case of a disagreement.
pub(super) fn run(
    subject: ProofSubject<'_>,
    settings: &ProofSettings,
    time: TimeLimit<'_>,
    designed: DesignedSide<'_>,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<(Proof, Option<ProofCase>), Failure> {
    progress(ProofProgress { stage: "generating", done: 0, of: settings.rows });
    let data =
        generator::generate_dataset(subject.concept, subject.workload, subject.design, settings);
    let rows = data.rows.iter().map(|rows| rows.len() as u64).sum();
    let tables = subject.design.tables.len() as u64;
    let mut proof = Proof::begin(rows);
    let mut filled = |table: TableId, contents: &TableContents| {
        statistics::measure_table(&mut proof, subject, table, contents);
        progress(ProofProgress { stage: "loading", done: table.index() as u64 + 1, of: tables });
    };
    let sides = match ProofSides::new(subject, settings, &data, designed, &mut filled) {
        Ok(sides) => sides,
        Err(Failure::Refused(error)) => {
            let (writes, question) = (Vec::new(), ProofCheck::Copies);
            let case = ProofCase { data, writes, question, error: Some(error) };
            return Ok((proof, Some(case)));
        }
        Err(gone) => return Err(gone),
    };
    let workload = subject.workload;
    let mut driver = ProofDriver {
        subject,
        settings,
        time,
        sides,
        facts: Facts::new(subject.concept, workload, subject.design, settings, &data),
        data,
        random: Random::new(settings.seed ^ 0x5eed),
        written: Vec::new(),
        error: None,
        readings: vec![ReadStatistics::default(); workload.reads.len()],
        reads: vec![StatementProgress::default(); workload.reads.len()],
        writes: vec![StatementProgress::default(); workload.list_stated_writes().len()],
        proof,
        progress,
    };
    driver.exclude_refused();
    let question = driver.run_stages()?;
    driver.proof.transcript = driver.sides.finish_transcript()?;
    let ProofDriver { mut proof, data, written, error, reads, writes, .. } = driver;
    let reads = workload.reads.iter().zip(reads);
    proof.reads = reads.map(|(read, progress)| progress.read_record(&read.name)).collect();
    let writes = workload.list_stated_writes().iter().zip(writes);
    proof.writes = writes.map(|(write, progress)| progress.write_record(&write.name)).collect();
    let case = question.map(|question| ProofCase { data, writes: written, question, error });
    Ok((proof, case))
}

impl ProofDriver<'_, '_, '_> {
    /// A disagreement that began with an error.
    pub(super) fn report_error(&mut self, error: String, question: ProofCheck) -> ProofCheck {
        self.error = Some(error);
        question
    }

    /// Stops the statements that the design refuses: they have no plan.
    fn exclude_refused(&mut self) {
        let design = self.subject.design;
        for (at, read) in self.subject.workload.reads.ids().zip(&mut self.reads) {
            if design.reads.member(at).is_none_or(|plan| plan.steps.is_empty()) {
                read.stopped = Some(NotRunReason::Refused);
            }
        }
        for (at, write) in self.subject.workload.writes.ids().zip(&mut self.writes) {
            // An empty plan is run too: it must have nothing to keep.
            if design.writes.member(at).is_none() || is_write_refused(design, at) {
                write.stopped = Some(NotRunReason::Refused);
            }
        }
    }

    /// Runs all stages, up to the first disagreement.
    fn run_stages(&mut self) -> Result<Option<ProofCheck>, Failure> {
        let has_writes = !self.writes.is_empty() && self.settings.writes > 0;
        let first = if has_writes { self.settings.bindings / 2 } else { self.settings.bindings };
        let share = if has_writes { 40 } else { 100 };
        if let Some(question) = self.check_reads(first, share)? {
            return Ok(Some(question));
        }
        if has_writes {
            if let Some(question) = self.run_writes()? {
                return Ok(Some(question));
            }
            if let Some(question) = self.check_reads(self.settings.bindings - first, 100)? {
                return Ok(Some(question));
            }
        }
        statistics::measure_reads(&mut self.proof, self.subject, &self.readings);
        Ok(None)
    }
}

/// Whether the design refuses a write.
fn is_write_refused(design: &Design, at: WriteId) -> bool {
    let is_refusal = |note: &Note| note.kind == NoteKind::Refusal;
    design.notes.iter().any(|note| is_refusal(note) && note.about == NoteSubject::Write(at))
}
