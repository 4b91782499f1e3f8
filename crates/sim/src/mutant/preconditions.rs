//! Mutants of what excludes violations: a precondition that the plan does not state, and an INSERT
//! without its IF NOT EXISTS. The proof must violate the constraint.
//!
//! Left alone are writes that change no table of which their entity makes the rows alone: where rows
//! of others are joined, a write that violates a foreign key may change nothing.

use model::id::{IdList, WriteId};
use model::plan::{IfClause, Modification, Precondition, WriteStep};

use super::statement::{statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// A precondition that is not stated.
pub(super) fn forget_preconditions(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (write, plan) in of.design.writes.enumerate_ids() {
        if !is_observable(of, write) {
            continue;
        }
        for (at, precondition) in plan.preconditions.iter().enumerate() {
            let Some(kind) = mutant_kind(precondition) else { continue };
            let what = format!("{} does not state: {precondition}", of.write_name(write));
            mutants.extend(of.build_mutant(kind, what, |design| {
                let preconditions = &mut design.writes.member_mut(write)?.preconditions;
                (at < preconditions.len()).then(|| drop(preconditions.remove(at)))
            }));
        }
    }
    mutants
}

/// An INSERT that overwrites a row.
pub(super) fn forget_not_exists(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design).into_iter();
    let dropped = all.filter_map(|(place, statement)| {
        let Modification::Insert(insert) = &statement.modification else { return None };
        if insert.condition != IfClause::NotExists || !is_observable(of, place.write) {
            return None;
        }
        let name = of.write_name(place.write);
        let what = format!("{name} sends {} without its IF", statement.modification);
        of.build_mutant("an IF NOT EXISTS dropped", what, |design| {
            let planned = statement_mut(design, place)?;
            let Modification::Insert(insert) = &mut planned.modification else { return None };
            insert.condition = IfClause::Always;
            planned.condition = None;
            Some(())
        })
    });
    dropped.collect()
}

/// The kind of mutant without a precondition; `None` where it excludes no constraint, or one whose
/// violations depend on the stored values.
const fn mutant_kind(precondition: &Precondition) -> Option<&'static str> {
    match precondition {
        Precondition::FreeKey { .. } => Some("a key not stated to be free"),
        Precondition::ReferencedRowExists { .. } => Some("a reference not stated to exist"),
        Precondition::Unreferenced { .. } => Some("a row not stated to be unreferenced"),
        Precondition::UniqueKey { .. } | Precondition::UniqueValues { .. } => {
            Some("values not stated to be unique")
        }
        Precondition::CheckHolds { .. }
        | Precondition::RowExists { .. }
        | Precondition::SumInRange { .. }
        | Precondition::NoSelfReference { .. }
        | Precondition::NewElement => None,
    }
}

/// Whether a stated write, without derived ones, changes a table of which its entity makes the rows
/// alone.
fn is_observable(of: OriginalDesign<'_>, at: WriteId) -> bool {
    let (Some(write), Some(plan)) = (of.workload.writes.member(at), of.design.writes.member(at))
    else {
        return false;
    };
    let has_runs = plan.steps.iter().any(|step| matches!(step, WriteStep::Run(_)));
    let is_own = |table| {
        of.design.tables.member(table).is_some_and(|table| {
            let sources = &table.holds.sources;
            sources.len() == 1
                && sources.iter().all(|source| source.entity == write.entity)
                && table.holds.filters.is_empty()
                && table.holds.not_null.is_empty()
                && !table.is_counter()
        })
    };
    let mut statements = write_statements(of.design).into_iter();
    write.is_stated()
        && !has_runs
        && statements.any(|(place, statement)| place.write == at && is_own(statement.table))
}
