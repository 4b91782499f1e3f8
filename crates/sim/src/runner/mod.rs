//! Runs plans, as a client that follows the design does.
//!
//! The specification is `model::plan`; this follows it literally and corrects nothing. A statement
//! is sent at each turn of its loops (`row_stream`, `frame`), the values of its markers are those
//! of its operands (`operand`), walks over buckets visit the buckets that they need (`walk`), and
//! the client steps are applied to the `rows` (`client`, `fold`, `compute`). `write` runs the steps of writes.

mod client;
mod compute;
mod fold;
mod frame;
mod operand;
mod row_stream;
mod rows;
mod walk;
mod write;

use std::collections::BTreeMap;
use std::rc::Rc;

use model::id::{IdList, ReadId, StepId, TableId, WriteId};
use model::plan::{Loop, PlannedTable, ReadPlan, ReadStep, StatementText};
use model::workload::{Parameter, Read};

pub(crate) use self::operand::{
    newest_wins_timestamp, oldest_wins_timestamp, to_bucket, to_prefix, to_shard,
};
pub(crate) use self::rows::matches_constants;

use self::frame::{ExecutionFrame, StepRow};
use self::operand::OperandScope;
use self::row_stream::StopCondition;
use crate::dataset::{Datum, Row};
use crate::server::{Failure, Server, ServerStatement};
use crate::statement_runner::{RunContext, RunTrace, StatementRunner, WriteOutcome, WriteRun};
use crate::subject::ProofSubject;
use crate::value::literal;

/// Interprets the plans of a design on the server of the proof.
#[derive(Clone, Copy, Debug)]
pub struct PlanRunner<'a> {
    subject: ProofSubject<'a>,
}

/// The most statements that one read or write may send: a walk over buckets that does not end is
/// cut off.
pub(crate) const STATEMENTS_MAX: u64 = 20_000;

/// The execution of a read or write.
struct PlanExecution<'r> {
    subject: ProofSubject<'r>,
    now_micros: i64,
    server: &'r mut dyn Server,
    trace: &'r mut RunTrace,
    scope: OperandScope<'r>,
    /// The steps that read, by their position.
    steps: Vec<Option<&'r ReadStep>>,
    /// The rows that they returned so far.
    found: BTreeMap<StepId, Vec<ExecutionFrame>>,
    /// The derived writes that are running, outermost first, with their values.
    running: Vec<(WriteId, Vec<Datum>)>,
    /// The rows that a write has returned so far.
    returned: Vec<Vec<Datum>>,
}

impl<'a> PlanRunner<'a> {
    /// A runner of the plans of a design.
    pub const fn new(subject: ProofSubject<'a>) -> Self {
        Self { subject }
    }

    /// The execution of a statement with these steps that read.
    fn begin<'r>(
        &self,
        steps: Vec<Option<&'r ReadStep>>,
        (parameters, values): (&'r [Parameter], &'r [Datum]),
        context: &'r mut RunContext<'_>,
    ) -> PlanExecution<'r>
    where
        'a: 'r,
    {
        context.trace.is_counted = true;
        PlanExecution {
            subject: self.subject,
            now_micros: context.now_micros,
            server: context.server,
            trace: context.trace,
            scope: OperandScope { concept: self.subject.concept, parameters, values },
            steps,
            found: BTreeMap::new(),
            running: Vec::new(),
            returned: Vec::new(),
        }
    }
}

impl StatementRunner for PlanRunner<'_> {
    fn run_read(
        &mut self,
        at: ReadId,
        values: &[Datum],
        mut context: RunContext<'_>,
    ) -> Result<Vec<Row>, Failure> {
        let (Some(read), Some(plan)) =
            (self.subject.workload.reads.member(at), self.subject.design.reads.member(at))
        else {
            return Ok(Vec::new());
        };
        let steps = plan.steps.iter().map(Some).collect();
        self.begin(steps, (&read.parameters, values), &mut context).run_read(at, read, plan)
    }

    fn run_write(
        &mut self,
        at: WriteId,
        values: &[Datum],
        mut context: RunContext<'_>,
    ) -> Result<WriteRun, Failure> {
        let (Some(write), Some(plan)) =
            (self.subject.workload.writes.member(at), self.subject.design.writes.member(at))
        else {
            return Ok(WriteRun { outcome: WriteOutcome::Applied, rows: Vec::new() });
        };
        let steps = write::read_steps(plan);
        let mut execution = self.begin(steps, (&write.parameters, values), &mut context);
        let outcome = execution.run_steps(write, plan)?;
        Ok(WriteRun { outcome, rows: execution.returned })
    }
}

impl PlanExecution<'_> {
    /// Runs the steps of a read, then the client steps.
    fn run_read(
        &mut self,
        at: ReadId,
        read: &Read,
        plan: &ReadPlan,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let asked_late = row_stream::oldest_steps(plan.steps.iter());
        for step in plan.steps.ids().take(plan.main.index()) {
            if !asked_late.contains(&step) {
                self.run_step(step)?;
            }
        }
        let Some(main) = plan.steps.member(plan.main) else { return Ok(Vec::new()) };
        let settled = client::count_row_steps(plan);
        let limit = self.limit(read).unwrap_or(1);
        let stops = StopCondition { read: Some((at, plan)), settles: settled, limit };
        let streams = self.collect_streams(plan.main, main, 0, self.initial_frame(), &stops)?;
        self.finish(at, read, plan, settled, streams)
    }

    /// Runs a step before the main one, and keeps its rows.
    fn run_step(&mut self, at: StepId) -> Result<(), Failure> {
        let Some(step) = self.steps.get(at.index()).copied().flatten() else { return Ok(()) };
        let stops = StopCondition { read: None, settles: 0, limit: u64::MAX };
        let streams = self.collect_streams(at, step, 0, self.initial_frame(), &stops)?;
        let mut frames: Vec<_> = streams.into_iter().flatten().map(|item| item.frame).collect();
        if step.optional {
            let missing = self.frames_without_row(step, &frames);
            frames.extend(missing.iter().map(|frame| frame.with_row(at, StepRow::nulls())));
        }
        self.found.insert(at, frames);
        Ok(())
    }

    /// The rows of the outer loop for which a step found none.
    fn frames_without_row(&self, step: &ReadStep, found: &[ExecutionFrame]) -> Vec<ExecutionFrame> {
        let start = self.initial_frame();
        let mut outer = match step.loops.first() {
            Some(turn @ Loop::Rows(_)) => self.loop_frames(turn, &start),
            _ => vec![start],
        };
        outer.retain(|outer| !found.iter().any(|frame| frame.is_under(outer)));
        outer
    }

    /// The frame before any turn: without a loop, the row of an earlier step is its first.
    fn initial_frame(&self) -> ExecutionFrame {
        let mut frame = ExecutionFrame::default();
        for (step, frames) in &self.found {
            let first = frames.first().and_then(|found| found.rows.get(step));
            if let Some(row) = first {
                frame.rows.insert(*step, Rc::clone(row));
            }
        }
        frame
    }

    fn table(&self, at: TableId) -> Option<&PlannedTable> {
        self.subject.design.tables.member(at)
    }

    /// The table from whose attributes the operands of a statement are made: a table that remembers
    /// the buckets of another has none of its own.
    fn operand_table(&self, at: TableId) -> Option<&PlannedTable> {
        let table = self.table(at)?;
        table.remembers.map_or(Some(table), |of| self.table(of))
    }

    /// A statement with its values (those of key columns that are null stay null), and its text for
    /// the trace.
    fn bind(
        &self,
        text: &StatementText<'_>,
        frame: &ExecutionFrame,
        table: TableId,
    ) -> (ServerStatement, Option<String>) {
        let (table, source) = (self.table(table), self.operand_table(table));
        let (mut values, mut literals) = (Vec::new(), Vec::new());
        for marker in &text.markers {
            let ty = table.and_then(|table| marker.receiver.ty(table));
            let value = self.scope.evaluate(marker.operand, frame, source, ty.as_ref());
            let value = ty.as_ref().map_or_else(|| value.bytes.clone(), |ty| value.to_type(ty));
            if self.trace.keeps {
                literals.push(ty.map_or_else(|| "?".to_owned(), |ty| literal(&ty, &value)));
            }
            values.push(value);
        }
        let traced =
            self.trace.keeps.then(|| text.with_values(literals.iter().map(String::as_str)));
        (ServerStatement { cql: text.cql.clone(), values }, traced)
    }

    /// Reads with a step at each of the frames; the rows of each, in its order. Where a value is
    /// null, nothing is sent.
    fn fetch(
        &mut self,
        at: StepId,
        step: &ReadStep,
        frames: &[ExecutionFrame],
    ) -> Result<Vec<Vec<ExecutionFrame>>, Failure> {
        let text = step.select.text();
        let (mut sent, mut statements, mut traced) = (Vec::new(), Vec::new(), Vec::new());
        for (position, frame) in frames.iter().enumerate() {
            let (statement, text) = self.bind(&text, frame, step.table);
            if statement.values.iter().all(Option::is_some) {
                sent.push(position);
                statements.push(statement);
                traced.extend(text);
            }
        }
        if self.trace.partitions + statements.len() as u64 > STATEMENTS_MAX {
            return Err(Failure::Exhausted);
        }
        let answers = match &statements[..] {
            [single] => vec![self.server.run(single)?],
            several => self.server.run_all(several)?,
        };
        self.trace.partitions += statements.len() as u64;
        self.trace.statements.extend(traced);
        let mut found = vec![Vec::new(); frames.len()];
        for (position, answer) in sent.into_iter().zip(answers) {
            self.trace.rows += answer.rows.len() as u64;
            let columns: Rc<[_]> = answer.columns.into();
            let (Some(slot), Some(frame)) = (found.get_mut(position), frames.get(position)) else {
                continue;
            };
            slot.extend(answer.rows.into_iter().map(|values| {
                let row = StepRow { columns: Rc::clone(&columns), values };
                frame.with_row(at, Rc::new(row))
            }));
        }
        Ok(found)
    }
}
