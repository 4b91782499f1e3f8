//! Generated code as the runner of the statements of a proof.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use engine::Database;
use model::id::{IdList, ReadId, WriteId};
use model::workload::{ComputedOutput, Output, Read};
use sim::{Datum, Failure, ProofSubject, Row, RunContext, StatementRunner, WriteOutcome, WriteRun};

use super::code_counts::CodeCounts;
use super::command_facts::CommandFacts;
use super::fault_injector::{FaultInjector, WriteFault};
use super::message::{self, AnsweredPage, CallAnswer, PageRequest, ProgramTarget};
use super::program::{DriverProgram, ProgramLauncher};

/// Time for a program to start and to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// Time for the answer to a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Rows of a page: few, so that a result of some rows has several pages.
const PAGE_ROWS: u32 = 3;
/// More pages than any result of a proof has: code that never ends is wrong.
const PAGES_MAX: usize = 100_000;

/// Code that was generated from a design, running in a process of its own.
pub(super) struct CodeRunner<'a> {
    subject: ProofSubject<'a>,
    target: ProgramTarget,
    launcher: ProgramLauncher,
    program: DriverProgram,
    /// What is known about each write, by its name.
    writes: BTreeMap<String, CommandFacts>,
    /// The reads that have no form that returns pages.
    unpaged: BTreeSet<ReadId>,
    /// Whether the program was restarted between two pages.
    is_page_restarted: bool,
    /// The server, if it is in this process.
    database: Option<Database>,
    faults: Option<FaultInjector>,
    counts: Rc<Cell<CodeCounts>>,
    calls: u64,
}

/// Where a program comes from and what it is connected to.
pub(super) struct CodeConnection {
    /// Starts the program.
    pub(super) launcher: ProgramLauncher,
    /// Where it connects to.
    pub(super) target: ProgramTarget,
    /// What is known about each write, by its name.
    pub(super) writes: BTreeMap<String, CommandFacts>,
    /// The server, if it is in this process.
    pub(super) database: Option<Database>,
    /// Whether writes that may be repeated are interrupted and repeated.
    pub(super) has_faults: bool,
    /// What is looked at, for the report.
    pub(super) counts: Rc<Cell<CodeCounts>>,
}

impl<'a> CodeRunner<'a> {
    /// Connects a program to the server of the proof.
    pub(super) fn connect(
        subject: ProofSubject<'a>,
        connection: CodeConnection,
    ) -> Result<Self, Failure> {
        let CodeConnection { mut launcher, target, writes, database, has_faults, counts } =
            connection;
        let program = start(&mut launcher, &target)?;
        let faults = database.as_ref().filter(|_| has_faults);
        let faults = faults.map(|database| FaultInjector::new(database, &target.keyspace));
        Ok(Self {
            subject,
            target,
            launcher,
            program,
            writes,
            unpaged: BTreeSet::new(),
            is_page_restarted: false,
            database,
            faults,
            counts,
            calls: 0,
        })
    }

    fn count(&self, count: impl FnOnce(&mut CodeCounts)) {
        let mut counts = self.counts.get();
        count(&mut counts);
        self.counts.set(counts);
    }

    /// Starts the program again.
    fn restart(&mut self) -> Result<(), Failure> {
        self.program = start(&mut self.launcher, &self.target)?;
        Ok(())
    }

    /// Calls a read or write.
    fn call(
        &mut self,
        name: &str,
        values: &[Datum],
        now_micros: i64,
        page: Option<PageRequest<'_>>,
    ) -> Result<CallAnswer, Failure> {
        self.calls += 1;
        let line = message::write_call(self.calls, name, now_micros, values, page);
        let answer = self.program.exchange(line, CALL_TIMEOUT);
        message::read_answer(&answer.map_err(Failure::Gone)?, self.calls)
    }

    /// The rows of a read, read page by page; `None` if it has no form that returns pages.
    fn call_pages(
        &mut self,
        read: &Read,
        values: &[Datum],
        now_micros: i64,
    ) -> Result<Option<Vec<Row>>, Failure> {
        let mut rows = Vec::new();
        let mut token: Option<String> = None;
        for pages in 0..PAGES_MAX {
            let page = PageRequest { size: PAGE_ROWS, token: token.as_deref() };
            let answer = self.call(&read.name, values, now_micros, Some(page))?;
            if answer.rows.len() > PAGE_ROWS as usize && answer.page != AnsweredPage::Whole {
                return Err(wrong_answer(&read.name, "returned more rows than a page may have"));
            }
            rows.extend(answer.rows);
            token = match answer.page {
                AnsweredPage::Whole => return Ok(None),
                AnsweredPage::Last => {
                    self.count(|counts| counts.paged_results += usize::from(pages > 0));
                    return Ok(Some(rows));
                }
                AnsweredPage::Next(token) => Some(token),
            };
            // The position must survive the client.
            if !self.is_page_restarted {
                self.is_page_restarted = true;
                self.restart()?;
            }
        }
        Err(wrong_answer(&read.name, "has pages without end"))
    }

    /// Calls a write that is interrupted by a fault, then calls it again.
    fn call_interrupted(
        &mut self,
        name: &str,
        values: &[Datum],
        now_micros: i64,
    ) -> Result<CallAnswer, Failure> {
        let (Some(faults), Some(write)) = (&mut self.faults, self.writes.get(name)) else {
            return self.call(name, values, now_micros, None);
        };
        let fault = faults.prepare(write)?;
        let first = match fault.kill_delay() {
            None => Some(self.call(name, values, now_micros, None)),
            Some(delay) => self.kill_in_call(name, values, now_micros, delay)?,
        };
        if let Some(faults) = &mut self.faults {
            faults.finish()?;
        }
        match first {
            // The driver has tried again, or the statement was not sent.
            Some(Ok(answer)) if answer.outcome != Some(WriteOutcome::Interrupted) => Ok(answer),
            Some(Err(stop @ (Failure::Gone(_) | Failure::Unrepresentable(_)))) => Err(stop),
            _ => {
                self.count(|counts| counts.interruptions += 1);
                self.call(name, values, now_micros, None)
            }
        }
    }

    /// Calls a write and kills the program if it does not answer within the delay; the answer, if it
    /// does.
    fn kill_in_call(
        &mut self,
        name: &str,
        values: &[Datum],
        now_micros: i64,
        delay: Duration,
    ) -> Result<Option<Result<CallAnswer, Failure>>, Failure> {
        self.calls += 1;
        let line = message::write_call(self.calls, name, now_micros, values, None);
        if let Some(answer) = self.program.kill_during(line, delay) {
            return Ok(Some(message::read_answer(&answer, self.calls)));
        }
        // The statement that the program waited for may still take effect.
        thread::sleep(WriteFault::settle_delay());
        self.restart()?;
        Ok(None)
    }

    /// Calls a write, and sees to it that one that only inserts writes no tombstone.
    fn call_write(
        &mut self,
        name: &str,
        values: &[Datum],
        now_micros: i64,
    ) -> Result<CallAnswer, Failure> {
        let facts = self.writes.get(name);
        if self.faults.is_some() && facts.is_some_and(|write| write.is_repeatable) {
            return self.call_interrupted(name, values, now_micros);
        }
        let watched = self.database.clone().filter(|_| facts.is_some_and(|it| it.only_inserts));
        let Some(database) = watched else { return self.call(name, values, now_micros, None) };
        let before = database.count_cell_tombstones(&self.target.keyspace);
        let answer = self.call(name, values, now_micros, None)?;
        let added = database.count_cell_tombstones(&self.target.keyspace).saturating_sub(before);
        if added > 0 && answer.outcome == Some(WriteOutcome::Applied) {
            let what = format!("{name} inserts, but wrote {added} tombstones: it binds null");
            return Err(Failure::Refused(what));
        }
        let has_looked = answer.outcome == Some(WriteOutcome::Applied) && has_null(values);
        self.count(|counts| counts.clean_inserts += usize::from(has_looked));
        Ok(answer)
    }
}

fn start(launcher: &mut ProgramLauncher, target: &ProgramTarget) -> Result<DriverProgram, Failure> {
    let mut program = launcher().map_err(Failure::Gone)?;
    let answer = program.exchange(message::write_connect(target), CONNECT_TIMEOUT);
    message::read_ready(&answer.map_err(Failure::Gone)?)?;
    Ok(program)
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
        let answer = self.call(&read.name, values, context.now_micros, None);
        let CallAnswer { outcome, rows, .. } = match answer {
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
        if read.many && !self.unpaged.contains(&at) {
            match self.call_pages(read, values, context.now_micros)? {
                None => _ = self.unpaged.insert(at),
                Some(pages) if pages == rows => {}
                Some(pages) => {
                    let (read, all, paged) = (&read.name, rows.len(), pages.len());
                    return Err(Failure::Refused(format!(
                        "the pages of {read} have {paged} rows, which are not its {all} rows"
                    )));
                }
            }
        }
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
        let answer = self.call_write(&write.name, values, context.now_micros);
        let CallAnswer { outcome, rows, .. } = match answer {
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
