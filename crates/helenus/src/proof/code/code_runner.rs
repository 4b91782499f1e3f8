//! Generated code as the runner of the statements of a proof.

use std::time::Duration;

use model::id::{IdList, ReadId, WriteId};
use model::workload::{ComputedOutput, Output};
use sim::{Datum, Failure, ProofSubject, Row, RunContext, StatementRunner, WriteOutcome, WriteRun};

use super::message::{self, CallAnswer, ProgramTarget};
use super::program::DriverProgram;

/// Time for a program to start and to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// Time for the answer to a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Code that was generated from a design, running in a process of its own.
pub(super) struct CodeRunner<'a> {
    subject: ProofSubject<'a>,
    program: DriverProgram,
    calls: u64,
}

impl<'a> CodeRunner<'a> {
    /// Connects a program to the server of the proof.
    pub(super) fn connect(
        subject: ProofSubject<'a>,
        mut program: DriverProgram,
        target: &ProgramTarget,
    ) -> Result<Self, Failure> {
        let answer = program.exchange(message::write_connect(target), CONNECT_TIMEOUT);
        message::read_ready(&answer.map_err(Failure::Gone)?)?;
        Ok(Self { subject, program, calls: 0 })
    }

    /// Calls a read or write.
    fn call(
        &mut self,
        name: &str,
        values: &[Datum],
        now_micros: i64,
    ) -> Result<CallAnswer, Failure> {
        self.calls += 1;
        let line = message::write_call(self.calls, name, now_micros, values);
        let answer = self.program.exchange(line, CALL_TIMEOUT);
        message::read_answer(&answer.map_err(Failure::Gone)?, self.calls)
    }
}

impl StatementRunner for CodeRunner<'_> {
    fn run_read(
        &mut self,
        at: ReadId,
        values: &[Datum],
        context: RunContext<'_>,
    ) -> Result<Vec<Row>, Failure> {
        let Some(read) = self.subject.workload.reads.member(at) else {
            return Err(Failure::Gone("a read is not in the workload".to_owned()));
        };
        let CallAnswer { outcome, rows } = match self.call(&read.name, values, context.now_micros) {
            // Nothing equals null, or is less or greater: a type without null says the same.
            Err(Failure::Unrepresentable(_)) if has_null(values) => return Ok(Vec::new()),
            answer => answer?,
        };
        if outcome.is_some() {
            return Err(wrong_answer(&read.name, "is a read, but its answer has an outcome"));
        }
        if !read.many && rows.len() > 1 {
            return Err(wrong_answer(&read.name, "has one row at most, but returned several"));
        }
        check_width(&read.name, &rows, count_columns(&read.outputs, &read.computed))?;
        Ok(rows)
    }

    fn run_write(
        &mut self,
        at: WriteId,
        values: &[Datum],
        context: RunContext<'_>,
    ) -> Result<WriteRun, Failure> {
        let Some(write) = self.subject.workload.writes.member(at) else {
            return Err(Failure::Gone("a write is not in the workload".to_owned()));
        };
        let CallAnswer { outcome, rows } = match self.call(&write.name, values, context.now_micros)
        {
            // A type without null refuses what SQL must refuse as well.
            Err(Failure::Unrepresentable(_)) if has_null(values) => {
                return Ok(WriteRun { outcome: WriteOutcome::Violation, rows: Vec::new() });
            }
            answer => answer?,
        };
        let Some(outcome) = outcome else {
            return Err(wrong_answer(&write.name, "is a write, but its answer has no outcome"));
        };
        let columns = write.returning.as_ref();
        let columns = columns.map_or(0, |it| count_columns(&it.outputs, &it.computed));
        if columns == 0 && !rows.is_empty() {
            return Err(wrong_answer(&write.name, "returns nothing, but returned rows"));
        }
        check_width(&write.name, &rows, columns)?;
        Ok(WriteRun { outcome, rows })
    }
}

fn has_null(values: &[Datum]) -> bool {
    values.iter().any(Option::is_none)
}

/// The columns of a result.
fn count_columns(outputs: &[Output], computed: &[ComputedOutput]) -> usize {
    if computed.is_empty() { outputs.len() } else { computed.len() }
}

fn check_width(name: &str, rows: &[Row], columns: usize) -> Result<(), Failure> {
    match rows.iter().find(|row| row.len() != columns) {
        None => Ok(()),
        Some(row) => {
            let what = format!("has {columns} columns, but returned {}", row.len());
            Err(wrong_answer(name, &what))
        }
    }
}

/// An answer that does not fit the statement: a fault of the program, whatever the data.
fn wrong_answer(name: &str, what: &str) -> Failure {
    Failure::Gone(format!("the generated code is wrong: {name} {what}"))
}
