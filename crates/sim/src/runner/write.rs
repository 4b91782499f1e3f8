//! Runs the steps of writes.

use std::collections::BTreeMap;

use cql::BatchKind;
use cql::types::{NativeType, Type};
use model::id::{IdList, WriteId};
use model::plan::{
    ColumnAssignment, Guard, IfClause, Modification, Operand, PlannedRun, PlannedStatement,
    ReadStep, Relation, WritePlan, WriteStep,
};

use model::workload::{DerivedPart, Write};

use super::compute;
use super::frame::ExecutionFrame;
use super::operand::OperandScope;
use super::{PlanExecution, STATEMENTS_MAX};
use crate::dataset::Datum;
use crate::relational::ResultColumns;
use crate::server::{Answer, Failure, ServerStatement};
use crate::statement_runner::WriteOutcome;
use crate::value::TypedValue;

/// Larger batches are sent in parts, as the remarks of the plan require.
const BATCH_STATEMENTS_MAX: usize = 100;

/// The steps that read, by their position among all.
pub(super) fn read_steps(plan: &WritePlan) -> Vec<Option<&ReadStep>> {
    let reads = plan.steps.iter().map(|step| match step {
        WriteStep::Read(read, _) => Some(read),
        WriteStep::Batch { .. } | WriteStep::Statement(_) | WriteStep::Run(_) => None,
    });
    reads.collect()
}

impl PlanExecution<'_> {
    /// The steps of a write, until a condition does not hold.
    pub(super) fn run_steps(
        &mut self,
        write: &Write,
        plan: &WritePlan,
    ) -> Result<WriteOutcome, Failure> {
        if plan.checks.iter().any(|check| !self.scope.is_check_met(check)) {
            return Ok(WriteOutcome::Violation);
        }
        let (mut done, mut refused) = (false, false);
        let mut undo = Vec::new();
        for (at, step) in plan.steps.enumerate_ids() {
            match step {
                WriteStep::Read(..) => self.run_step(at)?,
                WriteStep::Batch { kind, statements, .. } => {
                    let (mut all, mut traced) = (Vec::new(), Vec::new());
                    for (statement, text) in
                        statements.iter().flat_map(|one| self.bind_statements(one))
                    {
                        all.push(statement);
                        traced.extend(text);
                    }
                    self.check_work(all.len())?;
                    if !all.is_empty() {
                        done = true;
                        undo.push(None);
                    }
                    self.trace.statements.extend(traced);
                    self.send_batch(*kind, &all)?;
                }
                WriteStep::Statement(planned) => {
                    self.check_lost_update(planned)?;
                    let statements = self.bind_statements(planned);
                    self.check_work(statements.len())?;
                    let mut inverses = self.bind_inverses(planned).into_iter();
                    for (statement, traced) in statements {
                        self.trace.statements.extend(traced);
                        let answer = self.server.run(&statement)?;
                        if planned.condition.is_some() && !is_applied(&answer) {
                            let is_insert = matches!(planned.modification, Modification::Insert(_));
                            let outcome = if is_insert {
                                WriteOutcome::Violation
                            } else {
                                WriteOutcome::Refused
                            };
                            return self.undo(undo, outcome);
                        }
                        done = true;
                        undo.push(inverses.next());
                    }
                }
                WriteStep::Run(run) => {
                    for values in self.run_arguments(run) {
                        match self.run_derived(run.write, values)? {
                            WriteOutcome::Applied => {
                                done = true;
                                undo.push(None);
                            }
                            WriteOutcome::Violation if self.is_reference(run) => {
                                return self.undo(undo, WriteOutcome::Violation);
                            }
                            WriteOutcome::Refused | WriteOutcome::Violation => refused = true,
                            WriteOutcome::Interrupted => return Ok(WriteOutcome::Interrupted),
                        }
                    }
                }
            }
        }
        self.return_rows(write, plan);
        Ok(if refused && !done { WriteOutcome::Refused } else { WriteOutcome::Applied })
    }

    /// Whether a derived write is that of a reference to a row that is deleted or moved.
    fn is_reference(&self, run: &PlannedRun) -> bool {
        let write = self.subject.workload.writes.member(run.write);
        matches!(write.and_then(|write| write.derived), Some(DerivedPart::Referring { .. }))
    }

    /// Undoes the statements that were applied, the last one first, as the remarks of the plan
    /// require; those without an inverse stay. Then the write ends with this outcome.
    fn undo(
        &mut self,
        applied: Vec<Option<ServerStatement>>,
        outcome: WriteOutcome,
    ) -> Result<WriteOutcome, Failure> {
        let is_undone = applied.iter().all(Option::is_some);
        for inverse in applied.into_iter().rev().flatten() {
            self.server.run(&inverse)?;
        }
        Ok(if is_undone { outcome } else { WriteOutcome::Interrupted })
    }

    /// The statements that undo a conditional INSERT, at each turn of its loops; none where it is
    /// another statement.
    fn bind_inverses(&self, planned: &PlannedStatement) -> Vec<ServerStatement> {
        let table = self.table(planned.table);
        let inverse = table.and_then(|table| planned.modification.invert_insert(table));
        let Some(modification) = inverse else { return Vec::new() };
        let inverse = PlannedStatement { modification, condition: None, ..planned.clone() };
        self.bind_statements(&inverse).into_iter().map(|(statement, _)| statement).collect()
    }

    /// Adds the rows that a write returns to those of the derived writes that it ran.
    fn return_rows(&mut self, write: &Write, plan: &WritePlan) {
        let (Some(returning), Some(rows)) = (&write.returning, &plan.returned) else { return };
        let columns = ResultColumns::from(returning);
        let mut frames = vec![self.initial_frame()];
        for turn in &rows.loops {
            frames = frames.iter().flat_map(|frame| self.loop_frames(turn, frame)).collect();
        }
        let mut returned = Vec::new();
        for frame in &frames {
            if !rows.guards.iter().all(|guard| self.scope.is_satisfied(guard, frame, None)) {
                continue;
            }
            let values = rows.values.iter().enumerate().map(|(at, operand)| {
                let ty = columns.output_type(self.subject.concept, at);
                let value = self.scope.evaluate(operand, frame, None, Some(&ty));
                let bytes = value.to_type(&ty);
                TypedValue::new(ty, bytes)
            });
            let values: Vec<_> = values.collect();
            returned.push(if returning.computed.is_empty() {
                values.into_iter().map(|value| value.bytes).collect()
            } else {
                compute::compute_row(&returning.computed, &values)
            });
        }
        self.returned.extend(returned);
    }

    /// The values with which a derived write is run, at each turn at which its guards hold.
    fn run_arguments(&self, run: &PlannedRun) -> Vec<Vec<Datum>> {
        let Some(write) = self.subject.workload.writes.member(run.write) else {
            return Vec::new();
        };
        let mut frames = vec![self.initial_frame()];
        for turn in &run.loops {
            frames = frames.iter().flat_map(|frame| self.loop_frames(turn, frame)).collect();
        }
        let holds = |frame: &&ExecutionFrame| {
            run.guards.iter().all(|guard| self.scope.is_satisfied(guard, frame, None))
        };
        let values = |frame: &ExecutionFrame| {
            let arguments = run.arguments.iter().zip(&write.parameters);
            let arguments = arguments.map(|(operand, parameter)| {
                let ty = &parameter.ty;
                self.scope.evaluate(operand, frame, None, Some(ty)).to_type(ty)
            });
            arguments.collect()
        };
        frames.iter().filter(holds).map(values).collect()
    }

    /// Runs a derived write, unless it is running already with these values.
    fn run_derived(&mut self, at: WriteId, values: Vec<Datum>) -> Result<WriteOutcome, Failure> {
        let running = (at, values);
        if self.running.contains(&running) {
            return Ok(WriteOutcome::Applied);
        }
        let (Some(write), Some(plan)) =
            (self.subject.workload.writes.member(at), self.subject.design.writes.member(at))
        else {
            return Ok(WriteOutcome::Applied);
        };
        let mut stack = self.running.clone();
        stack.push(running.clone());
        let concept = self.subject.concept;
        let mut session = PlanExecution {
            subject: self.subject,
            now_micros: self.now_micros,
            server: self.server,
            trace: self.trace,
            scope: OperandScope { concept, parameters: &write.parameters, values: &running.1 },
            steps: read_steps(plan),
            found: BTreeMap::new(),
            running: stack,
            returned: Vec::new(),
        };
        let outcome = session.run_steps(write, plan)?;
        let returned = session.returned;
        self.returned.extend(returned);
        Ok(outcome)
    }

    /// Sends a statement that writes a number computed from what was read as if another client had
    /// changed the number in between: it must not be applied, or that client's change would be
    /// lost.
    fn check_lost_update(&mut self, planned: &PlannedStatement) -> Result<(), Failure> {
        let Some(stale) = to_stale_statement(planned) else { return Ok(()) };
        for (statement, _) in self.bind_statements(&stale) {
            if is_applied(&self.server.run(&statement)?) {
                let what = format!("{} was applied although the row had changed", statement.cql);
                return Err(Failure::Refused(what));
            }
        }
        Ok(())
    }

    /// Fails where a step would send too many statements.
    fn check_work(&self, statements: usize) -> Result<(), Failure> {
        let is_too_much = self.trace.partitions + statements as u64 > STATEMENTS_MAX;
        if is_too_much { Err(Failure::Exhausted) } else { Ok(()) }
    }

    /// A statement at each turn at which its guards hold, with its text for the trace.
    fn bind_statements(
        &self,
        planned: &PlannedStatement,
    ) -> Vec<(ServerStatement, Option<String>)> {
        let mut frames = vec![self.initial_frame()];
        for turn in &planned.loops {
            frames = frames.iter().flat_map(|frame| self.loop_frames(turn, frame)).collect();
        }
        let mut statements = Vec::new();
        for frame in &frames {
            let table = self.operand_table(planned.table);
            let holds =
                planned.guards.iter().all(|guard| self.scope.is_satisfied(guard, frame, table));
            if !holds {
                continue;
            }
            let is_null = |of: &Operand| self.scope.evaluate(of, frame, table, None).is_null();
            let Some(modification) = planned.modification.omit_nulls(is_null) else { continue };
            let (statement, traced) = self.bind(&modification.text(), frame, planned.table);
            let names_no_row = planned.condition.is_none()
                && planned.modification.is_delete()
                && statement.values.iter().any(Option::is_none);
            if !names_no_row {
                statements.push((statement, traced));
            }
        }
        statements
    }

    fn send_batch(
        &mut self,
        kind: BatchKind,
        statements: &[ServerStatement],
    ) -> Result<(), Failure> {
        for part in statements.chunks(BATCH_STATEMENTS_MAX) {
            match part {
                [single] => {
                    self.server.run(single)?;
                }
                several => self.server.run_batch(kind, several)?,
            }
        }
        Ok(())
    }
}

/// A conditional statement that adds to a number, with another number than was read in its IF;
/// `None` for any other.
fn to_stale_statement(planned: &PlannedStatement) -> Option<PlannedStatement> {
    planned.condition.as_ref()?;
    let mut stale = planned.clone();
    let Modification::Update(update) = &mut stale.modification else { return None };
    let is_computed = |it: &ColumnAssignment| has_sum(&it.value);
    if !update.assignments.iter().any(is_computed) {
        return None;
    }
    if let IfClause::Columns(relations) = &mut update.condition {
        for relation in relations {
            let Relation::Column { value, .. } = relation else { continue };
            if let Operand::Row { .. } = value {
                stale.guards.push(Guard::NotNull(value.clone()));
                let one = Operand::Literal("1".to_owned());
                *value = Operand::Minus(Box::new(value.clone()), Box::new(one));
            }
        }
    }
    Some(stale)
}

/// Whether a value is computed by adding to another one.
fn has_sum(operand: &Operand) -> bool {
    matches!(operand, Operand::Minus(..)) || operand.parts().into_iter().any(has_sum)
}

/// Whether the server applied a conditional statement.
fn is_applied(answer: &Answer) -> bool {
    let column = answer
        .columns
        .iter()
        .position(|(name, ty)| name == "[applied]" && *ty == Type::Native(NativeType::Boolean));
    let value = answer.rows.first().zip(column).and_then(|(row, at)| row.get(at));
    !matches!(value, Some(Some(bytes)) if bytes.first() == Some(&0))
}
