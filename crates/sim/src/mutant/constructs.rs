//! Mutants of what SQL says beside its statements: defaults, cascades, the branches of upserts and
//! the rows that a partial table holds.
//!
//! Left alone are values of key columns, without which the server rejects the statement, and
//! derived writes that run themselves, since their rows are reached by others too.

use model::id::{IdList, StepId, WriteId};
use model::plan::{ColumnRole, Guard, Modification, Operand, PlannedRun, WriteStep};
use model::workload::Supply;

use super::statement::{remove_run, statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// Drops a constant, or a value that the client makes, from an INSERT: a default is one.
pub(super) fn drop_defaults(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        let Modification::Insert(insert) = &statement.modification else { continue };
        let Some(table) = of.design.tables.member(statement.table) else { continue };
        for (at, (column, value)) in insert.values.iter().enumerate() {
            let is_regular =
                table.column(column).is_some_and(|column| column.role == ColumnRole::Regular);
            if !is_regular || table.remembers.is_some() || !is_default(of, place.write, value) {
                continue;
            }
            let name = of.write_name(place.write);
            let what = format!("{name} omits {column} in {}", statement.modification);
            mutants.extend(of.build_mutant("a default dropped", what, |design| {
                let modification = &mut statement_mut(design, place)?.modification;
                let Modification::Insert(insert) = modification else { return None };
                (at < insert.values.len()).then(|| drop(insert.values.remove(at)))
            }));
        }
    }
    mutants
}

/// Whether a value is a constant other than null, or one that the client makes.
fn is_default(of: OriginalDesign<'_>, write: WriteId, value: &Operand) -> bool {
    match value {
        Operand::Literal(text) => !text.eq_ignore_ascii_case("null"),
        Operand::Parameter(at) => of
            .workload
            .writes
            .member(write)
            .and_then(|write| write.parameters.member(*at))
            .is_some_and(|parameter| matches!(parameter.supply, Supply::Client(_))),
        _ => false,
    }
}

/// Takes the wrong branch: a statement is sent where a value is null instead of where it is not, or
/// where a comparison fails instead of where it holds.
pub(super) fn negate_guards(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        let Some(guard) = statement.guards.iter().position(|guard| negate(guard).is_some()) else {
            continue;
        };
        let name = of.write_name(place.write);
        let what = format!("{name} negates a guard of {}", statement.modification);
        mutants.extend(of.build_mutant("the wrong branch of a guard", what, |design| {
            let guard = statement_mut(design, place)?.guards.get_mut(guard)?;
            *guard = negate(guard)?;
            Some(())
        }));
    }
    mutants
}

fn negate(guard: &Guard) -> Option<Guard> {
    Some(match guard.clone() {
        Guard::NotNull(value) => Guard::Null(value),
        Guard::Null(value) => Guard::NotNull(value),
        Guard::Compares(one, comparison, other) => Guard::Fails(one, comparison, other),
        Guard::Fails(one, comparison, other) => Guard::Compares(one, comparison, other),
        _ => return None,
    })
}

/// The derived writes that plans run, with their places.
fn runs(of: OriginalDesign<'_>) -> Vec<(WriteId, StepId, &PlannedRun)> {
    let mut all = Vec::new();
    for (write, plan) in of.design.writes.enumerate_ids() {
        for (step, of) in plan.steps.enumerate_ids() {
            if let WriteStep::Run(run) = of
                && run.write != write
            {
                all.push((write, step, run));
            }
        }
    }
    all
}

/// Omits a derived write: a cascade, a branch of an upsert, or one of several rows.
pub(super) fn omit_runs(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let runs = runs(of).into_iter().filter(|(_, _, run)| {
        // What does nothing is not missed.
        of.design.writes.member(run.write).is_some_and(|plan| !plan.steps.is_empty())
    });
    let omitted = runs.filter_map(|(write, step, run)| {
        let what = format!("{} does not run {}", of.write_name(write), of.write_name(run.write));
        of.build_mutant("a derived write omitted", what, |design| remove_run(design, write, step))
    });
    omitted.collect()
}

/// Runs a derived write where it must not be run.
pub(super) fn negate_runs(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let negated = runs(of).into_iter().filter_map(|(write, step, run)| {
        let guard = run.guards.iter().position(|guard| negate(guard).is_some())?;
        let what = format!("{} runs {} otherwise", of.write_name(write), of.write_name(run.write));
        of.build_mutant("a derived write in the wrong case", what, |design| {
            let step = design.writes.member_mut(write)?.steps.member_mut(step)?;
            let WriteStep::Run(run) = step else { return None };
            let guard = run.guards.get_mut(guard)?;
            *guard = negate(guard)?;
            Some(())
        })
    });
    negated.collect()
}
