//! The statements of a design, and their places.

use cql::BatchKind;
use model::id::{Numbered, ReadId, StepId, TableId, WriteId};
use model::plan::{Design, PlannedStatement, ReadStep, WriteStep};

/// Where a statement of a write stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) write: WriteId,
    pub(super) step: StepId,
    /// The position in its batch.
    at: usize,
}

/// Where a statement that reads stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadPlace {
    /// In a read: its step.
    Read(ReadId, StepId),
    /// In a write: its step.
    Write(WriteId, StepId),
}

/// All statements of the writes.
pub(super) fn written(design: &Design) -> Vec<(Place, &PlannedStatement)> {
    let mut all = Vec::new();
    for (write, plan) in design.writes.numbered() {
        for (step, of) in plan.steps.numbered() {
            let statements = match of {
                WriteStep::Read(..) => &[],
                WriteStep::Batch { statements, .. } => statements.as_slice(),
                WriteStep::Statement(statement) => std::slice::from_ref(statement),
            };
            let places = statements.iter().enumerate();
            all.extend(places.map(|(at, statement)| (Place { write, step, at }, statement)));
        }
    }
    all
}

/// The statement at a place, to be changed.
pub(super) fn statement_mut(design: &mut Design, place: Place) -> Option<&mut PlannedStatement> {
    match design.writes.at_mut(place.write)?.steps.at_mut(place.step)? {
        WriteStep::Read(..) => None,
        WriteStep::Batch { statements, .. } => statements.get_mut(place.at),
        WriteStep::Statement(statement) => Some(statement),
    }
}

/// Takes a statement out. Its step stays, be it empty: others are named by their position.
pub(super) fn remove(design: &mut Design, place: Place) -> Option<PlannedStatement> {
    let step = design.writes.at_mut(place.write)?.steps.at_mut(place.step)?;
    match step {
        WriteStep::Read(..) => None,
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
pub(super) fn reading(design: &Design) -> Vec<(ReadPlace, &ReadStep)> {
    let mut all = Vec::new();
    for (read, plan) in design.reads.numbered() {
        let steps = plan.steps.numbered();
        all.extend(steps.map(|(step, of)| (ReadPlace::Read(read, step), of)));
    }
    for (write, plan) in design.writes.numbered() {
        let steps = plan.steps.numbered();
        all.extend(steps.filter_map(|(step, of)| match of {
            WriteStep::Read(read, _) => Some((ReadPlace::Write(write, step), read)),
            _ => None,
        }));
    }
    all
}

/// The statement at a place, to be changed.
pub(super) fn reading_mut(design: &mut Design, place: ReadPlace) -> Option<&mut ReadStep> {
    match place {
        ReadPlace::Read(read, step) => design.reads.at_mut(read)?.steps.at_mut(step),
        ReadPlace::Write(write, step) => match design.writes.at_mut(write)?.steps.at_mut(step)? {
            WriteStep::Read(read, _) => Some(read),
            _ => None,
        },
    }
}

/// All statements that read a table, to be changed.
pub(super) fn reading_on_mut(design: &mut Design, table: TableId) -> Vec<&mut ReadStep> {
    let reads = design.reads.iter_mut().flat_map(|plan| &mut plan.steps);
    let steps = design.writes.iter_mut().flat_map(|plan| &mut plan.steps);
    let first = steps.filter_map(|step| match step {
        WriteStep::Read(read, _) => Some(read),
        WriteStep::Batch { .. } | WriteStep::Statement(_) => None,
    });
    reads.chain(first).filter(|step| step.table == table).collect()
}

/// All statements that write a table, to be changed.
pub(super) fn written_on_mut(design: &mut Design, table: TableId) -> Vec<&mut PlannedStatement> {
    let steps = design.writes.iter_mut().flat_map(|plan| &mut plan.steps);
    let statements = steps.flat_map(|step| match step {
        WriteStep::Read(..) => &mut [],
        WriteStep::Batch { statements, .. } => statements.as_mut_slice(),
        WriteStep::Statement(statement) => std::slice::from_mut(statement),
    });
    statements.filter(|statement| statement.table == table).collect()
}
