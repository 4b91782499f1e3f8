//! One proof, from the first fact to the first disagreement.

use model::id::{AttributeId, Numbered, ReadId, TableId, WriteId};
use model::plan::{Derivation, PlannedTable};
use model::workload::{AssignmentValue, Comparison, Test, Write, WriteKind};

use super::case::{Case, Question};
use super::sides::{Answers, Sides};
use crate::contents::Contents;
use crate::data::{Data, Datum};
use crate::generate::{self, Arguments, Facts, Kind, Random};
use crate::measure::{self, Reading};
use crate::proof::Proof;
use crate::run::{Outcome, Trace};
use crate::server::{Failure, Server};
use crate::subject::{Progress, Settings, Subject};

/// Times that all copies are compared while writes are done; with more rows than [`ROWS_FEW`] only at the end.
const COPIES_COMPARED: usize = 10;
/// Rows of the relational side that are compared again and again in no time.
const ROWS_FEW: u64 = 20_000;
/// Tries for each write that is done: not every write can be done with the facts at hand.
const TRIES: usize = 5;

/// What is at hand during a proof.
struct Driver<'a, 's, 'p> {
    subject: Subject<'a>,
    settings: &'p Settings,
    sides: Sides<'a, 's>,
    data: Data,
    facts: Facts,
    random: Random,
    written: Vec<(WriteId, Vec<Datum>, bool)>,
    readings: Vec<Reading>,
    proof: Proof,
    progress: &'p mut dyn FnMut(Progress),
}

/// Runs a proof: what it found, and the case in which both sides do not agree.
pub(super) fn run(
    subject: Subject<'_>,
    settings: &Settings,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Proof, Option<Case>), Failure> {
    progress(Progress { stage: "generating", done: 0, of: settings.rows });
    let data = generate::data(subject.concept, subject.workload, subject.design, settings);
    let rows = data.rows.iter().map(|rows| rows.len() as u64).sum();
    let tables = subject.design.tables.len() as u64;
    let mut proof = Proof { rows, ..Proof::default() };
    let mut filled = |table: TableId, contents: &Contents| {
        measure::table(&mut proof, subject, table, contents);
        progress(Progress { stage: "loading", done: table.index() as u64 + 1, of: tables });
    };
    let sides = match Sides::new(subject, settings, &data, server, &mut filled) {
        Ok(sides) => sides,
        Err(Failure::Refused(_)) => {
            let case = Case { data, writes: Vec::new(), question: Question::Copies };
            return Ok((proof, Some(case)));
        }
        Err(gone) => return Err(gone),
    };
    let mut driver = Driver {
        subject,
        settings,
        sides,
        facts: Facts::new(subject.concept, subject.workload, subject.design, settings, &data),
        data,
        random: Random::new(settings.seed ^ 0x5eed),
        written: Vec::new(),
        readings: vec![Reading::default(); subject.workload.reads.len()],
        proof,
        progress,
    };
    let question = driver.all()?;
    let Driver { proof, data, written, .. } = driver;
    let case = question.map(|question| Case { data, writes: written, question });
    Ok((proof, case))
}

impl Driver<'_, '_, '_> {
    /// All stages, until both sides do not agree.
    fn all(&mut self) -> Result<Option<Question>, Failure> {
        let has_writes = !self.subject.workload.writes.is_empty() && self.settings.writes > 0;
        let first = if has_writes { self.settings.bindings / 2 } else { self.settings.bindings };
        if let Some(question) = self.ask_all(first)? {
            return Ok(Some(question));
        }
        if has_writes {
            if let Some(question) = self.write_all()? {
                return Ok(Some(question));
            }
            if let Some(question) = self.ask_all(self.settings.bindings - first)? {
                return Ok(Some(question));
            }
        }
        measure::reads(&mut self.proof, self.subject, &self.readings);
        Ok(None)
    }

    /// Asks every read so many times.
    fn ask_all(&mut self, times: usize) -> Result<Option<Question>, Failure> {
        let plans = &self.subject.design.reads;
        let planned = plans.iter().filter(|plan| !plan.steps.is_empty()).count();
        self.proof.reads = planned;
        self.proof.refused = self.subject.workload.reads.len() - planned.min(plans.len());
        let mut asked = 0;
        for (at, plan) in plans.numbered() {
            if plan.steps.is_empty() {
                continue;
            }
            for _ in 0..times {
                if let Some(question) = self.ask(at)? {
                    return Ok(Some(question));
                }
            }
            asked += 1;
            (self.progress)(Progress { stage: "reading", done: asked, of: planned as u64 });
        }
        Ok(None)
    }

    /// Asks a read once, with values of its own.
    fn ask(&mut self, at: ReadId) -> Result<Option<Question>, Failure> {
        let Subject { concept, workload, .. } = self.subject;
        let Arguments { values, kind } =
            generate::read_arguments(concept, workload, at, &self.facts, &mut self.random);
        self.proof.bindings += 1;
        match self.sides.read(at, &values, false) {
            Ok(answers) if answers.verdict.agrees => {
                self.cover(at, kind, &answers);
                Ok(None)
            }
            Ok(_) | Err(Failure::Refused(_)) => Ok(Some(Question::Read(at, values))),
            Err(gone) => Err(gone),
        }
    }

    /// Counts what a read exercised.
    fn cover(&mut self, at: ReadId, kind: Kind, answers: &Answers) {
        let coverage = &mut self.proof.coverage;
        coverage.empty += usize::from(answers.expected.is_empty());
        coverage.absent_keys += usize::from(kind == Kind::Absent);
        coverage.hot_keys += usize::from(kind == Kind::Hot);
        coverage.range_edges += usize::from(kind == Kind::Edge);
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

    /// Writes in random order; all copies are compared now and then, and at the end.
    fn write_all(&mut self) -> Result<Option<Question>, Failure> {
        let kinds = self.subject.workload.writes.len();
        let mut run = vec![false; kinds];
        let every = (self.settings.writes / COPIES_COMPARED).max(1);
        for _ in 0..self.settings.writes.saturating_mul(TRIES) {
            if self.proof.written >= self.settings.writes {
                break;
            }
            let at = usize::try_from(self.random.next() % (kinds as u64).max(1)).unwrap_or(0);
            let before = self.proof.written;
            if let Some(question) = self.write(WriteId::new(at))? {
                return Ok(Some(question));
            }
            if self.proof.written == before {
                continue;
            }
            if let Some(run) = run.get_mut(at) {
                *run = true;
            }
            if self.proof.written.is_multiple_of(every) {
                self.say_written();
                let few = self.settings.rows <= ROWS_FEW;
                if few && let Some(question) = self.compare_copies()? {
                    return Ok(Some(question));
                }
            }
        }
        self.proof.writes = run.into_iter().filter(|run| *run).count();
        self.compare_copies()
    }

    fn say_written(&mut self) {
        let (done, of) = (self.proof.written as u64, self.settings.writes as u64);
        (self.progress)(Progress { stage: "writing", done, of });
    }

    fn compare_copies(&mut self) -> Result<Option<Question>, Failure> {
        match self.sides.copies() {
            Ok(None) => Ok(None),
            Ok(Some(_)) | Err(Failure::Refused(_)) => Ok(Some(Question::Copies)),
            Err(gone) => Err(gone),
        }
    }

    /// One write, if the facts at hand allow it.
    fn write(&mut self, at: WriteId) -> Result<Option<Question>, Failure> {
        let Subject { concept, workload, design, .. } = self.subject;
        let planned = design.writes.at(at).is_some_and(|plan| !plan.steps.is_empty());
        let arguments = planned.then(|| {
            generate::write_arguments(concept, workload, at, &self.facts, &mut self.random)
        });
        let (Some(write), Some(Arguments { values, .. })) =
            (workload.writes.at(at), arguments.flatten())
        else {
            return Ok(None);
        };
        let changed = self.sides.write_facts(at, &values)?;
        if !changed && presumes_its_row(self.subject, write) {
            return Ok(None);
        }
        let done = self.sides.write_tables(at, &values, &mut Trace::default());
        self.written.push((at, values.clone(), changed));
        match done {
            Ok(outcome) => {
                self.proof.written += 1;
                let coverage = &mut self.proof.coverage;
                coverage.nulls += usize::from(values.iter().any(Option::is_none));
                let moved = outcome == Outcome::Applied && changed;
                coverage.key_changes += usize::from(moved && changes_keys(self.subject, at));
                if changed {
                    self.facts.apply(concept, write, &values);
                }
                Ok(None)
            }
            Err(Failure::Refused(_)) => Ok(Some(Question::Copies)),
            Err(gone) => Err(gone),
        }
    }
}

/// Whether a write presumes that the row is there, as its plan states: an UPDATE by a key and nothing else.
fn presumes_its_row(subject: Subject<'_>, write: &Write) -> bool {
    let WriteKind::Update(_, conditions) = &write.kind else { return false };
    let fixed: Vec<AttributeId> = conditions
        .iter()
        .filter_map(|condition| match &condition.test {
            Test::Compare { column, comparison: Comparison::Equal, .. } => Some(column.attribute),
            _ => None,
        })
        .collect();
    let keys = subject.concept.entities.at(write.entity).map(|entity| &entity.keys);
    let by_key = keys
        .into_iter()
        .flatten()
        .any(|key| key.len() == conditions.len() && key.iter().all(|part| fixed.contains(part)));
    by_key && !write.strict
}

/// Whether a write sets an attribute that is part of a key of a table.
fn changes_keys(subject: Subject<'_>, at: WriteId) -> bool {
    let Some(write) = subject.workload.writes.at(at) else { return false };
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
                    let source = table.holds.sources.at(of.source);
                    source.is_some_and(|source| source.entity == write.entity) && set(of.attribute)
                }
                _ => false,
            }
        })
    };
    subject.design.tables.iter().any(is_key)
}
