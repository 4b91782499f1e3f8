//! The stage of a proof that runs the writes, in random order.
//!
//! The number of runs grows with the number of writes. Those that have changed rows least often are
//! preferred, so that each of them changes rows, and each that may be run with a key that does not
//! exist is.

use model::id::{EntityId, IdList, WriteId};
use model::workload::{Write, WriteKind};

use super::case::ProofCheck;
use super::driver::ProofDriver;
use super::presumption::{has_key_change, is_excluded, is_row_presumed};
use crate::dataset::Datum;
use crate::generator::{self, ArgumentKind, ArgumentWish, Arguments};
use crate::record::{DrawObstacle, NotRunReason};
use crate::runner::STATEMENTS_MAX;
use crate::server::Failure;
use crate::statement_runner::{RunTrace, WriteOutcome};
use crate::subject::{ProofProgress, ProofSubject};
use crate::transcript::WriteEffect;

/// The comparisons of all copies while writes are run; with more rows than [`ROWS_FEW`] only at the
/// end.
const COPY_COMPARISONS: usize = 10;
/// The most rows of the relational database that are cheap to compare repeatedly.
const ROWS_FEW: u64 = 20_000;
/// Attempts for each write: not every write is possible with the current facts.
const TRIES_PER_WRITE: usize = 5;
/// Failures in a row after which a write is only tried by chance: later facts may allow it.
const FAILURES_MAX: usize = 20;
/// Rows of an entity below which writes that add some are preferred.
const ROWS_SCARCE: usize = 6;
/// The share of the time after which no more writes are begun, in percent.
const TIME_SHARE: u32 = 75;

impl ProofDriver<'_, '_, '_> {
    /// Runs writes in random order; all copies are compared periodically and at the end.
    pub(super) fn run_writes(&mut self) -> Result<Option<ProofCheck>, Failure> {
        let workload = self.subject.workload;
        for (write, progress) in workload.list_stated_writes().iter().zip(&mut self.writes) {
            let by_key = matches!(write.kind, WriteKind::Update(..) | WriteKind::Delete(_));
            progress.tries_absent = by_key && !is_row_presumed(self.subject, write);
        }
        let target =
            self.settings.writes.max(self.settings.runs_each.saturating_mul(self.writes.len()));
        let every = (target / COPY_COMPARISONS).max(1);
        for _ in 0..target.saturating_mul(TRIES_PER_WRITE) {
            let is_enough = self.proof.written >= target && self.has_no_open_write();
            if is_enough || self.time.is_share_over(TIME_SHARE) {
                break;
            }
            let Some(at) = self.choose_write() else { break };
            let before = self.proof.written;
            if let Some(question) = self.run_write(at)? {
                return Ok(Some(question));
            }
            if self.is_spoiled() {
                return Ok(None);
            }
            if self.proof.written != before && self.proof.written.is_multiple_of(every) {
                let (done, of) = (self.proof.written as u64, target as u64);
                (self.progress)(ProofProgress { stage: "writing", done, of });
                let few = self.settings.rows <= ROWS_FEW;
                if few && let Some(question) = self.compare_copies()? {
                    return Ok(Some(question));
                }
            }
        }
        self.stop_late_writes();
        if let Some(question) = self.run_violations()? {
            return Ok(Some(question));
        }
        self.compare_copies()
    }

    /// Whether no write is left that could and must still be run.
    fn has_no_open_write(&self) -> bool {
        self.writes.iter().all(|write| {
            write.stopped.is_some() || write.is_satisfied() || write.failures >= FAILURES_MAX
        })
    }

    /// A write to run: every second time one that has changed rows least often, or where few rows
    /// are left for it one that adds some.
    fn choose_write(&mut self) -> Option<WriteId> {
        let open: Vec<usize> =
            (0..self.writes.len()).filter(|at| self.writes[*at].stopped.is_none()).collect();
        let behind = open.iter().copied().filter(|at| {
            let write = &self.writes[*at];
            !write.is_satisfied() && write.failures < FAILURES_MAX
        });
        let least = behind.min_by_key(|at| self.writes[*at].counts.changes);
        let suppliers = least.map_or_else(Vec::new, |at| self.list_suppliers(at, &open));
        let chance = self.random.pick(&open).copied();
        let preferred = least.filter(|_| self.random.next_bool(0.5));
        let supplier = self.random.pick(&suppliers).copied();
        let supplier = supplier.filter(|_| preferred.is_some() && self.random.next_bool(0.7));
        supplier.or(preferred).or(chance).map(WriteId::new)
    }

    /// The writes that add rows which another one, of which few are left, could change or delete.
    fn list_suppliers(&self, of: usize, open: &[usize]) -> Vec<usize> {
        let writes = self.subject.workload.list_stated_writes();
        let Some(needy) = writes.get(of).filter(|write| !is_insert(write)) else {
            return Vec::new();
        };
        if self.facts.count_rows(needy.entity) >= ROWS_SCARCE {
            return Vec::new();
        }
        let adds = |at: &usize| {
            writes.get(*at).is_some_and(|it| is_insert(it) && it.entity == needy.entity)
        };
        open.iter().copied().filter(adds).collect()
    }

    /// Lets the other writes of an entity try again: there are new rows for them.
    fn renew_writes(&mut self, entity: EntityId) {
        let writes = self.subject.workload.list_stated_writes();
        for (write, progress) in writes.iter().zip(&mut self.writes) {
            if write.entity == entity {
                progress.failures = 0;
            }
        }
    }

    /// Marks the writes that could not be run often enough for lack of time.
    fn stop_late_writes(&mut self) {
        if !self.time.is_share_over(TIME_SHARE) {
            return;
        }
        let limit = self.time.limit();
        let required = self.settings.runs_each;
        for write in self.writes.iter_mut().filter(|it| it.stopped.is_none() && !it.is_satisfied())
        {
            let runs = write.counts.bindings;
            write.stopped = Some(NotRunReason::TimeLimit { limit, runs, required });
        }
    }

    /// Whether a write was cut off, so that the tables are not comparable any more.
    fn is_spoiled(&self) -> bool {
        let is_cut = |reason: &NotRunReason| matches!(reason, NotRunReason::WorkLimit { .. });
        self.writes.iter().any(|write| write.stopped.as_ref().is_some_and(is_cut))
    }

    /// Compares all copies, and takes over the facts of the relational database.
    fn compare_copies(&mut self) -> Result<Option<ProofCheck>, Failure> {
        let rows = self.sides.fact_rows()?;
        self.facts.replace_rows(self.subject.concept, rows.clone());
        match self.sides.compare_copies_with(&rows) {
            Ok(None) => Ok(None),
            Ok(Some(_)) => Ok(Some(ProofCheck::Copies)),
            Err(Failure::Refused(error)) => Ok(Some(self.report_error(error, ProofCheck::Copies))),
            Err(gone) => Err(gone),
        }
    }

    /// Runs a write, if the current facts allow it.
    fn run_write(&mut self, at: WriteId) -> Result<Option<ProofCheck>, Failure> {
        let ProofSubject { concept, workload, .. } = self.subject;
        let Some(write) = workload.writes.member(at) else { return Ok(None) };
        let wants_absent = self.writes.get(at.index()).is_some_and(|write| {
            write.has_absent_open() && write.counts.changes > write.counts.absent
        });
        let wish = if wants_absent { ArgumentWish::Absent } else { ArgumentWish::Any };
        let drawn = generator::draw_write_arguments(
            concept,
            workload,
            at,
            wish,
            &self.facts,
            &mut self.random,
        );
        let Arguments { values, kind } = match drawn {
            Ok(arguments) => arguments,
            Err(obstacle) => {
                self.count_failure(at, obstacle);
                return Ok(None);
            }
        };
        let cascaded_before = self.sides.cascade_count();
        let expected = self.sides.write_facts(at, &values)?;
        let changed = expected.effect.is_change();
        if !changed && is_row_presumed(self.subject, write) {
            return Ok(None);
        }
        let is_violation = expected.effect == WriteEffect::Violation;
        if is_violation && is_excluded(self.subject, at, &values, &self.facts) {
            let entity = concept.entities.member(write.entity).map(|entity| entity.name.clone());
            let obstacle = DrawObstacle::Constraint { entity: entity.unwrap_or_default() };
            self.count_failure(at, obstacle);
            return Ok(None);
        }
        let done = self.sides.write_tables(at, &values, &mut RunTrace::default());
        self.written.push((at, values.clone(), changed));
        match done {
            Ok(got) => {
                let outcome = got.outcome;
                if !self.sides.is_same_return(at, &expected, &got) {
                    return Ok(Some(ProofCheck::Copies));
                }
                let is_cascade = self.sides.cascade_count() > cascaded_before;
                self.count_write(at, &values, kind, outcome == WriteOutcome::Applied && changed);
                self.proof.coverage.cascades += usize::from(is_cascade);
                if changed {
                    self.follow_change(at, &values, is_cascade)?;
                }
                Ok(None)
            }
            // SQL took the value, so code that cannot is wrong.
            Err(Failure::Refused(error) | Failure::Unrepresentable(error)) => {
                Ok(Some(self.report_error(error, ProofCheck::Copies)))
            }
            Err(Failure::Exhausted) => {
                if let Some(progress) = self.writes.get_mut(at.index()) {
                    progress.stopped = Some(NotRunReason::WorkLimit { statements: STATEMENTS_MAX });
                }
                Ok(None)
            }
            Err(gone @ Failure::Gone(_)) => Err(gone),
        }
    }

    /// Takes over the facts after a write that changed them.
    fn follow_change(
        &mut self,
        at: WriteId,
        values: &[Datum],
        is_cascade: bool,
    ) -> Result<(), Failure> {
        let ProofSubject { concept, workload, .. } = self.subject;
        let Some(write) = workload.writes.member(at) else { return Ok(()) };
        if is_cascade || !write.implies.is_empty() {
            self.facts.replace_rows(concept, self.sides.fact_rows()?);
        } else {
            self.facts.apply(concept, write, values);
        }
        if let Some(progress) = self.writes.get_mut(at.index()) {
            progress.counts.changes += 1;
        }
        if is_insert(write) {
            self.renew_writes(write.entity);
        }
        Ok(())
    }

    /// Counts an attempt that found no values which meet the preconditions of a write.
    fn count_failure(&mut self, at: WriteId, obstacle: DrawObstacle) {
        if let Some(progress) = self.writes.get_mut(at.index()) {
            progress.failures += 1;
            progress.obstacle = Some(obstacle);
        }
    }

    /// Counts a run of a write.
    fn count_write(&mut self, at: WriteId, values: &[Datum], kind: ArgumentKind, is_moved: bool) {
        self.proof.written += 1;
        let write: Option<&Write> = self.subject.workload.writes.member(at);
        let is_insert = write.is_some_and(is_insert);
        let coverage = &mut self.proof.coverage;
        coverage.nulls += usize::from(values.iter().any(Option::is_none));
        coverage.key_changes += usize::from(is_moved && has_key_change(self.subject, at));
        coverage.upserts += usize::from(is_insert && kind == ArgumentKind::Present);
        coverage.repeated_keys += usize::from(kind == ArgumentKind::Repeated);
        coverage.reinserted_keys += usize::from(kind == ArgumentKind::Deleted);
        let is_absent = !is_insert && kind == ArgumentKind::Absent;
        coverage.absent_writes += usize::from(is_absent);
        let parameters = write.map(|write| write.parameters.as_slice()).unwrap_or_default();
        let is_boundary = parameters.iter().zip(values).any(|(parameter, value)| {
            value.as_ref().is_some_and(|value| generator::is_boundary(&parameter.ty, value))
        });
        coverage.boundary_values += usize::from(is_boundary);
        if let Some(progress) = self.writes.get_mut(at.index()) {
            progress.failures = 0;
            progress.counts.bindings += 1;
            progress.counts.absent += usize::from(is_absent);
        }
    }
}

/// Whether a write adds rows.
fn is_insert(write: &Write) -> bool {
    matches!(write.kind, WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_))
}
