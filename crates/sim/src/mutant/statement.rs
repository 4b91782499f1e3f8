//! The statements of a design, and their places.

use cql::BatchKind;
use model::id::{IdList, ReadId, StepId, TableId, WriteId};
use model::plan::{Design, PlannedStatement, ReadStep, WriteStep};

/// The place of a statement of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WritePlace {
    pub(super) write: WriteId,
    pub(super) step: StepId,
    /// The position in its batch.
    at: usize,
}

/// The place of a statement that reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadPlace {
    /// In a read: its step.
    Read(ReadId, StepId),
    /// In a write: its step.
    Write(WriteId, StepId),
}

/// All statements of the writes.
pub(super) fn write_statements(design: &Design) -> Vec<(WritePlace, &PlannedStatement)> {
    let mut all = Vec::new();
    for (write, plan) in design.writes.enumerate_ids() {
        for (step, of) in plan.steps.enumerate_ids() {
            let statements = match of {
                WriteStep::Read(..) | WriteStep::Run(_) => &[],
                WriteStep::Batch { statements, .. } => statements.as_slice(),
                WriteStep::Statement(statement) => std::slice::from_ref(statement),
            };
            let places = statements.iter().enumerate();
            all.extend(places.map(|(at, statement)| (WritePlace { write, step, at }, statement)));
        }
    }
    all
}

/// The statement at a place, mutably.
pub(super) fn statement_mut(
    design: &mut Design,
    place: WritePlace,
) -> Option<&mut PlannedStatement> {
    match design.writes.member_mut(place.write)?.steps.member_mut(place.step)? {
        WriteStep::Read(..) | WriteStep::Run(_) => None,
        WriteStep::Batch { statements, .. } => statements.get_mut(place.at),
        WriteStep::Statement(statement) => Some(statement),
    }
}

/// Removes a statement. Its step stays, even if empty: steps are named by their position.
pub(super) fn remove_statement(design: &mut Design, place: WritePlace) -> Option<PlannedStatement> {
    let step = design.writes.member_mut(place.write)?.steps.member_mut(place.step)?;
    match step {
        WriteStep::Read(..) | WriteStep::Run(_) => None,
        WriteStep::Batch { statements, .. } => {
            (place.at < statements.len()).then(|| statements.remove(place.at))
        }
        WriteStep::Statement(_) => {
            let nothing = WriteStep::Batch {
                kind: BatchKind::Unlogged,
                statements: Vec::new(),
                reason: String::new(),
            };
            match std::mem::replace(step, nothing) {
                WriteStep::Statement(statement) => Some(statement),
                _ => None,
            }
        }
    }
}

/// All statements that read, of reads and of writes.
pub(super) fn read_steps(design: &Design) -> Vec<(ReadPlace, &ReadStep)> {
    let mut all = Vec::new();
    for (read, plan) in design.reads.enumerate_ids() {
        let steps = plan.steps.enumerate_ids();
        all.extend(steps.map(|(step, of)| (ReadPlace::Read(read, step), of)));
    }
    for (write, plan) in design.writes.enumerate_ids() {
        let steps = plan.steps.enumerate_ids();
        all.extend(steps.filter_map(|(step, of)| match of {
            WriteStep::Read(read, _) => Some((ReadPlace::Write(write, step), read)),
            _ => None,
        }));
    }
    all
}

/// The statement at a place, mutably.
pub(super) fn read_step_mut(design: &mut Design, place: ReadPlace) -> Option<&mut ReadStep> {
    match place {
        ReadPlace::Read(read, step) => design.reads.member_mut(read)?.steps.member_mut(step),
        ReadPlace::Write(write, step) => {
            match design.writes.member_mut(write)?.steps.member_mut(step)? {
                WriteStep::Read(read, _) => Some(read),
                _ => None,
            }
        }
    }
}

/// All statements that read a table, mutably.
pub(super) fn table_reads_mut(design: &mut Design, table: TableId) -> Vec<&mut ReadStep> {
    let reads = design.reads.iter_mut().flat_map(|plan| &mut plan.steps);
    let steps = design.writes.iter_mut().flat_map(|plan| &mut plan.steps);
    let first = steps.filter_map(|step| match step {
        WriteStep::Read(read, _) => Some(read),
        WriteStep::Batch { .. } | WriteStep::Statement(_) | WriteStep::Run(_) => None,
    });
    reads.chain(first).filter(|step| step.table == table).collect()
}

/// All statements that write a table, mutably.
pub(super) fn table_writes_mut(design: &mut Design, table: TableId) -> Vec<&mut PlannedStatement> {
    let steps = design.writes.iter_mut().flat_map(|plan| &mut plan.steps);
    let statements = steps.flat_map(|step| match step {
        WriteStep::Read(..) | WriteStep::Run(_) => &mut [],
        WriteStep::Batch { statements, .. } => statements.as_mut_slice(),
        WriteStep::Statement(statement) => std::slice::from_mut(statement),
    });
    statements.filter(|statement| statement.table == table).collect()
}
