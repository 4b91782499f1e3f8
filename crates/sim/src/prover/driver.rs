//! Runs a proof, up to the first disagreement.

use model::id::{AttributeId, IdList, ReadId, TableId, WriteId};
use model::plan::{Derivation, PlannedTable};
use model::workload::{AssignmentValue, Comparison, Predicate, Write, WriteKind};

use super::case::{ProofCase, ProofCheck};
use super::sides::{ProofSides, SideAnswers};
use crate::contents::TableContents;
use crate::dataset::{Dataset, Datum};
use crate::generator::{self, ArgumentKind, Arguments, Facts, Random};
use crate::proof::Proof;
use crate::runner::{RunTrace, WriteOutcome};
use crate::server::{Failure, Server};
use crate::statistics::{self, ReadStatistics};
use crate::subject::{ProofProgress, ProofSettings, ProofSubject};

/// The comparisons of all copies while writes are run; with more rows than [`ROWS_FEW`] only at the
/// end.
const COPY_COMPARISONS: usize = 10;
/// The most rows of the relational database that are cheap to compare repeatedly.
const ROWS_FEW: u64 = 20_000;
/// Attempts for each write: not every write is possible with the current facts.
const TRIES_PER_WRITE: usize = 5;

/// The state of a proof.
struct ProofDriver<'a, 's, 'p> {
    subject: ProofSubject<'a>,
    settings: &'p ProofSettings,
    sides: ProofSides<'a, 's>,
    data: Dataset,
    facts: Facts,
    random: Random,
    written: Vec<(WriteId, Vec<Datum>, bool)>,
    readings: Vec<ReadStatistics>,
    proof: Proof,
    progress: &'p mut dyn FnMut(ProofProgress),
}

/// Runs a proof; returns its result and the case of a disagreement.
pub(super) fn run(
    subject: ProofSubject<'_>,
    settings: &ProofSettings,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(ProofProgress),
) -> Result<(Proof, Option<ProofCase>), Failure> {
    progress(ProofProgress { stage: "generating", done: 0, of: settings.rows });
    let data =
        generator::generate_dataset(subject.concept, subject.workload, subject.design, settings);
    let rows = data.rows.iter().map(|rows| rows.len() as u64).sum();
    let tables = subject.design.tables.len() as u64;
    let mut proof = Proof { rows, ..Proof::default() };
    let mut filled = |table: TableId, contents: &TableContents| {
        statistics::measure_table(&mut proof, subject, table, contents);
        progress(ProofProgress { stage: "loading", done: table.index() as u64 + 1, of: tables });
    };
    let sides = match ProofSides::new(subject, settings, &data, server, &mut filled) {
        Ok(sides) => sides,
        Err(Failure::Refused(_)) => {
            let case = ProofCase { data, writes: Vec::new(), question: ProofCheck::Copies };
            return Ok((proof, Some(case)));
        }
        Err(gone) => return Err(gone),
    };
    let mut driver = ProofDriver {
        subject,
        settings,
        sides,
        facts: Facts::new(subject.concept, subject.workload, subject.design, settings, &data),
        data,
        random: Random::new(settings.seed ^ 0x5eed),
        written: Vec::new(),
        readings: vec![ReadStatistics::default(); subject.workload.reads.len()],
        proof,
        progress,
    };
    let question = driver.run_stages()?;
    driver.proof.transcript = driver.sides.finish_transcript()?;
    let ProofDriver { proof, data, written, .. } = driver;
    let case = question.map(|question| ProofCase { data, writes: written, question });
    Ok((proof, case))
}

impl ProofDriver<'_, '_, '_> {
    /// Runs all stages, up to the first disagreement.
    fn run_stages(&mut self) -> Result<Option<ProofCheck>, Failure> {
        let has_writes = !self.subject.workload.writes.is_empty() && self.settings.writes > 0;
        let first = if has_writes { self.settings.bindings / 2 } else { self.settings.bindings };
        if let Some(question) = self.check_reads(first)? {
            return Ok(Some(question));
        }
        if has_writes {
            if let Some(question) = self.run_writes()? {
                return Ok(Some(question));
            }
            if let Some(question) = self.check_reads(self.settings.bindings - first)? {
                return Ok(Some(question));
            }
        }
        statistics::measure_reads(&mut self.proof, self.subject, &self.readings);
        Ok(None)
    }

    /// Runs every read a number of times.
    fn check_reads(&mut self, times: usize) -> Result<Option<ProofCheck>, Failure> {
        let plans = &self.subject.design.reads;
        let planned = plans.iter().filter(|plan| !plan.steps.is_empty()).count();
        self.proof.reads = planned;
        self.proof.refused = self.subject.workload.reads.len() - planned.min(plans.len());
        let mut done = 0;
        for (at, plan) in plans.enumerate_ids() {
            if plan.steps.is_empty() {
                continue;
            }
            for _ in 0..times {
                if let Some(question) = self.check_read(at)? {
                    return Ok(Some(question));
                }
            }
            done += 1;
            (self.progress)(ProofProgress { stage: "reading", done, of: planned as u64 });
        }
        Ok(None)
    }

    /// Runs a read once, with new values.
    fn check_read(&mut self, at: ReadId) -> Result<Option<ProofCheck>, Failure> {
        let ProofSubject { concept, workload, .. } = self.subject;
        let Arguments { values, kind } =
            generator::draw_read_arguments(concept, workload, at, &self.facts, &mut self.random);
        self.proof.bindings += 1;
        match self.sides.run_read(at, &values, false) {
            Ok(answers) if answers.verdict.agrees => {
                self.count_coverage(at, kind, &answers);
                Ok(None)
            }
            Ok(_) | Err(Failure::Refused(_)) => Ok(Some(ProofCheck::Read(at, values))),
            Err(gone) => Err(gone),
        }
    }

    /// Counts what a read exercised.
    fn count_coverage(&mut self, at: ReadId, kind: ArgumentKind, answers: &SideAnswers) {
        let coverage = &mut self.proof.coverage;
        coverage.empty += usize::from(answers.expected.is_empty());
        coverage.absent_keys += usize::from(kind == ArgumentKind::Absent);
        coverage.hot_keys += usize::from(kind == ArgumentKind::Hot);
        coverage.range_edges += usize::from(kind == ArgumentKind::Edge);
        coverage.ties += usize::from(answers.verdict.ties);
        coverage.ties_cut += usize::from(answers.verdict.cut);
        let trace = &answers.trace;
        coverage.borders_crossed += usize::from(trace.borders > 0);
        coverage.merges += usize::from(trace.merges > 0);
        coverage.lookups += trace.lookups;
        if let Some(reading) = self.readings.get_mut(at.index()) {
            reading.add(trace);
        }
    }

    /// Runs writes in random order; all copies are compared periodically and at the end.
    fn run_writes(&mut self) -> Result<Option<ProofCheck>, Failure> {
        let kinds = self.subject.workload.stated_writes().len();
        let mut run = vec![false; kinds];
        let every = (self.settings.writes / COPY_COMPARISONS).max(1);
        for _ in 0..self.settings.writes.saturating_mul(TRIES_PER_WRITE) {
            if self.proof.written >= self.settings.writes {
                break;
            }
            let at = usize::try_from(self.random.next() % (kinds as u64).max(1)).unwrap_or(0);
            let before = self.proof.written;
            if let Some(question) = self.run_write(WriteId::new(at))? {
                return Ok(Some(question));
            }
            if self.proof.written == before {
                continue;
            }
            if let Some(run) = run.get_mut(at) {
                *run = true;
            }
            if self.proof.written.is_multiple_of(every) {
                self.report_progress();
                let few = self.settings.rows <= ROWS_FEW;
                if few && let Some(question) = self.compare_copies()? {
                    return Ok(Some(question));
                }
            }
        }
        self.proof.writes = run.into_iter().filter(|run| *run).count();
        self.compare_copies()
    }

    fn report_progress(&mut self) {
        let (done, of) = (self.proof.written as u64, self.settings.writes as u64);
        (self.progress)(ProofProgress { stage: "writing", done, of });
    }

    fn compare_copies(&mut self) -> Result<Option<ProofCheck>, Failure> {
        match self.sides.compare_copies() {
            Ok(None) => Ok(None),
            Ok(Some(_)) | Err(Failure::Refused(_)) => Ok(Some(ProofCheck::Copies)),
            Err(gone) => Err(gone),
        }
    }

    /// Runs a write, if the current facts allow it.
    fn run_write(&mut self, at: WriteId) -> Result<Option<ProofCheck>, Failure> {
        let ProofSubject { concept, workload, design, .. } = self.subject;
        let planned = design.writes.member(at).is_some_and(|plan| !plan.steps.is_empty());
        let arguments = planned.then(|| {
            generator::draw_write_arguments(concept, workload, at, &self.facts, &mut self.random)
        });
        let (Some(write), Some(Arguments { values, .. })) =
            (workload.writes.member(at), arguments.flatten())
        else {
            return Ok(None);
        };
        let changed = self.sides.write_facts(at, &values)?;
        if !changed && is_row_presumed(self.subject, write) {
            return Ok(None);
        }
        let done = self.sides.write_tables(at, &values, &mut RunTrace::default());
        self.written.push((at, values.clone(), changed));
        match done {
            Ok(outcome) => {
                self.proof.written += 1;
                let coverage = &mut self.proof.coverage;
                coverage.nulls += usize::from(values.iter().any(Option::is_none));
                let moved = outcome == WriteOutcome::Applied && changed;
                coverage.key_changes += usize::from(moved && has_key_change(self.subject, at));
                let is_simple = write.implies.is_empty();
                if changed && is_simple {
                    self.facts.apply(concept, write, &values);
                } else if changed {
                    self.facts.replace_rows(concept, self.sides.fact_rows()?);
                }
                Ok(None)
            }
            Err(Failure::Refused(_)) => Ok(Some(ProofCheck::Copies)),
            Err(gone) => Err(gone),
        }
    }
}

/// Whether a write presumes that the row exists, as its plan states: an UPDATE by the key alone.
fn is_row_presumed(subject: ProofSubject<'_>, write: &Write) -> bool {
    let WriteKind::Update(_, conditions) = &write.kind else { return false };
    let fixed: Vec<AttributeId> = conditions
        .iter()
        .filter_map(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                Some(column.attribute)
            }
            _ => None,
        })
        .collect();
    let keys = subject.concept.entities.member(write.entity).map(|entity| &entity.keys);
    let by_key = keys
        .into_iter()
        .flatten()
        .any(|key| key.len() == conditions.len() && key.iter().all(|part| fixed.contains(part)));
    by_key && !write.strict
}

/// Whether a write sets an attribute that is part of a key of a table.
fn has_key_change(subject: ProofSubject<'_>, at: WriteId) -> bool {
    let Some(write) = subject.workload.writes.member(at) else { return false };
    let WriteKind::Update(assignments, _) = &write.kind else { return false };
    let set = |attribute: AttributeId| {
        assignments.iter().any(|assignment| {
            assignment.attribute == attribute
                && !matches!(
                    assignment.value,
                    AssignmentValue::Add(_) | AssignmentValue::Subtract(_)
                )
        })
    };
    let is_key = |table: &PlannedTable| {
        table.columns.iter().filter(|column| column.is_key()).any(|column| {
            match &column.derivation {
                Derivation::Attribute(of)
                | Derivation::Coalesced(of, _)
                | Derivation::Element(of)
                | Derivation::Bucket(of, _)
                | Derivation::Prefix(of, _) => {
                    let source = table.holds.sources.member(of.source);
                    source.is_some_and(|source| source.entity == write.entity) && set(of.attribute)
                }
                _ => false,
            }
        })
    };
    subject.design.tables.iter().any(is_key)
}
