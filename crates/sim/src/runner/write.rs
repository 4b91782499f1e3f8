//! Runs the steps of writes.

use cql::BatchKind;
use cql::types::{NativeType, Type};
use model::id::IdList;
use model::plan::{PlannedStatement, ReadStep, WritePlan, WriteStep};

use super::PlanExecution;
use crate::server::{Answer, Failure, ServerStatement};

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    /// It was applied.
    Applied,
    /// Its first condition did not hold: nothing was changed.
    Refused,
    /// A condition did not hold after others were applied, which the client must undo.
    Interrupted,
}

/// Larger batches are sent in parts, as the remarks of the plan require.
const BATCH_STATEMENTS_MAX: usize = 100;

/// The steps that read, by their position among all.
pub(super) fn read_steps(plan: &WritePlan) -> Vec<Option<&ReadStep>> {
    let reads = plan.steps.iter().map(|step| match step {
        WriteStep::Read(read, _) => Some(read),
        WriteStep::Batch { .. } | WriteStep::Statement(_) => None,
    });
    reads.collect()
}

impl PlanExecution<'_> {
    /// The steps of a write, until a condition does not hold.
    pub(super) fn run_steps(&mut self, plan: &WritePlan) -> Result<WriteOutcome, Failure> {
        let mut done = false;
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
                    done |= !all.is_empty();
                    self.trace.statements.extend(traced);
                    self.send_batch(*kind, &all)?;
                }
                WriteStep::Statement(planned) => {
                    for (statement, traced) in self.bind_statements(planned) {
                        self.trace.statements.extend(traced);
                        let answer = self.server.run(&statement)?;
                        if planned.condition.is_some() && !is_applied(&answer) {
                            return Ok(if done {
                                WriteOutcome::Interrupted
                            } else {
                                WriteOutcome::Refused
                            });
                        }
                        done = true;
                    }
                }
            }
        }
        Ok(WriteOutcome::Applied)
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
        let text = planned.modification.text();
        let mut statements = Vec::new();
        for frame in &frames {
            let table = self.table(planned.table);
            let holds =
                planned.guards.iter().all(|guard| self.scope.is_satisfied(guard, frame, table));
            if !holds {
                continue;
            }
            let (statement, traced) = self.bind(&text, frame, planned.table);
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

/// Whether the server applied a conditional statement.
fn is_applied(answer: &Answer) -> bool {
    let column = answer
        .columns
        .iter()
        .position(|(name, ty)| name == "[applied]" && *ty == Type::Native(NativeType::Boolean));
    let value = answer.rows.first().zip(column).and_then(|(row, at)| row.get(at));
    !matches!(value, Some(Some(bytes)) if bytes.first() == Some(&0))
}
