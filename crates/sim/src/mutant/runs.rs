//! Mutants of the derived writes that a write runs: rows that refer are forgotten, upserts take the
//! wrong branch.

use cql::BatchKind;
use model::id::{IdList, StepId, WriteId};
use model::plan::{Design, PlannedRun, WriteStep};
use model::workload::DerivedPart;

use super::{Mutant, OriginalDesign};

/// Forgets the rows that refer to a row that goes.
pub(super) fn forget_referring_rows(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let wanted = runs(of).into_iter().filter(|(_, _, run)| {
        matches!(of.part(run.write), Some(DerivedPart::Referring { .. }))
            && of.has_effect(run.write)
    });
    let forgotten = wanted.filter_map(|(write, step, run)| {
        let what = format!("{} omits {}", of.write_name(write), of.write_name(run.write));
        of.build_mutant("a cascade forgotten", what, |design| remove_step(design, write, step))
    });
    forgotten.collect()
}

/// Inserts a row that exists as if it were new.
pub(super) fn overwrite_existing_rows(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = runs(of);
    let wanted = all.iter().filter(|(write, _, run)| {
        let is_existing = |other: &&(WriteId, StepId, &PlannedRun)| {
            other.0 == *write && of.part(other.2.write) == Some(DerivedPart::ExistingRow)
        };
        of.part(run.write) == Some(DerivedPart::NewRow)
            && all.iter().find(is_existing).is_some_and(|(_, _, it)| of.has_effect(it.write))
    });
    let wrong = wanted.filter_map(|(write, step, run)| {
        let what = format!("{} treats every row as new", of.write_name(*write));
        let existing = all.iter().find(|(other, _, it)| {
            other == write && of.part(it.write) == Some(DerivedPart::ExistingRow)
        });
        let (existing, run) = (existing?.1, (*run).clone());
        of.build_mutant("an upsert that overwrites the row", what, |design| {
            remove_step(design, *write, existing)?;
            let unguarded = WriteStep::Run(PlannedRun { guards: Vec::new(), ..run });
            *design.writes.member_mut(*write)?.steps.member_mut(*step)? = unguarded;
            Some(())
        })
    });
    wrong.collect()
}

/// Does nothing to a row that exists.
pub(super) fn skip_existing_rows(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let wanted = runs(of).into_iter().filter(|(_, _, run)| {
        of.part(run.write) == Some(DerivedPart::ExistingRow) && of.has_effect(run.write)
    });
    let wrong = wanted.filter_map(|(write, step, _)| {
        let what = format!("{} leaves rows that exist as they are", of.write_name(write));
        of.build_mutant("an upsert without its update", what, |design| {
            remove_step(design, write, step)
        })
    });
    wrong.collect()
}

/// All derived writes that are run, with their places.
fn runs(of: OriginalDesign<'_>) -> Vec<(WriteId, StepId, &PlannedRun)> {
    let plans = of.design.writes.enumerate_ids();
    let runs = plans.flat_map(|(write, plan)| {
        plan.steps.enumerate_ids().filter_map(move |(step, it)| match it {
            WriteStep::Run(run) => Some((write, step, run)),
            _ => None,
        })
    });
    runs.collect()
}

/// Replaces a step by one that does nothing: steps are named by their position.
fn remove_step(design: &mut Design, write: WriteId, step: StepId) -> Option<()> {
    let nothing = WriteStep::Batch {
        kind: BatchKind::Unlogged,
        statements: Vec::new(),
        reason: String::new(),
    };
    *design.writes.member_mut(write)?.steps.member_mut(step)? = nothing;
    Some(())
}

impl OriginalDesign<'_> {
    /// What a derived write is.
    fn part(self, write: WriteId) -> Option<DerivedPart> {
        self.workload.writes.member(write)?.derived
    }

    /// Whether the plan of a write changes a table.
    fn has_effect(self, write: WriteId) -> bool {
        let changes = |step: &WriteStep| match step {
            WriteStep::Statement(_) => true,
            WriteStep::Batch { statements, .. } => !statements.is_empty(),
            WriteStep::Read(..) | WriteStep::Run(_) => false,
        };
        self.design.writes.member(write).is_some_and(|plan| plan.steps.iter().any(changes))
    }
}
