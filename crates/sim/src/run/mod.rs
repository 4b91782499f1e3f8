//! Plans, run: what a client does that follows the design.
//!
//! The specification is `model::plan`; this follows it word for word and repairs nothing. A statement is sent at each turn of
//! its loops (`gather`), the values of its `?` are those of its operands (`operand`), walks over buckets go as far as they must
//! (`walk`), and the client does with the rows what the plan says (`client`, `fold`).

mod client;
mod fold;
mod frame;
mod gather;
mod operand;
mod rows;
mod walk;
mod write;

use std::collections::BTreeMap;
use std::rc::Rc;

use model::id::{Numbered, ReadId, StepId, TableId, WriteId};
use model::plan::{PlannedTable, ReadPlan, ReadStep, StatementText};
use model::workload::Read;

pub(crate) use self::operand::{bucket_of, oldest_wins, prefix_of, shard_of};
pub(crate) use self::rows::constant_test;
pub(crate) use self::write::Outcome;

use self::frame::{Frame, Returned};
use self::gather::Stops;
use self::operand::Scope;
use crate::data::Datum;
use crate::server::{Failure, Server, Statement};
use crate::subject::Subject;
use crate::value::literal;

/// Runs the plans of a design.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    subject: Subject<'a>,
    now_micros: i64,
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// Whether statements are remembered.
    pub(crate) keeps: bool,
    /// The statements, in the order sent, with their values in place of their markers.
    pub(crate) statements: Vec<String>,
    /// Partitions read.
    pub(crate) partitions: u64,
    /// Rows read.
    pub(crate) rows: u64,
    /// Walks that went on to a second bucket.
    pub(crate) borders: usize,
    /// Merges of at least two streams with rows.
    pub(crate) merges: usize,
    /// Lookups for a row.
    pub(crate) lookups: usize,
}

/// A read or write on its way.
struct Session<'r> {
    subject: Subject<'r>,
    now_micros: i64,
    server: &'r mut dyn Server,
    trace: &'r mut Trace,
    scope: Scope<'r>,
    /// The steps that read, by their position.
    steps: Vec<Option<&'r ReadStep>>,
    /// What they returned so far.
    found: BTreeMap<StepId, Vec<Frame>>,
}

impl<'a> Runner<'a> {
    /// A runner at this time.
    pub(crate) const fn new(subject: Subject<'a>, now_micros: i64) -> Self {
        Self { subject, now_micros }
    }

    /// The answer of a read: its outputs, in the bytes of their types.
    pub(crate) fn read(
        &mut self,
        at: ReadId,
        values: &[Datum],
        server: &mut dyn Server,
        trace: &mut Trace,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let (Some(read), Some(plan)) =
            (self.subject.workload.reads.at(at), self.subject.design.reads.at(at))
        else {
            return Ok(Vec::new());
        };
        let scope = Scope { concept: self.subject.concept, parameters: &read.parameters, values };
        let steps = plan.steps.iter().map(Some).collect();
        let mut session = Session {
            subject: self.subject,
            now_micros: self.now_micros,
            server,
            trace,
            scope,
            steps,
            found: BTreeMap::new(),
        };
        session.read(at, read, plan)
    }

    /// Runs a write.
    pub(crate) fn write(
        &mut self,
        at: WriteId,
        values: &[Datum],
        server: &mut dyn Server,
        trace: &mut Trace,
    ) -> Result<Outcome, Failure> {
        let (Some(write), Some(plan)) =
            (self.subject.workload.writes.at(at), self.subject.design.writes.at(at))
        else {
            return Ok(Outcome::Applied);
        };
        let scope = Scope { concept: self.subject.concept, parameters: &write.parameters, values };
        let mut session = Session {
            subject: self.subject,
            now_micros: self.now_micros,
            server,
            trace,
            scope,
            steps: write::reads(plan),
            found: BTreeMap::new(),
        };
        session.write(plan)
    }
}

impl Session<'_> {
    /// The steps of a read, and what the client makes of the rows.
    fn read(
        &mut self,
        at: ReadId,
        read: &Read,
        plan: &ReadPlan,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let asked_late = gather::oldest_steps(plan.steps.iter());
        for step in plan.steps.ids().take(plan.main.index()) {
            if !asked_late.contains(&step) {
                self.run_step(step)?;
            }
        }
        let Some(main) = plan.steps.at(plan.main) else { return Ok(Vec::new()) };
        let settled = client::settled_steps(plan);
        let limit = self.limit(read).unwrap_or(1);
        let stops = Stops { read: Some((at, plan)), settles: settled, limit };
        let streams = self.gather(plan.main, main, 0, self.start(), &stops)?;
        self.finish(at, read, plan, settled, streams)
    }

    /// Runs a step that comes before, and remembers its rows.
    fn run_step(&mut self, at: StepId) -> Result<(), Failure> {
        let Some(step) = self.steps.get(at.index()).copied().flatten() else { return Ok(()) };
        let stops = Stops { read: None, settles: 0, limit: u64::MAX };
        let streams = self.gather(at, step, 0, self.start(), &stops)?;
        let frames = streams.into_iter().flatten().map(|item| item.frame).collect();
        self.found.insert(at, frames);
        Ok(())
    }

    /// The frame before any turn: without a loop, the row of an earlier step is its first.
    fn start(&self) -> Frame {
        let mut frame = Frame::default();
        for (step, frames) in &self.found {
            let first = frames.first().and_then(|found| found.rows.get(step));
            if let Some(row) = first {
                frame.rows.insert(*step, Rc::clone(row));
            }
        }
        frame
    }

    fn table(&self, at: TableId) -> Option<&PlannedTable> {
        self.subject.design.tables.at(at)
    }

    /// A statement with its values (those of key columns that are null stay null), and its text for the trace.
    fn bind(
        &self,
        text: &StatementText<'_>,
        frame: &Frame,
        table: TableId,
    ) -> (Statement, Option<String>) {
        let table = self.table(table);
        let (mut values, mut literals) = (Vec::new(), Vec::new());
        for marker in &text.markers {
            let ty = table.and_then(|table| marker.receiver.ty(table));
            let value = self.scope.operand(marker.operand, frame, table, ty.as_ref());
            let value = ty.as_ref().map_or_else(|| value.bytes.clone(), |ty| value.to_type(ty));
            if self.trace.keeps {
                literals.push(ty.map_or_else(|| "?".to_owned(), |ty| literal(&ty, &value)));
            }
            values.push(value);
        }
        let traced =
            self.trace.keeps.then(|| text.with_values(literals.iter().map(String::as_str)));
        (Statement { cql: text.cql.clone(), values }, traced)
    }

    /// Reads with a step at each of the frames; the rows of each, in its order. Where a value is null, nothing is sent.
    fn fetch(
        &mut self,
        at: StepId,
        step: &ReadStep,
        frames: &[Frame],
    ) -> Result<Vec<Vec<Frame>>, Failure> {
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
                let row = Returned { columns: Rc::clone(&columns), values };
                frame.with_row(at, Rc::new(row))
            }));
        }
        Ok(found)
    }
}
